/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A workload: so many bytes from a source, again and again, in so many threads.
 */
#ifndef GETRANDOM_LOAD_H
#define GETRANDOM_LOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "measure.h"
#include "source.h"

struct load {
	const struct source *source;
	size_t size;
	unsigned int threads;
	struct measure *measure; /* NULL when its source is not here */
	int workload;
	size_t stride; /* from one thread's buffer to the next */
	unsigned char *buffers;
	char error[80];
};

/* A bare system call, getpid(2), which gives no bytes. */
extern const struct source source_getpid;

/* A measurement whose baseline is this load. */
struct measure *load_baseline(struct load *load, const struct measure_plan *plan,
			      const struct source *source, size_t size);
void load_add(struct load *load, struct measure *measure, const struct source *source, size_t size,
	      unsigned int threads);

/* What it costs, as a ratio to another one: false when there are no such figures. */
bool load_figures(const struct load *load, const struct load *base, struct estimate *estimate);

#endif

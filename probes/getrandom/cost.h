/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the ways to get random bytes cost: 32 bytes by each of them beside a bare
 * system call; larger amounts by system call and vDSO; one thread and one for each CPU.
 */
#ifndef GETRANDOM_COST_H
#define GETRANDOM_COST_H

#include "load.h"
#include "path.h"
#include "probe.h"
#include "report.h"
#include "source.h"

#define COST_SIZES 4

enum cost_pair { PAIR_SYSCALL, PAIR_VDSO, PAIR };

struct cost {
	const struct path *paths; /* of the sources */
	struct load baseline;
	struct load small[SOURCES];
	const size_t *sizes;
	size_t size_count;
	struct load large[COST_SIZES][PAIR];
	struct load bare_threads; /* the baseline in many threads */
	struct load threads[PAIR];
};

/* The vDSO's source has states for so many threads. */
void measure_cost(struct report *report, const struct source sources[SOURCES],
		  const struct path paths[SOURCES], unsigned int threads,
		  const struct settings *settings);

/* What it all means, in sentences. */
void say_cost(struct report *report, const struct cost *cost);

#endif

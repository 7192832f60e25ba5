/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Workloads of the measuring core.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "load.h"

/* Between the buffers of two threads, so that they share no cache line. */
#define PADDING 256

static ssize_t fill_getpid(const struct source *source, unsigned int thread, void *buffer,
			   size_t length)
{
	(void)source;
	(void)thread;
	(void)buffer;
	return syscall(SYS_getpid) > 0 ? (ssize_t)length : -errno;
}

const struct source source_getpid = {.name = "getpid", .fill = fill_getpid, .reason = ""};

static const char *prepare(void *ctx)
{
	struct load *load = ctx;

	load->stride = (load->size + PADDING - 1) / PADDING * PADDING;
	load->buffers = calloc(load->threads, load->stride);
	return load->buffers ? NULL : "out of memory";
}

static const char *describe_short(struct load *load, ssize_t got)
{
	if (got < 0)
		snprintf(load->error, sizeof(load->error), "%zu bytes were asked for: %s",
			 load->size, errno_name((int)-got));
	else
		snprintf(load->error, sizeof(load->error), "%zu bytes were asked for: %zd came",
			 load->size, got);
	return load->error;
}

static const char *run(void *ctx, unsigned int thread, unsigned long operations)
{
	struct load *load = ctx;
	unsigned char *buffer = load->buffers + thread * load->stride;

	for (unsigned long i = 0; i < operations; i++) {
		ssize_t got = load->source->fill(load->source, thread, buffer, load->size);

		if (got != (ssize_t)load->size)
			return describe_short(load, got);
	}
	return NULL;
}

static struct workload workload_of(struct load *load, const struct source *source, size_t size,
				   unsigned int threads)
{
	*load = (struct load){.source = source, .size = size, .threads = threads};
	return (struct workload){.name = source->name,
				 .prepare = prepare,
				 .run = run,
				 .ctx = load,
				 .threads = threads};
}

struct measure *load_baseline(struct load *load, const struct measure_plan *plan,
			      const struct source *source, size_t size)
{
	struct workload workload = workload_of(load, source, size, 1);

	load->measure = measure_new(plan, &workload);
	return load->measure;
}

void load_add(struct load *load, struct measure *measure, const struct source *source, size_t size,
	      unsigned int threads)
{
	struct workload workload = workload_of(load, source, size, threads);

	if (source->verdict != VERDICT_OK)
		return;
	load->workload = measure_add(measure, &workload);
	load->measure = measure;
}

bool load_figures(const struct load *load, const struct load *base, struct estimate *estimate)
{
	return load->measure && base->measure &&
	       measure_estimate(load->measure, load->workload, base->workload, estimate);
}

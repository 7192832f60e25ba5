/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Blocks of the right length.
 */
#include "series.h"

#include <math.h>
#include <stdlib.h>

#include "worker.h"

#define BLOCK_NS       250e3
#define WARM_BLOCKS    3
#define OPERATIONS_MAX (1ul << 30)
#define GROWTH_MAX     16.0

static double clock_ns(clockid_t clock)
{
	struct timespec now;

	if (clock_gettime(clock, &now))
		return NAN;
	return now.tv_sec * 1e9 + now.tv_nsec;
}

clockid_t series_clock(void)
{
	double coarse = BLOCK_NS / 20;
	double deadline = clock_ns(CLOCK_MONOTONIC) + coarse;
	double begin = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	double step;

	do
		step = clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
	while (step == 0 && clock_ns(CLOCK_MONOTONIC) < deadline);
	return step > 0 && step < coarse ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
}

void series_start(struct series *series, const struct workload *workload, clockid_t cpu_clock,
		  unsigned int patience_ms)
{
	*series = (struct series){.patience_ms = patience_ms};
	for (unsigned int i = 0; i < SERIES_WORKERS && !series_error(series); i++)
		series->workers[i] = worker_start(workload, cpu_clock, patience_ms);
}

/* The nanoseconds of a whole block, or -1. */
static double time_block(struct series *series, unsigned int worker)
{
	return worker_block(series->workers[worker], series->operations,
			    series->patience_ms + 20 * series->block_ns / 1e6);
}

double series_block(struct series *series, unsigned int worker)
{
	double ns = time_block(series, worker);

	return ns < 0 ? -1 : ns / series->operations;
}

/* How many operations make a block, if so many took ns. */
static unsigned long scaled(unsigned long operations, double ns)
{
	double wanted = operations * BLOCK_NS / fmax(ns, 1);

	return fmin(fmax(wanted, 1), OPERATIONS_MAX);
}

/* More and more operations, until they take about as long as a block. */
static bool grow_block(struct series *series)
{
	double ns;

	series->operations = 1;
	for (;;) {
		ns = time_block(series, 0);
		if (ns < 0)
			return false;
		if (ns >= BLOCK_NS / 2)
			return true;
		if (series->operations == OPERATIONS_MAX) {
			worker_fail(series->workers[0],
				    "%lu operations took %.0f ns: none was done",
				    series->operations, ns);
			return false;
		}
		series->operations =
			fmin(scaled(series->operations, ns), GROWTH_MAX * series->operations);
	}
}

void series_calibrate(struct series *series)
{
	double best = INFINITY;

	if (series_error(series) || !grow_block(series))
		return;
	/* The blocks so far ran cold. */
	for (unsigned int i = 0; i < WARM_BLOCKS; i++)
		best = fmin(best, series_block(series, 0));
	if (series_error(series))
		return;
	series->operations = scaled(1, best);
	series->block_ns = best * series->operations;
	for (unsigned int i = 1; i < SERIES_WORKERS; i++)
		series_block(series, i);
}

const char *series_error(const struct series *series)
{
	for (unsigned int i = 0; i < SERIES_WORKERS; i++)
		if (series->workers[i] && worker_error(series->workers[i]))
			return worker_error(series->workers[i]);
	return NULL;
}

long series_preempted(const struct series *series)
{
	long sum = 0;

	for (unsigned int i = 0; i < SERIES_WORKERS; i++) {
		long count = series->workers[i] ? worker_preempted(series->workers[i]) : -1;

		if (count < 0)
			return -1;
		sum += count;
	}
	return sum;
}

void series_end(struct series *series)
{
	for (unsigned int i = 0; i < SERIES_WORKERS; i++)
		if (series->workers[i])
			worker_free(series->workers[i]);
	free(series->ns);
}

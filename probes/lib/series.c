/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Blocks of the right length.
 */
#include "series.h"

#include <math.h>
#include <stdlib.h>

#include "worker.h"

#define BLOCK_NS       250e3
#define COARSE_NS      (BLOCK_NS / 20)
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

/* Nanoseconds of CPU time until its clock moves on; 0 if it does not for a while. */
static double cpu_clock_step(void)
{
	double deadline = clock_ns(CLOCK_MONOTONIC) + COARSE_NS;
	double begin = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	double step;

	do
		step = clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
	while (step == 0 && clock_ns(CLOCK_MONOTONIC) < deadline);
	return step;
}

clockid_t series_clock(void)
{
	/* The shortest step counts: a call may take long itself, in an emulator. */
	for (unsigned int i = 0; i < 20; i++) {
		double step = cpu_clock_step();

		if (step > 0 && step < COARSE_NS)
			return CLOCK_THREAD_CPUTIME_ID;
	}
	return CLOCK_MONOTONIC;
}

void series_start(struct series *series, const struct workload *workload, clockid_t cpu_clock,
		  unsigned int patience_ms)
{
	*series = (struct series){.patience_ms = patience_ms};
	for (unsigned int i = 0; i < SERIES_WORKERS && !series_error(series); i++)
		series->workers[i] = worker_start(workload, cpu_clock, patience_ms);
}

static bool run_block(struct series *series, unsigned int worker, struct block *block)
{
	return worker_block(series->workers[worker], series->operations,
			    series->patience_ms + 20 * series->block_ns / 1e6, block);
}

double series_block(struct series *series, unsigned int worker)
{
	struct block block;

	if (!run_block(series, worker, &block) || block.disturbed)
		return NAN;
	return block.ns / series->operations;
}

/* How many operations make a block, if so many took ns. */
static unsigned long scaled(unsigned long operations, double ns)
{
	double wanted = operations * BLOCK_NS / fmax(ns, 1);

	return fmin(fmax(wanted, 1), OPERATIONS_MAX);
}

/* The shortest of some blocks, or -1. */
static double shortest_block(struct series *series, unsigned int blocks)
{
	double shortest = INFINITY;
	struct block block;

	while (blocks--) {
		if (!run_block(series, 0, &block))
			return -1;
		shortest = fmin(shortest, block.ns);
	}
	return shortest;
}

/* The same, more than once if it seems long enough: the first time is often dearer. */
static double settled_block(struct series *series)
{
	double ns = shortest_block(series, 1);

	return ns < BLOCK_NS / 2 ? ns : shortest_block(series, WARM_BLOCKS);
}

/* More and more operations, until they take about as long as a block: so long, or -1. */
static double grow_block(struct series *series)
{
	series->operations = 1;
	for (;;) {
		double ns = settled_block(series);

		if (ns < 0 || ns >= BLOCK_NS / 2)
			return ns;
		if (series->operations == OPERATIONS_MAX) {
			worker_fail(series->workers[0],
				    "%lu operations took %.0f ns: none was done",
				    series->operations, ns);
			return -1;
		}
		series->operations =
			fmin(scaled(series->operations, ns), GROWTH_MAX * series->operations);
	}
}

void series_calibrate(struct series *series)
{
	double ns;

	if (series_error(series))
		return;
	ns = grow_block(series);
	if (ns < 0)
		return;
	ns /= series->operations;
	series->operations = scaled(1, ns);
	series->block_ns = ns * series->operations;
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
	free(series->turns);
}

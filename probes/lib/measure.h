/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one operation costs, as a ratio to a baseline within the same run.
 *
 * Each workload has processes of its own (a seccomp filter cannot be taken off
 * again): three workers, since identical processes do not cost the same, and each
 * block is done by one of them, drawn by lot. The workers are driven through pipes,
 * one block of operations at a time, one worker at a time, all on the same CPU. A
 * round is one block of every workload in random order; the ratio of two workloads is the median
 * over rounds of the ratio of their blocks, so that drift of the machine (frequency, other load)
 * hits both alike. The interval is the bootstrap of that median.
 *
 * The baseline runs twice, under the name of an A/A twin. When their ratio is off
 * by more than 1 %, rounds are added, for three times the planned time and at least
 * 3 s; when it stays off, nothing measured here can be trusted and
 * measure_refusal() says so, with the figures. When to stop depends on A/A only, never
 * on a ratio that is reported.
 *
 * Blocks are timed by the CPU time of the worker, so that preemption does not
 * count; with more than one thread by the wall clock, since waiting for a lock
 * is what they are asked about, and without the blocks in which a thread lost its
 * CPU to another program. They last about 0.25 ms (what lasts a tick is
 * preempted too often), or one operation when that takes longer.
 *
 * The interval covers what varies from block to block and among the workers, of which
 * it knows three. It cannot cover what varies from run to run (the host of a virtual machine) or
 * from boot to boot: allow some per cent between two runs.
 */
#ifndef PROBES_MEASURE_H
#define PROBES_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

#include "report.h"

struct workload {
	const char *name; /* of the processes, too */
	/*
	 * In each worker, once, before anything is timed: NULL, or why this cannot
	 * be measured (a string that stays valid).
	 */
	const char *(*prepare)(void *ctx);
	/*
	 * In a worker: do this many operations; NULL, or what went wrong. With
	 * threads, each thread calls it with its own index, 0 to threads - 1.
	 */
	const char *(*run)(void *ctx, unsigned int thread, unsigned long operations);
	void *ctx;
	unsigned int threads; /* 0 means 1 */
};

struct measure_plan {
	double seconds;	     /* about how long measure_run() may time blocks */
	unsigned int rounds; /* at least so many, however long they take; 0: 15 */
	/* A worker hangs when it is silent for so long beyond what is expected; 0: 10000. */
	unsigned int patience_ms;
};

struct estimate {
	double ns;	/* per operation (and thread): the other workload's times the ratio to it */
	double ratio;	/* to the other workload */
	double ci95[2]; /* of the ratio */
	unsigned int rounds;
};

struct measure;

/* The baseline is workload 0, its A/A twin workload 1. */
struct measure *measure_new(const struct measure_plan *plan, const struct workload *baseline);

/*
 * Start the workers of a workload and wait until prepare() is done; returns the
 * workload's number. What the caller sets before (a sysctl that counts when a filter
 * is loaded) and resets afterwards holds for these workers alone. A workload that
 * cannot be had has a number, too; measure_error() says why.
 */
int measure_add(struct measure *measure, const struct workload *workload);

/* Time all workloads that work. One whose worker hangs or dies has an error. */
void measure_run(struct measure *measure);

/* NULL, or why this workload has no figures: prepare()'s or run()'s words, a signal. */
const char *measure_error(const struct measure *measure, int workload);

/*
 * NULL, or why the figures of this workload cannot be trusted: "other programs took its
 * CPUs in 57 of 60 blocks".
 */
const char *measure_doubt(const struct measure *measure, int workload);

/* NULL, or why none of the figures can be trusted: "A/A is 1.034, ...". */
const char *measure_refusal(const struct measure *measure);

/* The ratio of the twin to the baseline; NaN before measure_run(). */
double measure_aa(const struct measure *measure);

/*
 * What a workload costs, and as a ratio to another one. False, and all NaN, when
 * either has an error or is in doubt, or the run is refused.
 */
bool measure_estimate(const struct measure *measure, int workload, int baseline,
		      struct estimate *estimate);

/* NULL, or why measure_estimate() has nothing to say about these two. */
const char *measure_why_none(const struct measure *measure, int workload, int baseline);

/* Ends all workers. */
void measure_free(struct measure *measure);

/*
 * Add a result with the figures of a workload, as a ratio to another (-1: without one):
 * ok; or, with its measure_error(), on_error. It is unknown, and withheld, when the
 * whole run is refused, when too many blocks were disturbed, and when the ends of the
 * interval are further apart than half of it.
 */
struct result *measure_report(const struct measure *measure, int workload, int baseline,
			      struct report *report, const char *group, const char *name,
			      enum verdict on_error);

#endif

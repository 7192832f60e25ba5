/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process that does operations of one workload when told to, and says how long
 * they took.
 *
 * Once prepare() is done the worker's loop makes these system calls only: read and
 * write (of pipes), clock_gettime, and with more than one thread getrusage, futex and
 * sched_yield, besides those that start the threads and pin them. A filter that
 * prepare() loads must allow them.
 */
#ifndef PROBES_WORKER_H
#define PROBES_WORKER_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "measure.h"

struct worker;

struct block {
	double ns;	/* from the first thread's start to the last one's end */
	bool disturbed; /* one of several threads lost its CPU meanwhile */
};

/*
 * Fork a worker and wait for its prepare(), patience_ms at most. One thread runs on
 * the last CPU and is timed by cpu_clock; more than one have a CPU each, as far as
 * there are so many, and are timed by CLOCK_MONOTONIC.
 */
struct worker *worker_start(const struct workload *workload, clockid_t cpu_clock,
			    unsigned int patience_ms);

/*
 * Do a block of operations. False when the worker has failed, or says nothing for
 * patience_ms. It has then been ended.
 */
bool worker_block(struct worker *worker, unsigned long operations, unsigned int patience_ms,
		  struct block *block);

/* NULL, or why the worker failed. */
const char *worker_error(const struct worker *worker);

/* End it for this reason. */
void worker_fail(struct worker *worker, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* How often it was preempted (all threads), from /proc; -1 when that cannot be read. */
long worker_preempted(const struct worker *worker);

/* End it and forget it. */
void worker_free(struct worker *worker);

#endif

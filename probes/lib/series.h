/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One workload of a measurement: its workers, how many operations make a block, and
 * what came of the blocks.
 *
 * Several workers, since processes that do the same do not cost the same: what pages
 * they got makes some of them several per cent cheaper or dearer, for as long as
 * they live. Each round takes one of them by lot.
 */
#ifndef PROBES_SERIES_H
#define PROBES_SERIES_H

#include <stdbool.h>
#include <time.h>

#include "measure.h"

#define SERIES_WORKERS 3

struct worker;

/* What came of the block of one round. */
struct turn {
	double ns;	      /* per operation; NaN if disturbed */
	unsigned char worker; /* which of them did it */
};

struct series {
	struct worker *workers[SERIES_WORKERS];
	unsigned int patience_ms;
	unsigned long operations; /* in a block */
	double block_ns;	  /* what a block is expected to take; 0: not known yet */
	struct turn *turns;	  /* in every round */
	char doubt[100];	  /* why the figures cannot be trusted, or "" */
};

/*
 * The clock of a thread's CPU time, unless its steps are too coarse for a block, as
 * where CPU time is counted in ticks: then the wall clock.
 */
clockid_t series_clock(void);

void series_start(struct series *series, const struct workload *workload, clockid_t cpu_clock,
		  unsigned int patience_ms);

/* Find out how many operations make a block, and warm all workers up. */
void series_calibrate(struct series *series);

/* A block of this worker: nanoseconds per operation; NaN when disturbed, or failed. */
double series_block(struct series *series, unsigned int worker);

/* NULL, or why one of the workers failed. */
const char *series_error(const struct series *series);

/* How often the workers were preempted so far; -1 when that cannot be read. */
long series_preempted(const struct series *series);

void series_end(struct series *series);

#endif

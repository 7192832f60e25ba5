/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A cell is one filter in one worker process. The worker loads it and then proves
 * that it is in force, since a filter that did not load looks like one that costs
 * nothing: the kernel must count it, and a child of the worker that makes a denied
 * system call must die of SIGSYS.
 */
#ifndef SECCOMP_OVERHEAD_CELL_H
#define SECCOMP_OVERHEAD_CELL_H

#include "shapes.h"
#include "verdict.h"

/* In memory that the workers share with the probe. */
struct cell {
	char name[40];
	const char *group; /* of its result */
	const struct shape *shape;
	const struct built *built;
	unsigned int flags; /* of seccomp(2) */
	int worker;	    /* its number in the measuring core */
	/* What the worker found: ok once the filter is proven, else why it is not. */
	enum verdict verdict;
	char why[160];
	int ssbd; /* ssbd_state() under the filter */
};

/* Workload: load the filter of the cell ctx, and prove it. */
const char *cell_prepare(void *ctx);

/* Workload: MEASURED_SYSCALL. */
const char *syscall_loop(void *ctx, unsigned int thread, unsigned long operations);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The worker's side of jobs.h.
 */
#ifndef AUDIT_JOBS_WORKER_H
#define AUDIT_JOBS_WORKER_H

#include <stdatomic.h>

#include "jobs.h"

/* What comes through the pipe before a result. */
struct header {
	size_t index, size;
};

/* Where workers and caller look: mapped before the first fork(). */
struct shared {
	atomic_size_t next;
	atomic_size_t taken[]; /* by worker: the input that it is at; count: none */
};

/* Work until there is nothing left, and end the process. Results go to the pipe. */
_Noreturn void be_worker(const struct jobs *jobs, struct shared *shared, size_t number,
			 int results);

#endif

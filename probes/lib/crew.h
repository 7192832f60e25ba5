/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inside of a worker: the threads that do its operations.
 */
#ifndef PROBES_CREW_H
#define PROBES_CREW_H

#include <time.h>

#include "measure.h"
#include "worker.h"

struct crew;

/* Start the threads; NULL with errno when they cannot be had. */
struct crew *crew_new(const struct workload *workload, clockid_t cpu_clock);

/* Let all threads do so many operations: NULL, or what went wrong in one of them. */
const char *crew_work(struct crew *crew, unsigned long operations, struct block *block);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inside of a worker: the threads that do its operations.
 */
#ifndef PROBES_CREW_H
#define PROBES_CREW_H

#include <stdint.h>
#include <time.h>

#include "measure.h"

struct crew;

/* Start the threads; NULL with errno when they cannot be had. */
struct crew *crew_new(const struct workload *workload, clockid_t cpu_clock);

/*
 * Let all threads do so many operations: NULL and the nanoseconds, or what went
 * wrong in one of them.
 */
const char *crew_work(struct crew *crew, unsigned long operations, uint64_t *ns);

#endif

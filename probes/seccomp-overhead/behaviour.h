/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SECCOMP_OVERHEAD_BEHAVIOUR_H
#define SECCOMP_OVERHEAD_BEHAVIOUR_H

#include <stdbool.h>

#include "bench.h"
#include "report.h"

/*
 * Results that say whether the kernel does what it promises: filters are in force, the
 * action cache makes their length irrelevant, the JIT has the effect it is there for.
 */
void behaviour_report(const struct bench *bench, struct report *report);

/* What constant blinding costs, or why that was not measured. */
void harden_report(const struct bench *bench, struct report *report);

/*
 * What the share of the programs' cost says that shows where the cache should answer:
 * ok, fail, or unknown in between.
 */
enum verdict behaviour_is_cached(double share);

/* Whether a ratio is above 1: ok, fail, or unknown when the interval leaves it open. */
enum verdict behaviour_is_above_one(const struct estimate *estimate);

/* Linux 5.11: answers of filters are cached. */
bool kernel_caches_actions(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The groups of results.
 */
#ifndef SANDBOX_BASELINE_GROUPS_H
#define SANDBOX_BASELINE_GROUPS_H

#include <stdbool.h>

#include "check.h"
#include "report.h"

/*
 * Group "current": every check in the sandbox that this process is in; fills in a
 * verdict for each.
 */
void report_current(struct report *report, enum verdict verdicts[CHECKS]);

/*
 * Group "built": for each sandbox that the probe builds, a result for each check that
 * may notice it ("futex-eperm-rwlock-wake"), and one for all others, which have to pass
 * ("futex-eperm-others"). A check which is not ok in the current sandbox is left out.
 */
void report_built(struct report *report, const enum verdict current[CHECKS], bool quick);

/* Group "inside": what an inner run finds in its current sandbox when command runs it. */
void report_inside(struct report *report, char **command);

/*
 * The first word of such an inner run: a word reaches it through commands that give it
 * another environment.
 */
#define INNER_CURRENT "--current"
/* The first word, before the name of a call, of a run that makes this call and ends. */
#define INNER_TRY "--try"

#endif

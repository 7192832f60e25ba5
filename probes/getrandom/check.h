/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the checks of this probe share, and the groups they come in.
 */
#ifndef GETRANDOM_CHECK_H
#define GETRANDOM_CHECK_H

#include <stdbool.h>

#include "report.h"
#include "source.h"

/* From 5.6; older headers lack it. */
#ifndef GRND_INSECURE
#define GRND_INSECURE 0x0004
#endif

#define CHECK_TIMEOUT_MS 10000

/* "EINVAL" */
const char *errno_name(int error);

/*
 * In a child, run(arg): it returns a verdict and says why with child_note(). When it
 * dies or exits instead, that is a failure. The result is the report's.
 */
struct result *check_in_child(struct report *report, const char *group, const char *name,
			      int (*run)(void *arg), void *arg);

/*
 * Before anything else that might use up or await the RNG's readiness: what the
 * calls do before the RNG is ready. Then waits for it. False when it does not get
 * ready, so that all else would hang.
 */
bool check_readiness(struct report *report, const struct source *vdso);

/* What getrandom(2) promises: flags, addresses, lengths. */
void check_contract(struct report *report);

/* Each way gives bytes that are not all alike, and none twice, across fork() neither. */
void check_bytes(struct report *report, const struct source sources[SOURCES]);

/* The vDSO is what serves the bytes, and how it treats its state. */
void check_vdso(struct report *report, const struct source *source);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sandboxes that the probe builds, each to refuse one thing, and which checks
 * have to notice.
 */
#ifndef SANDBOX_BASELINE_SANDBOX_H
#define SANDBOX_BASELINE_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sandbox {
	const char *name;
	/* In the child, for good: 0, or NOT_ENTERED or NO_SANDBOX with a note. */
	int (*enter)(const struct sandbox *sandbox);
	unsigned int calls; /* seccomp: BIT(enum call) */
	uint32_t action;    /* seccomp: SCMP_ACT_... for these calls */
	int resource;	    /* rlimit: RLIMIT_... */
	int error;	    /* what refused calls fail with; 0 when they do not return an error */
	unsigned int must;  /* BIT(enum check_id): checks that have to notice */
	unsigned int may;   /* whether these do depends on the C library, or on who is faster */
	bool quick;	    /* built with --quick, too */
};

extern const struct sandbox sandboxes[];
extern const size_t sandbox_count;

/* In a check: the sandbox begins here. Ends the child if it cannot be built. NULL: nothing. */
void sandbox_enter(const struct sandbox *sandbox);

#endif

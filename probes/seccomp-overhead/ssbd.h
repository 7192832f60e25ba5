/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Speculative Store Bypass Disable. Before Linux 5.16 a seccomp filter turned it on
 * for good, unless it was loaded with SECCOMP_FILTER_FLAG_SPEC_ALLOW, and what users
 * took for the cost of seccomp was the cost of that (opencontainers/runc#2430). It
 * shows in loops that load and store, not in system calls.
 */
#ifndef SECCOMP_OVERHEAD_SSBD_H
#define SECCOMP_OVERHEAD_SSBD_H

#include <stddef.h>

/* PR_GET_SPECULATION_CTRL of this process: a set of PR_SPEC_..., or a negative errno. */
int ssbd_state(void);

/* In the words of Speculation_Store_Bypass in /proc/self/status. */
const char *ssbd_words(int state, char *text, size_t size);

/* Turn it on for this process: 0 or a negative errno. */
int ssbd_turn_on(void);

/* Workload: stores at addresses that are known late, and loads that need not wait for them. */
const char *ssbd_loop(void *ctx, unsigned int thread, unsigned long operations);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Seccomp filters, built with libseccomp. Loading needs no privilege: no_new_privs
 * is set first. All return 0 or a negative errno.
 */
#ifndef PROBES_FILTER_H
#define PROBES_FILTER_H

#include <linux/filter.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>

struct filter_rule {
	int syscall;	 /* __NR_... of this architecture */
	uint32_t action; /* SCMP_ACT_ERRNO(0..4095), SCMP_ACT_TRAP, SCMP_ACT_KILL_PROCESS, ... */
};

/* Allow everything but these, in all threads of the process (TSYNC). */
int filter_deny(const struct filter_rule *rules, size_t count);

/* A libseccomp context as the kernel gets it; program->filter is the caller's to free(). */
int filter_export(scmp_filter_ctx context, struct sock_fprog *program);

/* seccomp(SECCOMP_SET_MODE_FILTER, flags, program) after PR_SET_NO_NEW_PRIVS. */
int filter_load(const struct sock_fprog *program, unsigned int flags);

/*
 * How many filters this process has: Seccomp_filters of /proc/self/status (5.9); on
 * an older kernel 1 if it has any. -1 when it cannot be read.
 */
int filter_count(void);

#endif

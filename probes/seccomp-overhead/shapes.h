/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The filters that are measured: deny lists of several lengths, built with
 * libseccomp, as a linear scan or as a binary tree.
 *
 * Since 5.11 the kernel finds out, when a filter is loaded, for which system call
 * numbers it allows the call whatever the arguments are, and answers those from a
 * bitmap without running the program. A plain deny list never runs then. The "-run"
 * shapes start with one instruction that loads an argument: at that the kernel's
 * emulator (seccomp_is_const_allow() in kernel/seccomp.c) gives up, so that the
 * program runs for every call. Jumps are relative, so that the rest stays as it was.
 */
#ifndef SECCOMP_OVERHEAD_SHAPES_H
#define SECCOMP_OVERHEAD_SHAPES_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>

/* The call that is measured, and the one that every shape kills and that does no harm if not. */
#define MEASURED_SYSCALL SYS_gettid
#define DENIED_SYSCALL	 SYS_fsync

enum {
	TWIN_JIT = 1,	 /* also loaded with the JIT switched the other way */
	TWIN_HARDEN = 2, /* also loaded with constant blinding */
};

struct shape {
	const char *name;
	unsigned int rules;
	bool tree;	     /* SCMP_FLTATR_CTL_OPTIMIZE 2 */
	bool run;	     /* the program runs for every call */
	unsigned int copies; /* how often the filter is loaded, on top of itself */
	unsigned int twins;
	bool quick; /* in a quick run, too */
};

extern const struct shape shapes[];
extern const size_t shape_count;

struct built {
	struct sock_fprog program; /* its filter is the caller's to free() */
	int error;		   /* 0, or a negative errno of libseccomp's */
};

struct built shape_build(const struct shape *shape);

#endif

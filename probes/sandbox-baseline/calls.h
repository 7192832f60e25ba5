/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * System calls, each with a harmless way to make it. A process that a seccomp filter
 * kills does not tell what it died of, nor does a C library that aborts since a
 * call failed. Whatever the filter, making each call alone, in a child of its own,
 * shows which one is refused, and needs no privilege.
 */
#ifndef SANDBOX_BASELINE_CALLS_H
#define SANDBOX_BASELINE_CALLS_H

#include <stdbool.h>
#include <stddef.h>

enum call {
	CALL_FUTEX,
	CALL_GETRANDOM,
	CALL_MADVISE,
	CALL_MMAP,
	CALL_MUNMAP,
	CALL_MPROTECT,
	CALL_MREMAP,
	CALL_BRK,
	CALL_CLONE,
	CALL_CLONE3,
	CALL_SET_ROBUST_LIST,
	CALL_RT_SIGPROCMASK,
	CALL_EXIT,
	CALL_OPENAT,
	CALL_NEWFSTATAT,
	CALL_READ,
	CALL_WRITE,
	CALL_FCNTL,
	CALL_WAIT4,
	CALL_SCHED_YIELD,
	CALLS
};

int call_number(enum call call);
const char *call_name(enum call call);

/* Make it, in this process: 0 if it is not refused, fit for an exit status. */
int call_try(enum call call);

/*
 * Try it in a child. If it is refused: true, and how, "futex refused: EPERM", "futex
 * refused: kill", "madvise not executed, reports success".
 */
bool call_refused(enum call call, char *text, size_t size);

#endif

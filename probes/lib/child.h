/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Run a check in a child process, so that a check which is killed, hangs or
 * changes its process for good takes nothing else with it.
 *
 * The child leads a process group and dies with its parent; when it is done, or
 * overdue, whatever is left of its group is killed and reaped. A SIGSYS from
 * seccomp (SECCOMP_RET_TRAP) is caught in the child and tells the system call's
 * number; from SECCOMP_RET_KILL_* only the signal is seen.
 */
#ifndef PROBES_CHILD_H
#define PROBES_CHILD_H

#include <stddef.h>
#include <sys/types.h>

enum child_end {
	CHILD_EXITED,	   /* value: what body() returned, 0 to 255 */
	CHILD_SIGNALED,	   /* value: the signal */
	CHILD_TRAPPED,	   /* value: number of the system call that seccomp trapped */
	CHILD_TIMED_OUT,   /* value: the milliseconds it had */
	CHILD_NOT_STARTED, /* value: errno of fork() or mmap() */
};

struct child {
	enum child_end end;
	int value;
	const char *stage; /* the last child_stage(), or "" */
	int error;	   /* the last child_error(), or 0 */
	char note[160];	   /* the last child_note(), or "" */
};

/*
 * Run body(arg) in a child for at most timeout_ms. stdio is flushed before the
 * fork. body() may call exit_group itself.
 */
void child_run(struct child *child, int (*body)(void *arg), void *arg, unsigned int timeout_ms);

/* In the child: what it is about to do, a string literal. Survives any death. */
void child_stage(const char *stage);
/* In the child: an errno worth telling. */
void child_error(int error);
/* In the child: words for the report. */
void child_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * The end in words: "exit status 3", "killed by SIGSEGV at: fork", "seccomp
 * trapped futex at: wait", "no answer in 2000 ms at: lock". Returns text.
 */
const char *child_describe(const struct child *child, char *text, size_t size);

/*
 * What child_run() and measure_add() fork with: flushes stdio, and in the child
 * sets all signals to their default, unblocks them, turns core dumps off and
 * asks to die with the parent. Returns as fork() does. (A change of user or group
 * makes the kernel forget that wish: say prctl(PR_SET_PDEATHSIG) again.)
 */
pid_t child_fork(void);

/* CHILD_EXITED or CHILD_SIGNALED and its value, from what waitpid() told. */
void child_ended(struct child *child, int status);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A second thread that waits for a lock, and is seen to do so. Without contention
 * no lock makes a system call, and a sandbox that refuses futex(2) goes unnoticed.
 *
 * The threads talk through an atomic variable and sched_yield(2), since anything better
 * would use the very thing in question. The waiter never ends by itself: the end of a
 * thread has needs of its own.
 */
#ifndef SANDBOX_BASELINE_WAITER_H
#define SANDBOX_BASELINE_WAITER_H

#include <stdatomic.h>

enum waiter_seen {
	WAITER_ASLEEP,
	WAITER_SPINS,  /* uses processor time and does not sleep, as musl does without futex(2) */
	WAITER_GONE,   /* SECCOMP_RET_KILL_THREAD ends a thread without a trace */
	WAITER_UNSEEN, /* /proc cannot be read */
};

struct waiter {
	const char *stage;	  /* child_stage() of the waiting */
	void (*wait)(void *lock); /* takes the lock and gives it back */
	void *lock;
	atomic_int phase;
	int stat; /* /proc/thread-self/stat, or -1 */
};

/* Start the thread, and see that it runs: 0 or an errno. */
int waiter_start(struct waiter *waiter);

/* Let it wait for the lock that the caller holds, and see it sleep. */
enum waiter_seen waiter_meet(struct waiter *waiter);

/* Return when the waiter had the lock; hangs when it does not get it. */
void waiter_finish(struct waiter *waiter);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Locks and once-only initialisation, with nobody else about and under contention, and
 * what both rest upon, futex(2).
 *
 * Contention has two sides, and a sandbox may begin between them: the one who waits
 * has to sleep ("contended"), the one who lets go has to wake him ("wake": the waiter
 * is asleep already when the sandbox begins).
 */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "waiter.h"

struct contention {
	const struct sandbox *sandbox;
	bool late; /* the sandbox begins when the waiter is asleep */
	struct waiter waiter;
	enum waiter_seen seen;
};

/* What pthread_once() is called for; it passes no argument. */
static struct contention *initializer;

/* While the lock is held. */
static void meet(struct contention *contention)
{
	if (!contention->late)
		sandbox_enter(contention->sandbox);
	contention->seen = waiter_meet(&contention->waiter);
	if (contention->late)
		sandbox_enter(contention->sandbox);
	if (contention->seen != WAITER_GONE)
		child_stage("wake the waiter");
}

static int start(struct contention *contention)
{
	child_stage(SETUP "start the waiter");
	errno = waiter_start(&contention->waiter);
	if (errno)
		return check_refused("pthread_create", UNPROVEN);
	check_mute();
	return 0;
}

/* When the lock has been released. */
static int conclude(struct contention *contention)
{
	if (contention->seen == WAITER_GONE) {
		child_note("the waiting thread was killed");
		return FAILED;
	}
	waiter_finish(&contention->waiter);
	if (contention->seen == WAITER_SPINS) {
		child_stage(contention->waiter.stage);
		child_note("the waiter spins instead of sleeping");
		return DEGRADED;
	}
	if (contention->seen == WAITER_UNSEEN) {
		child_stage(SETUP "see the waiter asleep");
		child_note("it works, but no /proc shows whether there was contention");
		return UNPROVEN;
	}
	return PASSED;
}

static void read_lock(void *lock)
{
	pthread_rwlock_rdlock(lock);
	pthread_rwlock_unlock(lock);
}

static int contend_rwlock(const struct sandbox *sandbox, bool late)
{
	pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
	struct contention contention = {
		.sandbox = sandbox,
		.late = late,
		.waiter = {.stage = "wait for the writer", .wait = read_lock, .lock = &lock},
	};
	int failure = start(&contention);

	if (failure)
		return failure;
	pthread_rwlock_wrlock(&lock);
	meet(&contention);
	pthread_rwlock_unlock(&lock);
	return conclude(&contention);
}

int check_rwlock_contended(const struct sandbox *sandbox)
{
	return contend_rwlock(sandbox, false);
}

int check_rwlock_wake(const struct sandbox *sandbox)
{
	return contend_rwlock(sandbox, true);
}

static void initialize(void)
{
	meet(initializer);
}

static void await_initializer(void *lock)
{
	pthread_once(lock, abort);
}

static int contend_once(const struct sandbox *sandbox, bool late)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct contention contention = {
		.sandbox = sandbox,
		.late = late,
		.waiter = {.stage = "wait for the initializer",
			   .wait = await_initializer,
			   .lock = &once},
	};
	int failure = start(&contention);

	if (failure)
		return failure;
	initializer = &contention;
	pthread_once(&once, initialize);
	return conclude(&contention);
}

int check_once_contended(const struct sandbox *sandbox)
{
	return contend_once(sandbox, false);
}

int check_once_wake(const struct sandbox *sandbox)
{
	return contend_once(sandbox, true);
}

int check_rwlock(const struct sandbox *sandbox)
{
	pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

	sandbox_enter(sandbox);
	child_stage("lock and unlock");
	errno = pthread_rwlock_rdlock(&lock);
	if (!errno)
		errno = pthread_rwlock_unlock(&lock);
	if (!errno)
		errno = pthread_rwlock_wrlock(&lock);
	if (!errno)
		errno = pthread_rwlock_unlock(&lock);
	return errno ? check_refused("pthread_rwlock", FAILED) : PASSED;
}

static void do_nothing(void)
{
}

int check_once(const struct sandbox *sandbox)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	check_mute();
	sandbox_enter(sandbox);
	child_stage("pthread_once");
	errno = pthread_once(&once, do_nothing);
	return errno ? check_refused("pthread_once", FAILED) : PASSED;
}

static int not_executed(void)
{
	child_note("futex returns 0, as if it had waited");
	return FAILED;
}

/* The three answers that locks rely on. */
int check_futex(const struct sandbox *sandbox)
{
	const struct timespec timeout = {.tv_nsec = 1000};
	int word = 0;

	sandbox_enter(sandbox);
	child_stage("FUTEX_WAKE with nobody waiting");
	if (syscall(__NR_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL) < 0)
		return check_refused("futex", FAILED);
	child_stage("FUTEX_WAIT for a value that has changed");
	if (syscall(__NR_futex, &word, FUTEX_WAIT_PRIVATE, 1, NULL) != -1)
		return not_executed();
	if (errno != EAGAIN)
		return check_refused("futex", FAILED);
	child_stage("FUTEX_WAIT with a timeout");
	if (syscall(__NR_futex, &word, FUTEX_WAIT_PRIVATE, 0, &timeout) != -1)
		return not_executed();
	if (errno != ETIMEDOUT)
		return check_refused("futex", FAILED);
	return PASSED;
}

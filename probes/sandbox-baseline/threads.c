/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads: those that one asks for, and that there are no others.
 */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "system.h"

/* Not at once: whoever joins must have to wait, or it needs no futex(2). */
static void *end_later(void *arg)
{
	const struct timespec nap = {.tv_nsec = 20000000};

	nanosleep(&nap, NULL);
	return arg;
}

int check_thread(const struct sandbox *sandbox)
{
	pthread_t thread;

	check_mute();
	sandbox_enter(sandbox);
	child_stage("start a thread");
	errno = pthread_create(&thread, NULL, end_later, NULL);
	if (errno)
		return check_refused("pthread_create", FAILED);
	child_stage("join a thread");
	errno = pthread_join(thread, NULL);
	return errno ? check_refused("pthread_join", FAILED) : PASSED;
}

/* Threads of this process, or -1 with errno. */
static long thread_count(void)
{
	return proc_number("self/status", "Threads");
}

static void *stay(void *arg)
{
	for (;;)
		pause();
	return arg;
}

static void nothing(void)
{
}

/* What a library might start a helper thread for. */
static void use_everything(void)
{
	pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	char *volatile block;
	char bytes[32];

	child_stage(SETUP "use memory");
	block = malloc(1 << 20);
	free(block);
	child_stage(SETUP "use locks");
	pthread_rwlock_wrlock(&lock);
	pthread_rwlock_unlock(&lock);
	pthread_once(&once, nothing);
	child_stage(SETUP "use entropy");
	(void)!getentropy(bytes, sizeof(bytes));
	child_stage(SETUP "use strerror and getauxval");
	(void)strerror(ENOENT);
	(void)getauxval(AT_HWCAP);
}

/* One thread is started on purpose: a count that does not see it proves nothing. */
int check_no_hidden_threads(const struct sandbox *sandbox)
{
	long before, with_one, after;
	pthread_t thread;

	sandbox_enter(sandbox);
	check_mute();
	child_stage(SETUP "count threads");
	before = thread_count();
	if (before < 0)
		return check_refused("/proc/self/status", UNPROVEN);
	child_stage(SETUP "start a thread to be counted");
	errno = pthread_create(&thread, NULL, stay, NULL);
	if (errno)
		return check_refused("pthread_create", UNPROVEN);
	with_one = thread_count();
	use_everything();
	child_stage("count threads");
	after = thread_count();
	if (with_one != before + 1) {
		child_note("started 1 thread, but the count goes from %ld to %ld", before,
			   with_one);
		return UNPROVEN;
	}
	if (after != with_one) {
		child_note("%ld threads that nobody asked for", after - with_one);
		return FAILED;
	}
	return PASSED;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is a thread asleep? Field 3 of /proc/PID/task/TID/stat is the state, fields 14 and 15
 * the processor time in ticks (proc(5)).
 */
#include "waiter.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "system.h"

#define SPINNING_TICKS 3
#define UNSEEN_NS      20000000

enum phase { STARTING, READY, GO, DONE };

struct look {
	char state; /* 'S' for asleep */
	unsigned long ticks;
};

static void await(struct waiter *waiter, enum phase phase)
{
	while (atomic_load(&waiter->phase) != (int)phase)
		sched_yield();
}

static void *waiter_main(void *arg)
{
	struct waiter *waiter = arg;

	waiter->stat = proc_open("thread-self/stat", O_RDONLY);
	atomic_store(&waiter->phase, READY);
	await(waiter, GO);
	child_stage(waiter->stage);
	waiter->wait(waiter->lock);
	atomic_store(&waiter->phase, DONE);
	for (;;)
		sched_yield();
	return NULL;
}

int waiter_start(struct waiter *waiter)
{
	pthread_t thread;
	int error;

	atomic_init(&waiter->phase, STARTING);
	error = pthread_create(&thread, NULL, waiter_main, waiter);
	if (!error)
		await(waiter, READY);
	return error;
}

/* The number that follows so many spaces. */
static unsigned long number_after(const char *text, int spaces)
{
	while (*text && spaces)
		spaces -= *text++ == ' ';
	return strtoul(text, NULL, 10);
}

/* False when there is no such thread any more. The name may have spaces, and ')'. */
static bool look_at(const struct waiter *waiter, struct look *look)
{
	char text[512];
	ssize_t length;
	char *state;

	length = pread(waiter->stat, text, sizeof(text) - 1, 0);
	if (length <= 0)
		return false;
	text[length] = '\0';
	state = strrchr(text, ')');
	if (!state || strlen(state) < 3)
		return false;
	state += 2;
	look->state = *state;
	look->ticks = number_after(state, 14 - 3) + number_after(state, 15 - 3);
	return look->state != 'X' && look->state != 'Z';
}

enum waiter_seen waiter_meet(struct waiter *waiter)
{
	const struct timespec nap = {.tv_nsec = UNSEEN_NS};
	struct look first, look;

	if (waiter->stat < 0 || !look_at(waiter, &first)) {
		atomic_store(&waiter->phase, GO);
		nanosleep(&nap, NULL);
		return WAITER_UNSEEN;
	}
	atomic_store(&waiter->phase, GO);
	for (;;) {
		if (!look_at(waiter, &look))
			return WAITER_GONE;
		if (look.state == 'S')
			return WAITER_ASLEEP;
		if (look.ticks - first.ticks >= SPINNING_TICKS)
			return WAITER_SPINS;
		sched_yield();
	}
}

void waiter_finish(struct waiter *waiter)
{
	await(waiter, DONE);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Each thread has a CPU of its own, as far as there are so many: the scheduler likes to
 * wake threads on the CPU of the one that wakes them, and to leave them there for
 * longer than a block takes. The main thread is number 0. The others sleep at a barrier between
 * blocks; once woken, all wait for the last one, yielding, before any looks at the clock: to wake
 * a thread can take as long as a good part of the block.
 */
#include "crew.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "system.h"

struct hand {
	struct crew *crew;
	unsigned int index;
	double begin, end; /* nanoseconds */
	bool disturbed;
	const char *error;
};

struct crew {
	const struct workload *workload;
	clockid_t clock;
	unsigned int threads;
	unsigned long operations;
	pthread_barrier_t begin, end;
	atomic_uint awake;
	struct hand hands[];
};

static double now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

/* How often this thread lost its CPU so far, where that counts: one alone is timed by CPU time. */
static long preempted(const struct crew *crew)
{
	struct rusage usage = {0};

	if (crew->threads > 1)
		getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nivcsw;
}

static void hand_work(struct hand *hand)
{
	const struct crew *crew = hand->crew;
	const struct workload *workload = crew->workload;
	long before = preempted(crew);

	hand->begin = now_ns(crew->clock);
	hand->error = workload->run(workload->ctx, hand->index, crew->operations);
	hand->end = now_ns(crew->clock);
	hand->disturbed = preempted(crew) != before;
}

static void hand_work_together(struct hand *hand)
{
	struct crew *crew = hand->crew;

	pthread_barrier_wait(&crew->begin);
	atomic_fetch_add(&crew->awake, 1);
	while (atomic_load(&crew->awake) < crew->threads)
		sched_yield();
	hand_work(hand);
	pthread_barrier_wait(&crew->end);
}

static void *hand_main(void *arg)
{
	const struct hand *hand = arg;

	system_pin(hand->index);
	for (;;)
		hand_work_together(arg);
	return NULL;
}

static int start_threads(struct crew *crew)
{
	pthread_t thread;
	int error = 0;

	pthread_barrier_init(&crew->begin, NULL, crew->threads);
	pthread_barrier_init(&crew->end, NULL, crew->threads);
	for (unsigned int i = 1; i < crew->threads && !error; i++)
		error = pthread_create(&thread, NULL, hand_main, &crew->hands[i]);
	/* Last, since a new thread is allowed what its maker is. */
	if (crew->threads > 1)
		system_pin(0);
	return error;
}

struct crew *crew_new(const struct workload *workload, clockid_t cpu_clock)
{
	unsigned int threads = workload->threads ? workload->threads : 1;
	struct crew *crew = calloc(1, sizeof(*crew) + threads * sizeof(crew->hands[0]));

	if (!crew)
		return NULL;
	crew->workload = workload;
	crew->threads = threads;
	crew->clock = threads > 1 ? CLOCK_MONOTONIC : cpu_clock;
	for (unsigned int i = 0; i < threads; i++) {
		crew->hands[i].crew = crew;
		crew->hands[i].index = i;
	}
	errno = start_threads(crew);
	return errno ? NULL : crew; /* the process ends without threads that did start */
}

const char *crew_work(struct crew *crew, unsigned long operations, struct block *block)
{
	double begin = INFINITY, end = 0;
	const char *error = NULL;

	*block = (struct block){0};
	crew->operations = operations;
	atomic_store(&crew->awake, 0);
	if (crew->threads > 1)
		hand_work_together(&crew->hands[0]);
	else
		hand_work(&crew->hands[0]);
	for (unsigned int i = 0; i < crew->threads; i++) {
		const struct hand *hand = &crew->hands[i];

		begin = fmin(begin, hand->begin);
		end = fmax(end, hand->end);
		block->disturbed |= hand->disturbed;
		if (hand->error)
			error = hand->error;
	}
	block->ns = end - begin;
	return error;
}

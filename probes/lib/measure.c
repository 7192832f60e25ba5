/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rounds of blocks. For the method see measure.h. What speaks for
 * it, as measured with getpid-like system calls in a virtual machine: over 1 s the
 * median of paired ratios gives an A/A that is off by 0.1 % at worst, means of
 * interleaved blocks 5 %, and means of one workload after the other 15 %. With a
 * load of 6 on 2 CPUs, 42 workloads, and 2 s, A/A is off by up to 0.9 % with blocks
 * of 1 ms, and 0.4 % with a tenth to a quarter of that. What a block costs beyond
 * its operations (cold caches) is 0.7 us, and the same for all.
 */
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "measurement.h"
#include "text.h"

#define AA_PATIENCE	    3	 /* times the planned seconds, before giving up on A/A */
#define AA_PATIENCE_SECONDS 3	 /* or so many */
#define ROUNDS_MAX	    1000 /* of the plan; more would tell nothing new */
#define ROUNDS_DEFAULT	    15
#define PATIENCE_DEFAULT_MS 10000
#define ORDER_SEED	    4

static double now_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

struct measure *measure_new(const struct measure_plan *plan, const struct workload *baseline)
{
	struct measure *measure = text_memory(calloc(1, sizeof(*measure)));

	measure->plan = *plan;
	if (!measure->plan.rounds)
		measure->plan.rounds = ROUNDS_DEFAULT;
	if (measure->plan.rounds > ROUNDS_MAX)
		measure->plan.rounds = ROUNDS_MAX;
	if (!measure->plan.patience_ms)
		measure->plan.patience_ms = PATIENCE_DEFAULT_MS;
	measure->cpu_clock = series_clock();
	rng_seed(&measure->rng, ORDER_SEED);
	snprintf(measure->refusal, sizeof(measure->refusal), "nothing has been timed");
	measure_add(measure, baseline);
	measure_add(measure, baseline);
	return measure;
}

int measure_add(struct measure *measure, const struct workload *workload)
{
	struct series *series;

	series = reallocarray(measure->series, measure->count + 1, sizeof(*series));
	measure->series = text_memory(series);
	series_start(series + measure->count, workload, measure->cpu_clock,
		     measure->plan.patience_ms);
	return measure->count++;
}

static void calibrate_all(struct measure *measure)
{
	for (unsigned int i = 0; i < measure->count; i++)
		series_calibrate(&measure->series[i]);
	measure->series[TWIN].operations = measure->series[BASELINE].operations;
}

/* Room for one round more. */
static void make_room(struct measure *measure)
{
	if (measure->rounds < measure->room)
		return;
	measure->room = 2 * measure->room + ROUNDS_DEFAULT;
	for (unsigned int i = 0; i < measure->count; i++) {
		struct series *series = &measure->series[i];

		series->turns = text_memory(
			reallocarray(series->turns, measure->room, sizeof(*series->turns)));
	}
}

static void run_round(struct measure *measure, unsigned int *order)
{
	make_room(measure);
	rng_shuffle(&measure->rng, order, measure->count);
	for (unsigned int i = 0; i < measure->count; i++) {
		struct series *series = &measure->series[order[i]];
		struct turn *turn = &series->turns[measure->rounds];

		turn->worker = rng_below(&measure->rng, SERIES_WORKERS);
		if (!series_error(series))
			turn->ns = series_block(series, turn->worker);
	}
	measure->rounds++;
}

/* So many rounds, and up to ROUNDS_MAX until the time is over. */
static void run_rounds(struct measure *measure, unsigned int least, double seconds)
{
	unsigned int *order = text_memory(calloc(measure->count, sizeof(*order)));
	double deadline = now_seconds() + seconds;
	unsigned int rounds = 0;

	for (unsigned int i = 0; i < measure->count; i++)
		order[i] = i;
	while (rounds < least || (rounds < ROUNDS_MAX && now_seconds() < deadline)) {
		run_round(measure, order);
		rounds++;
	}
	free(order);
}

/* More rounds while A/A is off, for some seconds even if the plan is short. */
static void extend(struct measure *measure, double begin)
{
	double deadline = begin + fmax(AA_PATIENCE * measure->plan.seconds, AA_PATIENCE_SECONDS);

	while (!figures_complete(measure) && now_seconds() < deadline)
		run_rounds(measure, ROUNDS_DEFAULT, 0);
}

void measure_run(struct measure *measure)
{
	double begin;
	long preempted_before;

	measure->rounds = 0;
	measure->room = 0; /* workloads may have come since the last run */
	calibrate_all(measure);
	preempted_before = figures_preempted(measure);
	begin = now_seconds();
	run_rounds(measure, measure->plan.rounds, measure->plan.seconds);
	extend(measure, begin);
	figures_judge(measure, preempted_before);
}

void measure_free(struct measure *measure)
{
	for (unsigned int i = 0; i < measure->count; i++)
		series_end(&measure->series[i]);
	free(measure->series);
	free(measure);
}

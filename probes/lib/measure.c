/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rounds of blocks, and what they say. For the method see measure.h. What speaks for
 * it, as measured with getpid-like system calls in a virtual machine: over 1 s the
 * median of paired ratios gives an A/A that is off by 0.1 % at worst, means of
 * interleaved blocks 5 %, and means of one workload after the other 15 %. With a
 * load of 6 on 2 CPUs, 42 workloads, and 2 s, A/A is off by up to 0.9 % with blocks
 * of 1 ms, and 0.4 % with a tenth to a quarter of that. What a block costs beyond
 * its operations (cold caches) is 0.7 us, and the same for all.
 */
#include "measure.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "series.h"
#include "stats.h"
#include "system.h"
#include "text.h"

enum { BASELINE, TWIN };

#define AA_SLACK	    0.01
#define TRIES		    3	 /* times the planned rounds, before giving up on A/A */
#define ROUNDS_MAX	    1000 /* of one try; more would tell nothing new */
#define ROUNDS_DEFAULT	    15
#define PATIENCE_DEFAULT_MS 10000
#define ORDER_SEED	    4

struct measure {
	struct measure_plan plan;
	clockid_t cpu_clock;
	struct series *series;
	unsigned int count;
	unsigned int rounds;
	struct rng rng;
	char refusal[400];
};

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

static void run_round(struct measure *measure, unsigned int *order)
{
	rng_shuffle(&measure->rng, order, measure->count);
	for (unsigned int i = 0; i < measure->count; i++) {
		struct series *series = &measure->series[order[i]];

		if (!series_error(series))
			series->ns[measure->rounds] =
				series_block(series, rng_below(&measure->rng, SERIES_WORKERS));
	}
	measure->rounds++;
}

/* As many rounds as were planned. */
static void run_rounds(struct measure *measure)
{
	unsigned int *order = text_memory(calloc(measure->count, sizeof(*order)));
	double deadline = now_seconds() + measure->plan.seconds;
	unsigned int rounds = 0;

	for (unsigned int i = 0; i < measure->count; i++)
		order[i] = i;
	while (rounds < measure->plan.rounds || (rounds < ROUNDS_MAX && now_seconds() < deadline)) {
		run_round(measure, order);
		rounds++;
	}
	free(order);
}

static bool timed(const struct measure *measure, int workload)
{
	return measure->rounds && measure->series[workload].ns && !measure_error(measure, workload);
}

static bool ratio_of(const struct measure *measure, int workload, int baseline,
		     struct estimate *estimate)
{
	const double *ns = measure->series[workload].ns;
	const double *base = measure->series[baseline].ns;
	double *ratios;

	*estimate = (struct estimate){.ns = NAN, .ratio = NAN, .ci95 = {NAN, NAN}};
	if (!timed(measure, workload) || !timed(measure, baseline))
		return false;
	ratios = text_memory(calloc(measure->rounds, sizeof(*ratios)));
	for (unsigned int i = 0; i < measure->rounds; i++)
		ratios[i] = ns[i] / base[i];
	estimate->ns = stats_median(ns, measure->rounds);
	estimate->ratio = stats_median(ratios, measure->rounds);
	stats_median_ci95(ratios, measure->rounds, estimate->ci95);
	estimate->rounds = measure->rounds;
	free(ratios);
	return true;
}

static bool aa_holds(const struct measure *measure)
{
	return fabs(measure_aa(measure) - 1) <= AA_SLACK;
}

static long preempted(const struct measure *measure)
{
	long baseline = series_preempted(&measure->series[BASELINE]);
	long twin = series_preempted(&measure->series[TWIN]);

	return baseline < 0 || twin < 0 ? -1 : baseline + twin;
}

static void refuse(struct measure *measure, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void refuse(struct measure *measure, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(measure->refusal, sizeof(measure->refusal), format, args);
	va_end(args);
}

static void refuse_aa(struct measure *measure, long preempted_before)
{
	long switches = preempted(measure);
	char load[64] = "unknown", count[32] = "unknown";
	struct estimate aa;

	ratio_of(measure, TWIN, BASELINE, &aa);
	if (proc_read("loadavg", load, sizeof(load)) > 0)
		load[strcspn(load, " ")] = '\0';
	if (switches >= 0 && preempted_before >= 0)
		snprintf(count, sizeof(count), "%ld", switches - preempted_before);
	refuse(measure,
	       "A/A is %.4f [%.4f, %.4f] after %u rounds, more than %g %% off; load average %s, "
	       "involuntary context switches in its %u blocks: %s",
	       aa.ratio, aa.ci95[0], aa.ci95[1], aa.rounds, 100 * AA_SLACK, load,
	       2 * measure->rounds, count);
}

/* What keeps all figures from being trusted, for now. */
static void judge(struct measure *measure, long preempted_before)
{
	const char *baseline = measure_error(measure, BASELINE);
	const char *twin = measure_error(measure, TWIN);

	measure->refusal[0] = '\0';
	if (baseline)
		refuse(measure, "the baseline: %s", baseline);
	else if (twin)
		refuse(measure, "the baseline's A/A twin: %s", twin);
	else if (!aa_holds(measure))
		refuse_aa(measure, preempted_before);
}

static void make_room(struct measure *measure)
{
	for (unsigned int i = 0; i < measure->count; i++) {
		free(measure->series[i].ns);
		measure->series[i].ns = text_memory(calloc(ROUNDS_MAX, TRIES * sizeof(double)));
	}
	measure->rounds = 0;
}

void measure_run(struct measure *measure)
{
	long preempted_before;

	make_room(measure);
	calibrate_all(measure);
	preempted_before = preempted(measure);
	for (unsigned int i = 0; i < TRIES; i++) {
		run_rounds(measure);
		judge(measure, preempted_before);
		if (!measure_refusal(measure) || isnan(measure_aa(measure)))
			return;
	}
}

const char *measure_error(const struct measure *measure, int workload)
{
	return series_error(&measure->series[workload]);
}

const char *measure_refusal(const struct measure *measure)
{
	return measure->refusal[0] ? measure->refusal : NULL;
}

double measure_aa(const struct measure *measure)
{
	struct estimate aa;

	ratio_of(measure, TWIN, BASELINE, &aa);
	return aa.ratio;
}

bool measure_estimate(const struct measure *measure, int workload, int baseline,
		      struct estimate *estimate)
{
	if (!measure_refusal(measure))
		return ratio_of(measure, workload, baseline, estimate);
	*estimate = (struct estimate){.ns = NAN, .ratio = NAN, .ci95 = {NAN, NAN}};
	return false;
}

void measure_free(struct measure *measure)
{
	for (unsigned int i = 0; i < measure->count; i++) {
		series_end(&measure->series[i]);
	}
	free(measure->series);
	free(measure);
}

struct result *measure_report(const struct measure *measure, int workload, struct report *report,
			      const char *group, const char *name, enum verdict on_error)
{
	const char *error = measure_error(measure, workload);
	const char *refusal = measure_refusal(measure);
	struct estimate estimate;
	struct result *result;

	if (error)
		return report_add(report, group, name, on_error, "%s", error);
	if (refusal)
		return report_add(report, group, name, VERDICT_UNKNOWN, "%s", refusal);
	measure_estimate(measure, workload, BASELINE, &estimate);
	result = report_add(report, group, name, VERDICT_OK, "%s", "");
	result->ns = estimate.ns;
	result->ratio = estimate.ratio;
	memcpy(result->ci95, estimate.ci95, sizeof(result->ci95));
	return result;
}

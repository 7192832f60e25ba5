/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the blocks of a measurement say, and whether that can be believed.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measurement.h"
#include "stats.h"
#include "system.h"
#include "text.h"

#define AA_SLACK      0.01
#define WIDE	      1.5 /* from one end of an interval to the other */
#define ROUNDS_ENOUGH 5	  /* undisturbed, and no less than a tenth of all */

static const char never_undisturbed[] = "hardly ever were both blocks of a round undisturbed";

static bool timed(const struct measure *measure, int workload)
{
	return measure->rounds && measure->series[workload].turns &&
	       !measure_error(measure, workload);
}

static bool enough(const struct measure *measure, unsigned int rounds)
{
	return rounds == measure->rounds ||
	       (rounds >= ROUNDS_ENOUGH && 10 * rounds >= measure->rounds);
}

/* Ratios of two workloads' blocks of the same rounds. */
struct ratios {
	double *values;
	struct origin *origins;
	unsigned int count;
};

static void ratios_free(struct ratios *ratios)
{
	free(ratios->values);
	free(ratios->origins);
}

/* Of all rounds in which neither block was disturbed; false if there are too few. */
static bool ratios_of(const struct measure *measure, int workload, int baseline,
		      struct ratios *ratios)
{
	const struct turn *turns = measure->series[workload].turns;
	const struct turn *base = measure->series[baseline].turns;

	*ratios = (struct ratios){0};
	if (!timed(measure, workload) || !timed(measure, baseline))
		return false;
	ratios->values = text_memory(calloc(measure->rounds, sizeof(*ratios->values)));
	ratios->origins = text_memory(calloc(measure->rounds, sizeof(*ratios->origins)));
	for (unsigned int i = 0; i < measure->rounds; i++) {
		double ratio = turns[i].ns / base[i].ns;

		if (isnan(ratio))
			continue;
		ratios->origins[ratios->count] = (struct origin){turns[i].worker, base[i].worker};
		ratios->values[ratios->count++] = ratio;
	}
	return enough(measure, ratios->count);
}

/* Nanoseconds of a workload's blocks that were not disturbed. */
static unsigned int times_of(const struct measure *measure, const struct turn *turns, double *ns)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < measure->rounds; i++)
		if (!isnan(turns[i].ns))
			ns[count++] = turns[i].ns;
	return count;
}

static double median_ratio(const struct measure *measure, int workload, int baseline)
{
	struct ratios ratios;
	double median = NAN;

	if (ratios_of(measure, workload, baseline, &ratios))
		median = stats_median(ratios.values, ratios.count);
	ratios_free(&ratios);
	return median;
}

/* Of the baseline itself: the median of its blocks. */
static double baseline_ns(const struct measure *measure)
{
	double *ns = text_memory(calloc(measure->rounds, sizeof(*ns)));
	unsigned int count = times_of(measure, measure->series[BASELINE].turns, ns);
	double median = stats_median(ns, count);

	free(ns);
	return median;
}

/*
 * Not the median of a workload's own blocks: that would contradict the ratio, where
 * processes differ.
 */
static double ns_of(const struct measure *measure, int workload)
{
	return baseline_ns(measure) * median_ratio(measure, workload, BASELINE);
}

static bool ratio_of(const struct measure *measure, int workload, int baseline,
		     struct estimate *estimate)
{
	struct ratios ratios;

	*estimate = (struct estimate){.ns = NAN, .ratio = NAN, .ci95 = {NAN, NAN}};
	if (ratios_of(measure, workload, baseline, &ratios)) {
		estimate->ratio = stats_median(ratios.values, ratios.count);
		estimate->ns = ns_of(measure, baseline) * estimate->ratio;
		estimate->rounds = ratios.count;
		stats_median_ci95(ratios.values, ratios.origins, ratios.count, estimate->ci95);
	}
	ratios_free(&ratios);
	return estimate->rounds > 0;
}

bool figures_complete(const struct measure *measure)
{
	if (measure_error(measure, BASELINE) || measure_error(measure, TWIN))
		return true;
	return fabs(measure_aa(measure) - 1) <= AA_SLACK;
}

long figures_preempted(const struct measure *measure)
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
	long switches = figures_preempted(measure);
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

/* Which workloads were disturbed too often, by what the wall clock cannot leave out. */
static void doubt_disturbed(struct measure *measure)
{
	double *left = text_memory(calloc(measure->rounds, sizeof(*left)));

	for (unsigned int i = 0; i < measure->count; i++) {
		struct series *series = &measure->series[i];
		unsigned int count;

		series->doubt[0] = '\0';
		if (!timed(measure, i))
			continue;
		count = times_of(measure, series->turns, left);
		if (!enough(measure, count))
			snprintf(series->doubt, sizeof(series->doubt),
				 "other programs took its CPUs in %u of %u blocks",
				 measure->rounds - count, measure->rounds);
	}
	free(left);
}

void figures_judge(struct measure *measure, long preempted_before)
{
	const char *baseline = measure_error(measure, BASELINE);
	const char *twin = measure_error(measure, TWIN);
	char tracer[16];

	doubt_disturbed(measure);
	measure->refusal[0] = '\0';
	if (!proc_status("TracerPid", tracer, sizeof(tracer)) && strcmp(tracer, "0") != 0)
		refuse(measure, "traced by process %s, which makes system calls slow", tracer);
	else if (baseline)
		refuse(measure, "the baseline: %s", baseline);
	else if (twin)
		refuse(measure, "the baseline's A/A twin: %s", twin);
	else if (measure_doubt(measure, BASELINE))
		refuse(measure, "the baseline: %s", measure_doubt(measure, BASELINE));
	else if (!figures_complete(measure))
		refuse_aa(measure, preempted_before);
}

const char *measure_error(const struct measure *measure, int workload)
{
	return series_error(&measure->series[workload]);
}

const char *measure_refusal(const struct measure *measure)
{
	return measure->refusal[0] ? measure->refusal : NULL;
}

const char *measure_doubt(const struct measure *measure, int workload)
{
	return measure->series[workload].doubt[0] ? measure->series[workload].doubt : NULL;
}

/* Without the interval, which takes longer. */
double measure_aa(const struct measure *measure)
{
	return median_ratio(measure, TWIN, BASELINE);
}

bool measure_estimate(const struct measure *measure, int workload, int baseline,
		      struct estimate *estimate)
{
	if (!measure_refusal(measure))
		return ratio_of(measure, workload, baseline, estimate);
	*estimate = (struct estimate){.ns = NAN, .ratio = NAN, .ci95 = {NAN, NAN}};
	return false;
}

static struct result *withhold(struct report *report, const char *group, const char *name,
			       const char *reason)
{
	struct result *result = report_add(report, group, name, VERDICT_UNKNOWN, "%s", reason);

	result->withheld = true;
	return result;
}

static const char *why_withheld(const struct measure *measure, int workload)
{
	const char *refusal = measure_refusal(measure);

	return refusal ? refusal : measure_doubt(measure, workload);
}

const char *measure_why_none(const struct measure *measure, int workload, int baseline)
{
	const int both[] = {workload, baseline};
	struct ratios ratios;
	bool compared;

	for (size_t i = 0; i < sizeof(both) / sizeof(both[0]); i++) {
		if (measure_error(measure, both[i]))
			return measure_error(measure, both[i]);
		if (why_withheld(measure, both[i]))
			return why_withheld(measure, both[i]);
	}
	compared = ratios_of(measure, workload, baseline, &ratios);
	ratios_free(&ratios);
	return compared ? NULL : never_undisturbed;
}

/* NULL, or why there are no figures although both workloads ran well. */
static const char *why_vague(const struct estimate *estimate, char *text, size_t size)
{
	if (!estimate->rounds)
		return never_undisturbed;
	if (estimate->ci95[1] <= WIDE * estimate->ci95[0])
		return NULL;
	snprintf(text, size, "the ratio is anything from %.3g to %.3g", estimate->ci95[0],
		 estimate->ci95[1]);
	return text;
}

struct result *measure_report(const struct measure *measure, int workload, int baseline,
			      struct report *report, const char *group, const char *name,
			      enum verdict on_error)
{
	int base = baseline < 0 ? BASELINE : baseline;
	const char *error = measure_error(measure, workload);
	const char *why = why_withheld(measure, workload);
	struct estimate estimate;
	struct result *result;
	char text[80];

	if (error)
		return report_add(report, group, name, on_error, "%s", error);
	if (!why)
		why = why_withheld(measure, base);
	if (why)
		return withhold(report, group, name, why);
	if (measure_error(measure, base))
		return report_add(report, group, name, VERDICT_UNKNOWN, "its baseline: %s",
				  measure_error(measure, base));
	measure_estimate(measure, workload, base, &estimate);
	why = why_vague(&estimate, text, sizeof(text));
	if (why)
		return withhold(report, group, name, why);
	result = report_add(report, group, name, VERDICT_OK, "%s", "");
	result->ns = estimate.ns;
	if (baseline < 0)
		return result;
	result->ratio = estimate.ratio;
	memcpy(result->ci95, estimate.ci95, sizeof(result->ci95));
	return result;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All workloads run interleaved, in one measurement, so that any two can be compared.
 *
 * The first group has the three figures of Theodore Ts'o's comparison (known here at
 * second hand only, his message was not found): getrandom(2), a generator in user
 * space, and a bare system call, which is what such a generator saves. getpid(2) is that
 * bare call; the column of system calls says whether the generator saves it at all.
 */
#include <math.h>
#include <stdio.h>

#include "cost.h"

#define SMALL	      32
#define SECONDS	      6.5
#define SECONDS_QUICK 1.5

static const size_t sizes[COST_SIZES] = {256, 1024, 4096, 65536};
static const size_t sizes_quick[] = {256, 4096};
#define SIZES_QUICK (sizeof(sizes_quick) / sizeof(sizes_quick[0]))

static void add_all(struct cost *cost, struct measure *measure,
		    const struct source sources[SOURCES], unsigned int threads)
{
	const struct source *pair[PAIR] = {&sources[SOURCE_SYSCALL], &sources[SOURCE_VDSO]};

	for (size_t i = 0; i < SOURCES; i++)
		load_add(&cost->small[i], measure, &sources[i], SMALL, 1);
	for (size_t i = 0; i < cost->size_count; i++) {
		for (size_t j = 0; j < PAIR; j++)
			load_add(&cost->large[i][j], measure, pair[j], cost->sizes[i], 1);
	}
	if (threads < 2)
		return;
	load_add(&cost->bare_threads, measure, &source_getpid, SMALL, threads);
	for (size_t j = 0; j < PAIR; j++)
		load_add(&cost->threads[j], measure, pair[j], SMALL, threads);
}

/* A result with the load's figures, and its ratio to another's if there is one. */
static struct result *add_result(struct report *report, const char *group, const char *name,
				 const struct load *load, const struct load *base)
{
	if (!load->measure)
		return report_add(report, group, name, load->source->verdict, "%s",
				  load->source->reason);
	return measure_report(load->measure, load->workload,
			      base && base->measure ? base->workload : -1, report, group, name,
			      VERDICT_UNKNOWN);
}

static void report_small(struct report *report, const struct cost *cost)
{
	struct result *result;
	char word[40];

	result = add_result(report, "cost", "getpid", &cost->baseline, &cost->baseline);
	result_outcome(result, "getpid(2)");
	for (size_t i = 0; i < SOURCES; i++) {
		const struct load *load = &cost->small[i];

		result = add_result(report, "cost", load->source->name, load, &cost->baseline);
		if (cost->paths[i].kind != PATH_UNKNOWN)
			result_outcome(result, "%s",
				       path_word(&cost->paths[i], word, sizeof(word)));
	}
}

static void report_large(struct report *report, const struct cost *cost)
{
	struct result *result;
	char name[32];

	for (size_t i = 0; i < cost->size_count; i++) {
		for (size_t j = 0; j < PAIR; j++) {
			const struct load *load = &cost->large[i][j];

			snprintf(name, sizeof(name), "%s-%zu", load->source->name, load->size);
			result = add_result(report, "throughput", name, load,
					    j == PAIR_VDSO ? &cost->large[i][PAIR_SYSCALL] : NULL);
			if (!isnan(result->ns))
				result_number(result, "mb_per_s",
					      round((double)load->size / result->ns * 1e3));
		}
	}
}

static void report_threads(struct report *report, const struct cost *cost)
{
	const struct load *many[] = {&cost->bare_threads, &cost->threads[PAIR_SYSCALL],
				     &cost->threads[PAIR_VDSO]};
	const struct load *single[] = {&cost->baseline, &cost->small[SOURCE_SYSCALL],
				       &cost->small[SOURCE_VDSO]};
	struct result *result;
	char name[32];

	for (size_t i = 0; i < sizeof(many) / sizeof(many[0]); i++) {
		snprintf(name, sizeof(name), "%s-threads", single[i]->source->name);
		if (!many[i]->source) {
			report_add(report, "threads", name, VERDICT_NA,
				   "one CPU: no thread can be in another's way");
			continue;
		}
		result = add_result(report, "threads", name, many[i], single[i]);
		if (!isnan(result->ns))
			result_number(result, "threads", many[i]->threads);
	}
}

void measure_cost(struct report *report, const struct source sources[SOURCES],
		  const struct path paths[SOURCES], unsigned int threads,
		  const struct settings *settings)
{
	struct measure_plan plan = {.seconds = settings->quick ? SECONDS_QUICK : SECONDS};
	struct cost cost = {.paths = paths,
			    .sizes = settings->quick ? sizes_quick : sizes,
			    .size_count = settings->quick ? SIZES_QUICK : COST_SIZES};
	struct measure *measure = load_baseline(&cost.baseline, &plan, &source_getpid, SMALL);

	add_all(&cost, measure, sources, threads);
	measure_run(measure);
	report_aa(report, measure_aa(measure));
	report_small(report, &cost);
	report_large(report, &cost);
	report_threads(report, &cost);
	say_cost(report, &cost);
	measure_free(measure);
}

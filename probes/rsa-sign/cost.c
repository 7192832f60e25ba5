/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a signature costs: with a key that is kept and with one that is imported for
 * each signature, in one thread and in one per CPU. Threads meet at the locks of a
 * key once per signature, most often with the shortest key, so that only this one
 * runs on all CPUs.
 *
 * Blinding is taken apart as BoringSSL did when it retired it (its commit
 * 5f4f26f59c36, December 2025): the same work with and without. A kept key makes its
 * blinding factor once and then squares it; an imported one pays for a modular
 * inversion each time. The figure says where the time goes, no more: blinding is
 * what protects a key whose library is not constant-time.
 */
#include <math.h>
#include <stdio.h>

#include "rsa-sign.h"
#include "system.h"
#include "work.h"

enum {
	KEPT, /* the baseline */
	IMPORTED,
	KEPT_UNBLINDED,
	IMPORTED_UNBLINDED,
	OWN_KEYS, /* from here on, a thread for each CPU */
	SHARED_KEY,
	IMPORTED_ALL_CPUS,
	VARIANTS,
	VARIANTS_ONE_THREAD = OWN_KEYS,
};

static const char *const names[VARIANTS] = {
	[KEPT] = "sign",
	[IMPORTED] = "import-sign",
	[KEPT_UNBLINDED] = "sign-blinding",
	[IMPORTED_UNBLINDED] = "import-sign-blinding",
	[OWN_KEYS] = "sign-all-cpus-own-keys",
	[SHARED_KEY] = "sign-all-cpus-shared-key",
	[IMPORTED_ALL_CPUS] = "import-sign-all-cpus",
};

struct cost {
	const struct rsa_library *library;
	const struct test_key *key;
	unsigned int cpus;
	struct work works[VARIANTS];
	int workers[VARIANTS]; /* measure_add()'s numbers */
	struct measure *measure;
};

static struct work work_of(const struct cost *cost, int variant)
{
	return (struct work){
		.library = cost->library,
		.key = cost->key,
		.import = variant == IMPORTED || variant == IMPORTED_UNBLINDED ||
			  variant == IMPORTED_ALL_CPUS,
		.unblinded = variant == KEPT_UNBLINDED || variant == IMPORTED_UNBLINDED,
		.own_keys = variant == OWN_KEYS,
		.threads = variant < VARIANTS_ONE_THREAD ? 1 : cost->cpus,
	};
}

static bool for_all_cpus(const struct test_key *key)
{
	return key == &test_keys[0];
}

static void start_workers(struct cost *cost, double seconds)
{
	const struct measure_plan plan = {.seconds = seconds};
	bool all = for_all_cpus(cost->key) && cost->cpus > 1;

	for (int i = 0; i < (all ? VARIANTS : VARIANTS_ONE_THREAD); i++) {
		struct workload workload;

		cost->works[i] = work_of(cost, i);
		workload = work_load(&cost->works[i]);
		workload.name = names[i];
		if (i == KEPT)
			cost->measure = measure_new(&plan, &workload);
		else
			cost->workers[i] = measure_add(cost->measure, &workload);
	}
}

static const char *row_name(const struct cost *cost, int variant, char *name, size_t size)
{
	snprintf(name, size, "%s-%u-%s", cost->library->name, cost->key->bits, names[variant]);
	return name;
}

static struct result *report_figures(const struct cost *cost, struct report *report,
				     const char *group, int variant)
{
	int worker = cost->workers[variant];
	const char *error = measure_error(cost->measure, worker);
	char name[64];

	return measure_report(cost->measure, worker, 0, report, group,
			      row_name(cost, variant, name, sizeof(name)),
			      error ? work_verdict(error) : VERDICT_UNKNOWN);
}

/* A key that all threads share to a key for each: what the locks of a key cost. */
static void add_contention(const struct cost *cost, struct result *shared)
{
	struct estimate estimate;

	if (measure_estimate(cost->measure, cost->workers[SHARED_KEY], cost->workers[OWN_KEYS],
			     &estimate))
		result_number(shared, "shared_to_own", estimate.ratio);
}

static void report_one_cpu(const struct cost *cost, struct report *report, int variant)
{
	char name[64];

	report_add(report, "cost", row_name(cost, variant, name, sizeof(name)), VERDICT_NA,
		   "there is one CPU only");
}

static void report_all_cpus(const struct cost *cost, struct report *report)
{
	for (int i = VARIANTS_ONE_THREAD; i < VARIANTS; i++) {
		struct result *result;

		if (cost->cpus == 1) {
			report_one_cpu(cost, report, i);
			continue;
		}
		result = report_figures(cost, report, "cost", i);
		if (i == SHARED_KEY)
			add_contention(cost, result);
	}
}

/*
 * The ratio is of the work with blinding to that without. A kept key may hide the
 * difference; an imported one cannot, if there is one. Returns the percentage of the
 * work, or NaN.
 */
static double report_blinding(const struct cost *cost, struct report *report, int unblinded,
			      int blinded)
{
	struct estimate estimate;
	struct result *result;
	double percent;
	char name[64];

	if (!measure_estimate(cost->measure, cost->workers[blinded], cost->workers[unblinded],
			      &estimate)) {
		report_figures(cost, report, "blinding", unblinded);
		return NAN;
	}
	row_name(cost, unblinded, name, sizeof(name));
	if (estimate.ci95[0] <= 1 && cost->works[unblinded].import) {
		report_add(report, "blinding", name, VERDICT_NA,
			   "no cost to be seen: this library does not blind");
		return NAN;
	}
	result = measure_report(cost->measure, cost->workers[blinded], cost->workers[unblinded],
				report, "blinding", name, VERDICT_UNKNOWN);
	if (result->verdict != VERDICT_OK)
		return NAN;
	percent = 100 * (1 - 1 / result->ratio);
	result_number(result, "percent", percent);
	return percent;
}

double report_cost(struct report *report, const struct rsa_library *library,
		   const struct test_key *key, double seconds)
{
	struct cost cost = {.library = library, .key = key, .cpus = system_cpus()};
	double percent;

	start_workers(&cost, seconds);
	measure_run(cost.measure);
	if (!isnan(measure_aa(cost.measure)))
		report_aa(report, measure_aa(cost.measure));
	report_figures(&cost, report, "cost", KEPT);
	report_figures(&cost, report, "cost", IMPORTED);
	if (for_all_cpus(key))
		report_all_cpus(&cost, report);
	report_blinding(&cost, report, KEPT_UNBLINDED, KEPT);
	percent = report_blinding(&cost, report, IMPORTED_UNBLINDED, IMPORTED);
	measure_free(cost.measure);
	return percent;
}

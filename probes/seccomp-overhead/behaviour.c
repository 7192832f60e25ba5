/* SPDX-License-Identifier: GPL-2.0-only */
#include "behaviour.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "system.h"

static const char group[] = "behaviour";

/*
 * How much of what their programs differ by may show in two cached cells, and how much
 * means that there is no cache. The ratio of the two says less: processes that do
 * the same differ by some per cent, in QEMU's TCG by up to 20.
 */
#define SHARE_CACHED   0.25
#define SHARE_UNCACHED 0.75
/* What measures of the same thing differ by: less is no proof that it is dearer. */
#define HARDLY 0.01
/*
 * On x86-64 the interpreter takes about 15 instructions of the CPU for one of a filter,
 * the JIT's code 2. The share of one instruction in the whole system call
 * depends on the CPU, this ratio hardly does.
 */
#define JIT_GAIN 3.0

bool kernel_caches_actions(void)
{
	return !system_kernel_before(5, 11);
}

static struct result *passed(struct report *report, const char *name)
{
	return report_add(report, group, name, VERDICT_OK, "%s", "");
}

static void filters_active(const struct bench *bench, struct report *report)
{
	size_t failed = 0, unknown = 0, i;

	for (i = 0; i < bench->cell_count; i++) {
		failed += bench->cells[i].verdict == VERDICT_FAIL;
		unknown += bench->cells[i].verdict == VERDICT_UNKNOWN;
	}
	if (failed)
		report_add(report, group, "filters-active", VERDICT_FAIL,
			   "%zu of %zu filters are not in force", failed, bench->cell_count);
	else if (unknown)
		report_add(report, group, "filters-active", VERDICT_UNKNOWN,
			   "%zu of %zu filters could not be loaded or proven", unknown,
			   bench->cell_count);
	else
		passed(report, "filters-active");
}

static void set_ratio(struct result *result, const struct estimate *estimate)
{
	result->ratio = estimate->ratio;
	memcpy(result->ci95, estimate->ci95, sizeof(result->ci95));
}

enum verdict behaviour_is_cached(double share)
{
	if (fabs(share) <= SHARE_CACHED)
		return VERDICT_OK;
	return share >= SHARE_UNCACHED ? VERDICT_FAIL : VERDICT_UNKNOWN;
}

enum verdict behaviour_is_above_one(const struct estimate *estimate)
{
	if (estimate->ci95[0] > 1)
		return VERDICT_OK;
	return estimate->ci95[1] < 1 + HARDLY ? VERDICT_FAIL : VERDICT_UNKNOWN;
}

static const char *ns_of(const struct bench *bench, const char *cell, double *ns)
{
	struct estimate estimate;
	const char *why = bench_compare(bench, cell, "none", &estimate);

	*ns = estimate.ns;
	return why;
}

/* Two cells of which the first has more to do, if its program runs. */
struct contrast {
	const char *more, *less;
};

/* What the first costs more than the second: NULL and the nanoseconds, or why not. */
static const char *difference(const struct bench *bench, const struct contrast *cells, double *ns)
{
	double more, less;
	const char *why = ns_of(bench, cells->more, &more);

	if (!why)
		why = ns_of(bench, cells->less, &less);
	if (!why)
		*ns = more - less;
	return why;
}

static void program_length(const struct bench *bench, struct report *report)
{
	static const char name[] = "program-length";
	struct estimate estimate;
	const char *why = bench_compare(bench, "lin400-run", "lin12-run", &estimate);
	struct result *result;
	enum verdict verdict;

	if (why) {
		report_add(report, group, name, VERDICT_UNKNOWN, "%s", why);
		return;
	}
	verdict = behaviour_is_above_one(&estimate);
	if (verdict == VERDICT_OK)
		result = passed(report, name);
	else
		result = report_add(report, group, name, verdict,
				    "lin400-run to lin12-run is %.3f [%.3f, %.3f], not above 1%s",
				    estimate.ratio, estimate.ci95[0], estimate.ci95[1],
				    verdict == VERDICT_UNKNOWN ? ", but may be" : "");
	set_ratio(result, &estimate);
}

/* What the action cache answers costs the same, whatever the programs cost. */
static void must_be_cached(const struct bench *bench, struct report *report, const char *name,
			   const struct contrast *cached, const struct contrast *run)
{
	double shown = 0, programs = 0;
	struct estimate estimate, run_estimate;
	struct result *result;
	enum verdict verdict;
	const char *why;

	if (!kernel_caches_actions()) {
		report_add(report, group, name, VERDICT_NA, "no action cache before Linux 5.11");
		return;
	}
	why = bench_compare(bench, cached->more, cached->less, &estimate);
	if (!why)
		why = bench_compare(bench, run->more, run->less, &run_estimate);
	if (!why && behaviour_is_above_one(&run_estimate) != VERDICT_OK)
		why = "the programs do not differ in cost, so that nothing can be seen";
	if (!why)
		why = difference(bench, cached, &shown);
	if (!why)
		why = difference(bench, run, &programs);
	if (why) {
		report_add(report, group, name, VERDICT_UNKNOWN, "%s", why);
		return;
	}
	verdict = behaviour_is_cached(shown / programs);
	if (verdict == VERDICT_OK)
		result = passed(report, name);
	else
		result =
			report_add(report, group, name, verdict,
				   "%s costs %.1f ns more than %s, of the %.1f ns that running the "
				   "programs makes",
				   cached->more, shown, cached->less, programs);
	set_ratio(result, &estimate);
	result_number(result, "program_share", shown / programs);
}

static void cached_length(const struct bench *bench, struct report *report)
{
	const struct contrast cached = {"lin400", "lin12"};
	const struct contrast run = {"lin400-run", "lin12-run"};

	must_be_cached(bench, report, "cached-length", &cached, &run);
}

/* Cells loaded with the JIT on and off: the suffixes that they go by. */
static const char *suffix(const struct bench *bench, bool jit)
{
	return jit == (bench->jit.state == JIT_ON) ? "" : bench_toggled_suffix(bench);
}

/* What 400 rules cost more than one, per instruction that they have more. */
static const char *per_insn(const struct bench *bench, const char *tail, double *ns)
{
	const struct cell *lin1 = bench_cell(bench, "lin1-run");
	const struct cell *lin400 = bench_cell(bench, "lin400-run");
	char more[40], less[40];
	const struct contrast run = {more, less};
	const char *why;

	snprintf(more, sizeof(more), "lin400-run%s", tail);
	snprintf(less, sizeof(less), "lin1-run%s", tail);
	why = difference(bench, &run, ns);
	if (!why)
		*ns /= lin400->built->program.len - lin1->built->program.len;
	return why;
}

static void jit_gain(const struct bench *bench, struct report *report)
{
	static const char name[] = "jit-lin400-run";
	struct estimate estimate;
	char off[40], on[40];
	double with, without;
	const char *why;
	struct result *result;

	snprintf(off, sizeof(off), "lin400-run%s", suffix(bench, false));
	snprintf(on, sizeof(on), "lin400-run%s", suffix(bench, true));
	why = bench_compare(bench, off, on, &estimate);
	if (!why)
		why = per_insn(bench, suffix(bench, true), &with);
	if (!why)
		why = per_insn(bench, suffix(bench, false), &without);
	if (why) {
		report_add(report, group, name, VERDICT_UNKNOWN, "%s", why);
		return;
	}
	if (without >= JIT_GAIN * with && (with <= 0 || estimate.ci95[0] <= 1))
		result = report_add(report, group, name, VERDICT_UNKNOWN,
				    "one BPF instruction takes %.2f ns without the JIT, %.2f ns "
				    "with it: less than can be told apart",
				    without, with);
	else if (without >= JIT_GAIN * with)
		result = passed(report, name);
	else
		result = report_add(report, group, name, VERDICT_FAIL,
				    "one BPF instruction takes %.2f ns without the JIT, %.2f ns "
				    "with it: not %.0f times as long",
				    without, with, JIT_GAIN);
	set_ratio(result, &estimate);
	result_number(result, "insn_ns_jit", with);
	result_number(result, "insn_ns_nojit", without);
}

static void jit_cached(const struct bench *bench, struct report *report)
{
	char off[40], on[40], run_off[40], run_on[40];
	const struct contrast cached = {off, on};
	const struct contrast run = {run_off, run_on};

	snprintf(off, sizeof(off), "lin400%s", suffix(bench, false));
	snprintf(on, sizeof(on), "lin400%s", suffix(bench, true));
	snprintf(run_off, sizeof(run_off), "lin400-run%s", suffix(bench, false));
	snprintf(run_on, sizeof(run_on), "lin400-run%s", suffix(bench, true));
	must_be_cached(bench, report, "jit-lin400-cached", &cached, &run);
}

static void jit_effect(const struct bench *bench, struct report *report)
{
	const struct toggle *toggled = &bench->jit.toggled;

	if (toggled->verdict != VERDICT_OK) {
		report_add(report, group, "jit-lin400-run", toggled->verdict, "%s", toggled->why);
		report_add(report, group, "jit-lin400-cached", toggled->verdict, "%s",
			   toggled->why);
		return;
	}
	jit_gain(bench, report);
	jit_cached(bench, report);
}

static void restored(const struct bench *bench, struct report *report)
{
	static const char name[] = "sysctls-restored";
	const struct jit *jit = &bench->jit;

	if (jit->not_restored[0])
		report_add(report, group, name, VERDICT_FAIL, "%s", jit->not_restored);
	else if (!jit->changed)
		report_add(report, group, name, VERDICT_NA, "none was changed");
	else
		passed(report, name);
}

void behaviour_report(const struct bench *bench, struct report *report)
{
	filters_active(bench, report);
	program_length(bench, report);
	cached_length(bench, report);
	jit_effect(bench, report);
	restored(bench, report);
}

/* A figure, not a proof: a CPU that is wide enough blinds for next to nothing. */
void harden_report(const struct bench *bench, struct report *report)
{
	static const char name[] = "harden-lin400-run", harden[] = "harden";
	const struct toggle *hardened = &bench->jit.hardened;
	struct estimate estimate;
	const char *why;

	if (hardened->verdict != VERDICT_OK) {
		report_add(report, harden, name, hardened->verdict, "%s", hardened->why);
		return;
	}
	why = bench_compare(bench, "lin400-run-harden", "lin400-run", &estimate);
	if (why)
		report_add(report, harden, name, VERDICT_UNKNOWN, "%s", why);
	else
		set_ratio(report_add(report, harden, name, VERDICT_OK, "%s", ""), &estimate);
}

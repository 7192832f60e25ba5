/* SPDX-License-Identifier: GPL-2.0-only */
#include "behaviour.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

static const char group[] = "behaviour";

/* Ratios of one run repeat to a few tenths of a per cent; see measure.h. */
#define SAME 0.05
/*
 * On x86-64 the interpreter takes about 15 instructions of the CPU for one of a filter,
 * the JIT's code 2. The share of one instruction in the whole system call
 * depends on the CPU, this ratio hardly does.
 */
#define JIT_GAIN 3.0

bool kernel_caches_actions(void)
{
	struct utsname name;
	unsigned long major, minor;
	char *end;

	if (uname(&name))
		return false;
	major = strtoul(name.release, &end, 10);
	minor = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;
	return major > 5 || (major == 5 && minor >= 11);
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

enum verdict behaviour_is_one(const struct estimate *estimate)
{
	if (fabs(estimate->ratio - 1) <= SAME)
		return VERDICT_OK;
	if (estimate->ci95[0] > 1 + SAME || estimate->ci95[1] < 1 - SAME)
		return VERDICT_FAIL;
	return VERDICT_UNKNOWN;
}

enum verdict behaviour_is_above_one(const struct estimate *estimate)
{
	if (estimate->ci95[0] > 1)
		return VERDICT_OK;
	return estimate->ratio <= 1 ? VERDICT_FAIL : VERDICT_UNKNOWN;
}

/* A result about the ratio of two cells; expected is for the reason. */
static void judge_ratio(const struct bench *bench, struct report *report, const char *name,
			const char *cell, const char *baseline,
			enum verdict (*judge)(const struct estimate *estimate),
			const char *expected)
{
	struct estimate estimate;
	const char *why = bench_compare(bench, cell, baseline, &estimate);
	struct result *result;
	enum verdict verdict;

	if (why) {
		report_add(report, group, name, VERDICT_UNKNOWN, "%s", why);
		return;
	}
	verdict = judge(&estimate);
	if (verdict == VERDICT_OK)
		result = passed(report, name);
	else
		result = report_add(report, group, name, verdict,
				    "%s to %s is %.3f [%.3f, %.3f], not %s%s", cell, baseline,
				    estimate.ratio, estimate.ci95[0], estimate.ci95[1], expected,
				    verdict == VERDICT_UNKNOWN ? ", but may be" : "");
	set_ratio(result, &estimate);
}

/* What the action cache answers costs the same. */
static void must_be_same(const struct bench *bench, struct report *report, const char *name,
			 const char *cell, const char *baseline)
{
	if (kernel_caches_actions())
		judge_ratio(bench, report, name, cell, baseline, behaviour_is_one, "1 +- 0.05");
	else
		report_add(report, group, name, VERDICT_NA, "no action cache before Linux 5.11");
}

/* Cells loaded with the JIT on and off: the suffixes that they go by. */
static const char *suffix(const struct bench *bench, bool jit)
{
	return jit == (bench->jit.state == JIT_ON) ? "" : bench_toggled_suffix(bench);
}

static const char *ns_of(const struct bench *bench, const char *shape, const char *tail, double *ns)
{
	struct estimate estimate;
	char name[40];
	const char *why;

	snprintf(name, sizeof(name), "%s%s", shape, tail);
	why = bench_compare(bench, name, "none", &estimate);
	*ns = estimate.ns;
	return why;
}

/* What 400 rules cost more than one, per instruction that they have more. */
static const char *per_insn(const struct bench *bench, const char *tail, double *ns)
{
	const struct cell *lin1 = bench_cell(bench, "lin1-run");
	const struct cell *lin400 = bench_cell(bench, "lin400-run");
	double shorter, longer;
	const char *why = ns_of(bench, "lin1-run", tail, &shorter);

	if (!why)
		why = ns_of(bench, "lin400-run", tail, &longer);
	if (!why)
		*ns = (longer - shorter) / (lin400->built->program.len - lin1->built->program.len);
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
	if (estimate.ci95[0] > 1 && without >= JIT_GAIN * with)
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
	char off[40], on[40];

	snprintf(off, sizeof(off), "lin400%s", suffix(bench, false));
	snprintf(on, sizeof(on), "lin400%s", suffix(bench, true));
	must_be_same(bench, report, "jit-lin400-cached", off, on);
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
	else if (jit->toggled.verdict == VERDICT_NA && jit->hardened.verdict == VERDICT_NA)
		report_add(report, group, name, VERDICT_NA, "none was changed");
	else
		passed(report, name);
}

void behaviour_report(const struct bench *bench, struct report *report)
{
	filters_active(bench, report);
	judge_ratio(bench, report, "program-length", "lin400-run", "lin12-run",
		    behaviour_is_above_one, "above 1");
	must_be_same(bench, report, "cached-length", "lin400", "lin12");
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

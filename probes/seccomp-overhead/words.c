/* SPDX-License-Identifier: GPL-2.0-only */
#include "words.h"

#include <errno.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>

#include "audit.h"
#include "behaviour.h"
#include "ssbd.h"

static void fact_libseccomp(struct report *report)
{
	const struct scmp_version *version = seccomp_version();

	report_fact(report, "libseccomp", "%u.%u.%u", version->major, version->minor,
		    version->micro);
}

static void fact_jit(const struct jit *jit, struct report *report)
{
	static const char *const words[] = {
		[JIT_ABSENT] = "not built in",
		[JIT_OFF] = "off",
		[JIT_ON] = "on",
	};

	if (jit->always)
		report_fact(report, "bpf_jit", "always on");
	else if (jit->value == 2)
		report_fact(report, "bpf_jit", "on, with debug output (2)");
	else if (jit->state == JIT_UNKNOWN)
		report_fact(report, "bpf_jit", "unknown: %s", jit->unread);
	else
		report_fact(report, "bpf_jit", "%s", words[jit->state]);
	if (jit->harden >= 0)
		report_fact(report, "bpf_jit_harden", "%d", jit->harden);
	else
		report_fact(report, "bpf_jit_harden", "unknown: %s", jit->harden_unread);
}

static void fact_audit(struct report *report)
{
	int enabled = audit_enabled();

	if (enabled == -EPROTONOSUPPORT)
		report_fact(report, "audit", "not built in");
	else if (enabled < 0)
		report_fact(report, "audit", "unknown: AUDIT_GET: %s", strerrorname_np(-enabled));
	else
		report_fact(report, "audit", "%s", enabled ? "on" : "off");
	if (enabled > 0)
		report_say(report, "Audit is on: unless a rule says never,task all system calls "
				   "take the slow path already, so that a filter seems cheaper "
				   "than it is.");
}

static int ssbd_filtered(const struct bench *bench)
{
	const struct cell *cell = bench_cell(bench, "memory-filter");

	return cell ? cell->ssbd : -ENODATA;
}

void words_facts(const struct bench *bench, struct report *report)
{
	char text[80];

	fact_libseccomp(report);
	fact_jit(&bench->jit, report);
	report_fact(report, "ssbd", "%s", ssbd_words(ssbd_state(), text, sizeof(text)));
	report_fact(report, "ssbd_filtered", "%s",
		    ssbd_words(ssbd_filtered(bench), text, sizeof(text)));
	fact_audit(report);
}

/* Nanoseconds; NaN makes a sentence impossible, and the caller asks before. */
static double ns(const struct bench *bench, const char *name)
{
	struct estimate estimate;

	bench_compare(bench, name, "none", &estimate);
	return estimate.ns;
}

/* A cell loaded without the JIT and with it. */
struct pair {
	double without, with; /* ns */
	struct estimate estimate;
};

static struct pair jit_pair(const struct bench *bench, const char *shape)
{
	bool on = bench->jit.state == JIT_ON;
	struct estimate estimate;
	char toggled[40];

	snprintf(toggled, sizeof(toggled), "%s%s", shape, bench_toggled_suffix(bench));
	bench_compare(bench, on ? toggled : shape, on ? shape : toggled, &estimate);
	return (struct pair){
		.without = ns(bench, on ? toggled : shape),
		.with = ns(bench, on ? shape : toggled),
		.estimate = estimate,
	};
}

static void say_jit_gain(const struct bench *bench, struct report *report)
{
	struct pair lin12 = jit_pair(bench, "lin12-run"), lin400 = jit_pair(bench, "lin400-run");
	struct estimate same = jit_pair(bench, "lin12").estimate;
	char cached[80] = "";

	if (kernel_caches_actions())
		snprintf(cached, sizeof(cached), "; one that it can answer, x%.2f [%.2f, %.2f]",
			 same.ratio, same.ci95[0], same.ci95[1]);
	report_say(report,
		   "Without the JIT, a system call under a 12-rule filter%s costs %.0f ns instead "
		   "of %.0f ns (x%.2f), under 400 rules %.0f ns instead of %.0f ns (x%.2f)%s.",
		   kernel_caches_actions() ? " that the action cache cannot answer" : "",
		   lin12.without, lin12.with, lin12.estimate.ratio, lin400.without, lin400.with,
		   lin400.estimate.ratio, cached);
}

static void say_jit_unknown(const struct bench *bench, struct report *report)
{
	static const char *const with[] = {
		[JIT_UNKNOWN] = "With the JIT on or off, which cannot be told",
		[JIT_ABSENT] = "Without a JIT",
		[JIT_OFF] = "With the JIT off",
		[JIT_ON] = "With the JIT",
	};
	const struct jit *jit = &bench->jit;

	if (jit->state != JIT_ABSENT)
		report_say(report, "What CONFIG_BPF_JIT=n costs cannot be measured here: %s%s.",
			   jit->always ? "the JIT is " : "", jit->toggled.why);
	report_say(report,
		   "%s, a system call under a filter costs %.0f ns for 12 rules and %.0f ns for "
		   "400 when the program runs, %.0f ns when the action cache answers, and %.0f ns "
		   "without a filter.",
		   with[jit->state], ns(bench, "lin12-run"), ns(bench, "lin400-run"),
		   ns(bench, "lin12"), ns(bench, "none"));
}

/*
 * The slow path is what a cached answer costs more than no filter; an instruction, the
 * slope from 1 rule to 400; a program, what each further filter adds without that.
 */
static void say_parts(const struct bench *bench, struct report *report)
{
	const struct cell *shorter = bench_cell(bench, "lin1-run");
	const struct cell *longer = bench_cell(bench, "lin400-run");
	const struct cell *stacked = bench_cell(bench, "lin12x8-run");
	unsigned int insns = longer->built->program.len - shorter->built->program.len;
	double insn = (ns(bench, "lin400-run") - ns(bench, "lin1-run")) / insns;
	double filter =
		(ns(bench, "lin12x8-run") - ns(bench, "lin12-run")) / (stacked->shape->copies - 1);

	filter -= insn * stacked->built->program.len;
	if (kernel_caches_actions())
		report_say(report,
			   "Entering seccomp costs %.0f ns; where the cache has no answer, each "
			   "filter %.0f ns more, and each of its instructions %.2f ns.",
			   ns(bench, "lin12") - ns(bench, "none"), filter, insn);
	else
		report_say(report,
			   "Each filter more costs %.0f ns, and each of its instructions %.2f ns.",
			   filter, insn);
}

static void say_ssbd(const struct bench *bench, struct report *report)
{
	int before = ssbd_state(), after = ssbd_filtered(bench);
	struct estimate filtered, allowed;
	char text[80], other[80];

	if (after == -ENODATA || before < 0 || after < 0)
		return;
	if (before == after) {
		report_say(report, "A filter leaves speculative store bypass as it is: %s.",
			   ssbd_words(before, text, sizeof(text)));
		return;
	}
	report_say(report, "A filter changes speculative store bypass from %s to %s.",
		   ssbd_words(before, text, sizeof(text)), ssbd_words(after, other, sizeof(other)));
	if (bench_compare(bench, "memory-filter", "memory", &filtered) ||
	    bench_compare(bench, "memory-filter-spec-allow", "memory", &allowed))
		return;
	report_say(report,
		   "A loop of loads and stores then takes x%.2f the time (x%.2f with "
		   "SECCOMP_FILTER_FLAG_SPEC_ALLOW).",
		   filtered.ratio, allowed.ratio);
}

static bool all_measured(const struct bench *bench)
{
	struct estimate estimate;
	size_t i;

	for (i = 0; i < bench->cell_count; i++)
		if (bench->cells[i].verdict != VERDICT_NA &&
		    bench_compare(bench, bench->cells[i].name, "none", &estimate))
			return false;
	return true;
}

void words_say(const struct bench *bench, struct report *report)
{
	if (!all_measured(bench))
		return;
	if (bench->jit.toggled.verdict == VERDICT_OK)
		say_jit_gain(bench, report);
	else
		say_jit_unknown(bench, report);
	say_parts(bench, report);
	say_ssbd(bench, report);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wipeonfork: does MADV_WIPEONFORK (Linux 4.14) do here what random number
 * generators rely on, so that no two processes after a fork share their state?
 * The madvise(2) that says yes proves nothing: emulators and filters say so, too.
 */
#include "wipeonfork.h"

/* Nothing can be asked of advice that is not taken. */
static void run_group(struct report *report, const struct case_group *group,
		      const struct result *functional)
{
	for (size_t i = 0; i < group->count; i++) {
		if (functional->verdict == VERDICT_NA)
			report_add(report, group->name, group->cases[i].name, VERDICT_NA, "%s",
				   functional->reason);
		else
			case_run(report, group->name, &group->cases[i]);
	}
}

static void run_checks(struct report *report, const struct settings *settings,
		       const struct result *functional)
{
	const char *reason = functional->reason;
	enum verdict verdict = functional->verdict;

	if (verdict == VERDICT_OK) {
		steady_state(report);
		cost(report, settings);
		return;
	}
	if (verdict == VERDICT_FAIL) {
		verdict = VERDICT_NA;
		reason = "nothing is wiped: no check can tell a fork";
	}
	report_add(report, "steady-state", "no-system-call", verdict, "%s", reason);
	report_add(report, "cost", "getpid-check", verdict, "%s", reason);
	report_add(report, "cost", "page-check", verdict, "%s", reason);
}

static size_t count_failures(const struct report *report)
{
	size_t count = 0;

	for (size_t i = 0; i < report->result_count; i++)
		count += report->results[i]->verdict == VERDICT_FAIL;
	return count;
}

static void say_outcome(struct report *report, const struct result *functional)
{
	size_t failures = count_failures(report);

	switch (functional->verdict) {
	case VERDICT_OK:
		report_say(report, "MADV_WIPEONFORK works here: wiped. The child of a fork finds "
				   "zeros, its parent keeps its data.");
		if (failures)
			report_say(report, "Results that are not as they must be: %zu.", failures);
		break;
	case VERDICT_NA:
		report_say(report, "MADV_WIPEONFORK is refused here: %s.", functional->reason);
		break;
	case VERDICT_FAIL:
		report_say(
			report,
			"MADV_WIPEONFORK is accepted but not wiped here (%s): do not rely on it. "
			"An emulator or a filter answers in the kernel's place.",
			functional->reason);
		break;
	default:
		report_say(report, "Whether MADV_WIPEONFORK works here could not be found out: %s.",
			   functional->reason);
	}
}

static void run(struct report *report, const struct settings *settings)
{
	static const struct case_group *const groups[] = {
		&children_group, &wiped_group, &kept_group, &refused_group, &limits_group};
	const struct result *functional = detect(report);

	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		run_group(report, groups[i], functional);
	say_outcome(report, functional);
	run_checks(report, settings, functional);
}

static const struct probe probe = {
	.name = "wipeonfork",
	.summary = "does MADV_WIPEONFORK wipe a child's memory, and only that?",
	.run = run,
};

int main(int argc, char **argv)
{
	return probe_main(&probe, argc, argv);
}

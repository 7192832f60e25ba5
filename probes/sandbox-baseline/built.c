/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sandboxes that the probe builds. The verdicts are about the checks: each must
 * notice what it is there to notice, and nothing else.
 */
#include <errno.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "calls.h"
#include "groups.h"

#define GROUP "built"
#define TEXT  240

struct tally {
	unsigned int noticed;
	unsigned int unaffected;
	unsigned int left_out;
	char wrong[TEXT]; /* the first unaffected check that did not pass */
	bool broken;	  /* and it really failed, it was not just too slow */
};

/* The C library passes a refusal on under another name: malloc() says ENOMEM, ... */
static bool is_error_of(const struct sandbox *sandbox, int error)
{
	return error == sandbox->error || error == ENOMEM || error == EAGAIN;
}

static bool is_trap_of(const struct sandbox *sandbox, int number)
{
	for (enum call call = 0; call < CALLS; call++)
		if ((sandbox->calls & BIT(call)) && call_number(call) == number)
			return true;
	return false;
}

/*
 * Refused with an errno: the check passes it on, or the C library aborts. The kernel's
 * brk(2) has no errno, so glibc (2.36, sysdeps/unix/sysv/linux/brk.c) takes one for the new
 * end of the heap, and sysmalloc() writes to memory that is not there.
 */
static bool noticed_error(const struct sandbox *sandbox, const struct child *child)
{
	if (child->end == CHILD_EXITED)
		return child->value > PASSED && child->value < NOT_ENTERED &&
		       is_error_of(sandbox, child->error);
	if (child->end != CHILD_SIGNALED)
		return false;
	return (child->value == SIGABRT && sandbox->calls) ||
	       (child->value == SIGSEGV && (sandbox->calls & BIT(CALL_BRK)));
}

/* glibc blocks signals when a thread ends: then a trap kills. */
static bool noticed(const struct sandbox *sandbox, const struct child *child)
{
	if (sandbox->error)
		return noticed_error(sandbox, child);
	if (sandbox->action == SCMP_ACT_TRAP && child->end == CHILD_TRAPPED)
		return is_trap_of(sandbox, child->value);
	if (sandbox->action == SCMP_ACT_TRAP || sandbox->action == SCMP_ACT_KILL_PROCESS)
		return child->end == CHILD_SIGNALED && child->value == SIGSYS;
	return check_ended(child, FAILED);
}

/* A signal does not tell which call it was, but here it is known which were refused. */
static void describe_culprits(const struct sandbox *sandbox, const struct child *child, char *text,
			      size_t size)
{
	size_t length = strlen(text);

	if (child->end != CHILD_SIGNALED && child->end != CHILD_TIMED_OUT)
		return;
	for (enum call call = 0; call < CALLS; call++) {
		if (!(sandbox->calls & BIT(call)))
			continue;
		snprintf(text + length, size - length, ", %s refused", call_name(call));
		length = strlen(text);
	}
}

static void report_cell(struct report *report, const struct sandbox *sandbox, enum check_id id,
			const struct child *child)
{
	bool passed = check_ended(child, PASSED);
	enum verdict verdict = VERDICT_FAIL;
	const char *reason = "it did not end as expected";
	char name[64], seen[TEXT];

	if (noticed(sandbox, child) || (passed && (sandbox->may & BIT(id)))) {
		verdict = VERDICT_OK;
		reason = "";
	} else if (passed) {
		reason = "blind: it passed all the same";
	} else if (child->end == CHILD_NOT_STARTED || child->end == CHILD_TIMED_OUT) {
		verdict = VERDICT_UNKNOWN;
	}
	snprintf(name, sizeof(name), "%s-%s", sandbox->name, checks[id].name);
	check_describe(child, seen, sizeof(seen));
	describe_culprits(sandbox, child, seen, sizeof(seen));
	result_outcome(report_add(report, GROUP, name, verdict, "%s", reason), "%s", seen);
}

static void count_unaffected(struct tally *tally, enum check_id id, const struct child *child)
{
	char seen[TEXT / 2];

	if (check_ended(child, PASSED)) {
		tally->unaffected++;
		return;
	}
	if (child->end != CHILD_TIMED_OUT && child->end != CHILD_NOT_STARTED &&
	    !check_ended(child, UNPROVEN))
		tally->broken = true;
	if (!tally->wrong[0])
		snprintf(tally->wrong, sizeof(tally->wrong), "%s: %s", checks[id].name,
			 check_describe(child, seen, sizeof(seen)));
}

static void report_others(struct report *report, const struct sandbox *sandbox,
			  const struct tally *tally, enum verdict verdict, const char *reason)
{
	char name[64];

	snprintf(name, sizeof(name), "%s-others", sandbox->name);
	result_outcome(report_add(report, GROUP, name, verdict, "%s", reason),
		       "%u noticed, %u unaffected", tally->noticed, tally->unaffected);
}

/* False: the sandbox could not be built, and the report says so. */
static bool run_cell(struct report *report, const struct sandbox *sandbox, enum check_id id,
		     struct tally *tally)
{
	struct child child;
	char seen[TEXT];

	check_run(id, sandbox, &child);
	if (check_ended(&child, NO_SANDBOX) || check_ended(&child, NOT_ENTERED)) {
		check_describe(&child, seen, sizeof(seen));
		report_others(report, sandbox, tally,
			      child.value == NO_SANDBOX ? VERDICT_NA : VERDICT_UNKNOWN, seen);
		return false;
	}
	if ((sandbox->must | sandbox->may) & BIT(id)) {
		tally->noticed += !check_ended(&child, PASSED);
		report_cell(report, sandbox, id, &child);
	} else {
		count_unaffected(tally, id, &child);
	}
	return true;
}

/* Returns whether the sandbox could be built. */
static bool report_sandbox(struct report *report, const struct sandbox *sandbox,
			   const enum verdict current[CHECKS])
{
	enum verdict verdict = VERDICT_OK;
	struct tally tally = {0};

	for (enum check_id id = 0; id < CHECKS; id++) {
		if (checks[id].where == CURRENT_ONLY)
			continue;
		if (current[id] != VERDICT_OK)
			tally.left_out++;
		else if (!run_cell(report, sandbox, id, &tally))
			return false;
	}
	if (tally.wrong[0])
		verdict = tally.broken ? VERDICT_FAIL : VERDICT_UNKNOWN;
	else if (!tally.unaffected)
		verdict = VERDICT_NA;
	if (!tally.wrong[0] && tally.left_out)
		snprintf(tally.wrong, sizeof(tally.wrong),
			 "checks left out, since not ok without it: %u", tally.left_out);
	report_others(report, sandbox, &tally, verdict, tally.wrong);
	return true;
}

void report_built(struct report *report, const enum verdict current[CHECKS], bool quick)
{
	unsigned int wanted = 0, built = 0;

	for (size_t i = 0; i < sandbox_count; i++) {
		if (quick && !sandboxes[i].quick)
			continue;
		wanted++;
		built += report_sandbox(report, &sandboxes[i], current);
	}
	report_say(report, "%u of %u sandboxes could be built here, each to refuse one thing.",
		   built, wanted);
}

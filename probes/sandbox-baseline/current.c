/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sandbox that this process is in, whoever made it.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "calls.h"
#include "groups.h"

#define GROUP  "current"
#define REASON 400

/* Append to text, up to its size. */
static void append(char *text, size_t size, const char *more)
{
	size_t length = strlen(text);

	snprintf(text + length, size - length, "%s", more);
}

/*
 * Which of the calls that this check may have died of are refused here, each tried
 * alone: "futex refused: EPERM, madvise refused: kill", or "".
 */
static void find_culprits(unsigned int calls, char *text, size_t size)
{
	char refusal[64];

	text[0] = '\0';
	for (enum call call = 0; call < CALLS; call++) {
		if (!(calls & BIT(call)) || !call_refused(call, refusal, sizeof(refusal)))
			continue;
		append(text, size, text[0] ? ", " : "");
		append(text, size, refusal);
	}
}

/* No child could be had: of what? Whoever dies of trying has died before. */
static void find_culprit_of_fork(char *text, size_t size)
{
	static const enum call needs[] = {CALL_MMAP, CALL_CLONE};

	for (size_t i = 0; i < sizeof(needs) / sizeof(*needs); i++)
		if (call_try(needs[i]))
			snprintf(text, size, "%s refused: %s", call_name(needs[i]),
				 strerrorname_np(errno));
}

/* The stage tells: was it the check that failed, or its preparation? */
static bool in_setup(const struct child *child)
{
	return !child->stage[0] || !strncmp(child->stage, SETUP, strlen(SETUP));
}

/* How the check ended by itself; fail, if something else ended it. */
static enum verdict judge_outcome(const struct child *child)
{
	static const struct {
		enum outcome outcome;
		enum verdict verdict;
	} meaning[] = {
		{PASSED, VERDICT_OK},
		{DEGRADED, VERDICT_WEAKER},
		{UNSUPPORTED, VERDICT_NA},
		{UNPROVEN, VERDICT_UNKNOWN},
	};

	for (size_t i = 0; i < sizeof(meaning) / sizeof(*meaning); i++)
		if (check_ended(child, meaning[i].outcome))
			return meaning[i].verdict;
	return VERDICT_FAIL;
}

/*
 * Ends that may have another reason: SIGKILL comes from anywhere, a hang from a busy
 * machine, an exit status from a library that calls exit(). But with
 * SECCOMP_RET_KILL_THREAD, too, a process hangs or ends with 0.
 */
static bool is_doubtful(const struct child *child)
{
	return child->end == CHILD_TIMED_OUT ||
	       (child->end == CHILD_SIGNALED && child->value == SIGKILL) ||
	       (child->end == CHILD_EXITED && !check_ended(child, FAILED));
}

static enum verdict judge(const struct child *child, bool explained)
{
	enum verdict verdict = judge_outcome(child);

	if (verdict != VERDICT_FAIL)
		return verdict;
	if (child->end == CHILD_NOT_STARTED || in_setup(child))
		return VERDICT_UNKNOWN;
	return is_doubtful(child) && !explained ? VERDICT_UNKNOWN : VERDICT_FAIL;
}

/* A trap has told its call already, and what has passed was refused nothing. */
static bool needs_culprit(const struct child *child)
{
	return child->end == CHILD_SIGNALED || child->end == CHILD_TIMED_OUT ||
	       (child->end == CHILD_EXITED && child->value != PASSED &&
		child->value != UNSUPPORTED);
}

static enum verdict run_current(struct report *report, enum check_id id,
				const enum verdict verdicts[CHECKS])
{
	const struct check *check = &checks[id];
	char seen[REASON / 2], culprits[REASON / 2] = "";
	enum verdict verdict;
	struct child child;

	check_run(id, NULL, &child);
	if (child.end == CHILD_NOT_STARTED)
		find_culprit_of_fork(culprits, sizeof(culprits));
	else if (needs_culprit(&child))
		find_culprits(check->calls, culprits, sizeof(culprits));
	verdict = judge(&child, culprits[0]);
	check_describe(&child, seen, sizeof(seen));
	if (verdict == VERDICT_FAIL && check->optional && verdicts[check->instead] == VERDICT_OK) {
		report_add(report, GROUP, check->name, VERDICT_NA, "not needed, %s works: %s",
			   checks[check->instead].name, seen);
		return VERDICT_NA;
	}
	if (verdict == VERDICT_OK)
		report_add(report, GROUP, check->name, verdict, "%s", "");
	else if (culprits[0] && strncmp(seen, culprits, strlen(culprits)) != 0)
		report_add(report, GROUP, check->name, verdict, "%s; %s", culprits, seen);
	else
		report_add(report, GROUP, check->name, verdict, "%s", seen);
	return verdict;
}

/* "a, b, c": the checks with this verdict; false if there are none. */
static bool list(const enum verdict verdicts[CHECKS], enum verdict wanted, char *text, size_t size)
{
	text[0] = '\0';
	for (enum check_id id = 0; id < CHECKS; id++) {
		if (checks[id].where == BUILT_ONLY || verdicts[id] != wanted)
			continue;
		append(text, size, text[0] ? ", " : "");
		append(text, size, checks[id].name);
	}
	return text[0];
}

static void summarize(struct report *report, const enum verdict verdicts[CHECKS])
{
	char names[REASON];

	if (list(verdicts, VERDICT_FAIL, names, sizeof(names)))
		report_say(report, "This sandbox breaks: %s.", names);
	else if (list(verdicts, VERDICT_OK, names, sizeof(names)))
		report_say(report, "This sandbox breaks nothing that was checked.");
	else
		report_say(report, "Nothing could be checked in this sandbox.");
	if (list(verdicts, VERDICT_WEAKER, names, sizeof(names)))
		report_say(report, "It works less well than it could: %s.", names);
	if (list(verdicts, VERDICT_UNKNOWN, names, sizeof(names)))
		report_say(report, "It could not be told: %s.", names);
}

void report_current(struct report *report, enum verdict verdicts[CHECKS])
{
	for (enum check_id id = 0; id < CHECKS; id++)
		if (checks[id].where != BUILT_ONLY)
			verdicts[id] = run_current(report, id, verdicts);
	for (enum check_id id = 0; id < CHECKS; id++)
		if (checks[id].where == BUILT_ONLY)
			verdicts[id] = verdicts[checks[id].twin];
	summarize(report, verdicts);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One check in one child.
 */
#include <string.h>

#include "check.h"
#include "child.h"

const char *errno_name(int error)
{
	const char *name = strerrorname_np(error);

	return name ? name : "an unknown errno";
}

/* Exit statuses from here on are verdicts. A sanitizer or a library may end it with 1 or 2. */
#define STATUS_VERDICT 64

struct body {
	int (*run)(void *arg);
	void *arg;
};

static int run_body(void *arg)
{
	const struct body *body = arg;

	return STATUS_VERDICT + body->run(body->arg);
}

static bool is_verdict(const struct child *child)
{
	return child->end == CHILD_EXITED && child->value >= STATUS_VERDICT &&
	       child->value <= STATUS_VERDICT + VERDICT_WAIVED;
}

struct result *check_in_child(struct report *report, const char *group, const char *name,
			      int (*run)(void *arg), void *arg)
{
	struct body body = {run, arg};
	struct child child;
	char text[160];

	child_run(&child, run_body, &body, CHECK_TIMEOUT_MS);
	if (is_verdict(&child))
		return report_add(report, group, name, child.value - STATUS_VERDICT, "%s",
				  child.note);
	return report_add(report, group, name,
			  child.end == CHILD_NOT_STARTED ? VERDICT_UNKNOWN : VERDICT_FAIL, "%s",
			  child_describe(&child, text, sizeof(text)));
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Running one case in its own process, and turning its end into a result.
 */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "wipeonfork.h"

enum {
	/* Exit statuses from here on are verdicts; nothing else exits like this. */
	STATUS_VERDICT = 64,
	/* Far more than any case takes, even in an emulator. */
	CASE_TIMEOUT_MS = 10000,
};

int case_done(void)
{
	return STATUS_VERDICT + VERDICT_OK;
}

int is_conclusion(int status)
{
	return status >= STATUS_VERDICT && status <= STATUS_VERDICT + VERDICT_WAIVED;
}

void conclude(enum verdict verdict, const char *reason, ...)
{
	char text[160];
	va_list args;

	va_start(args, reason);
	vsnprintf(text, sizeof(text), reason, args);
	va_end(args);
	child_note("%s", text);
	_exit(STATUS_VERDICT + (int)verdict);
}

/* A filter that answers madvise(2) with a signal refuses it, too. */
static bool madvise_refused(const struct child *child)
{
	if (child->end == CHILD_TRAPPED)
		return child->value == SYS_madvise;
	return child->end == CHILD_SIGNALED && child->value == SIGSYS &&
	       !strcmp(child->stage, "madvise");
}

static struct result *add_end(struct report *report, const char *group, const char *name,
			      const struct child *child)
{
	char text[256];

	if (child->end == CHILD_EXITED && is_conclusion(child->value))
		return report_add(report, group, name, child->value - STATUS_VERDICT, "%s",
				  child->note);
	return report_add(report, group, name,
			  madvise_refused(child) ? VERDICT_NA : VERDICT_UNKNOWN, "%s",
			  child_describe(child, text, sizeof(text)));
}

static int body(void *arg)
{
	const struct test_case *test = arg;

	test->check();
	return case_done();
}

struct result *case_run(struct report *report, const char *group, const struct test_case *test)
{
	struct child child;

	child_run(&child, body, (void *)test, CASE_TIMEOUT_MS);
	return add_end(report, group, test->name, &child);
}

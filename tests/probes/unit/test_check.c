/* SPDX-License-Identifier: GPL-2.0-only */
/* A child of the getrandom probe passes only by saying so: no other exit is a verdict. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "getrandom/check.h"
#include "lib/child.h"

static int conclude(void *arg)
{
	child_note("why");
	return *(const enum verdict *)arg;
}

/* As a sanitizer does (1), or a library that runs out of memory. */
static int leave(void *arg)
{
	_exit(*(const int *)arg);
}

static void verdicts_are_handed_on(void **state)
{
	struct report *report = report_new("test");

	(void)state;
	for (enum verdict verdict = VERDICT_OK; verdict <= VERDICT_WAIVED; verdict++) {
		struct result *result = check_in_child(report, "group", "name", conclude, &verdict);

		assert_int_equal(result->verdict, verdict);
		assert_string_equal(result->reason, "why");
	}
	report_free(report);
}

static void other_exits_are_failures(void **state)
{
	struct report *report = report_new("test");

	(void)state;
	for (int status = 0; status <= VERDICT_WAIVED + 1; status++) {
		struct result *result = check_in_child(report, "group", "name", leave, &status);

		assert_int_equal(result->verdict, VERDICT_FAIL);
	}
	report_free(report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdicts_are_handed_on),
		cmocka_unit_test(other_exits_are_failures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

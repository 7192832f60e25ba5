/* SPDX-License-Identifier: GPL-2.0-only */
/* A report as KTAP, line by line. The kernel's parser reads it in test_ktap.py. */
#include "printed.h"

static struct report *one(enum verdict verdict, const char *reason)
{
	struct report *report = report_new("test");

	report_add(report, "group", "name", verdict, "%s", reason);
	return report;
}

static void assert_ktap(struct report *report, const char *part)
{
	char *text = printed(report, ktap_print);

	assert_has(text, part);
	free(text);
	report_free(report);
}

static void assert_ktap_not(struct report *report, const char *part)
{
	char *text = printed(report, ktap_print);

	assert_has_not(text, part);
	free(text);
	report_free(report);
}

/* The 6.1 parser wants the plan in the second line. */
static void test_starts_with_version_and_plan(void **state)
{
	struct report *report = one(VERDICT_OK, "");
	char *text;

	(void)state;
	report_add(report, "group", "second", VERDICT_OK, "%s", "");
	report_fact(report, "cpus", "2");
	text = printed(report, ktap_print);
	assert_int_equal(strncmp(text, "KTAP version 1\n1..2\n# ", 22), 0);
	assert_has(text, "\n# probe: test\n# verdict: ok\n# cpus: 2\nok 1 group.name\n");
	assert_has(text, "\nok 2 group.second\n");
	free(text);
	report_free(report);
}

static void test_results(void **state)
{
	(void)state;
	assert_ktap(one(VERDICT_OK, ""), "\nok 1 group.name\n");
	assert_ktap(one(VERDICT_OK, "by clone"), "\n# group.name: by clone\nok 1 group.name\n");
	assert_ktap(one(VERDICT_STRONGER, "vDSO"),
		    "\n# group.name: stronger: vDSO\nok 1 group.name\n");
	assert_ktap(one(VERDICT_WEAKER, "half"),
		    "\n# group.name: weaker: half\nnot ok 1 group.name\n");
	assert_ktap(one(VERDICT_FAIL, "EPERM"),
		    "\n# group.name: fail: EPERM\nnot ok 1 group.name\n");
	assert_ktap(one(VERDICT_NA, "Linux 5.11"), "\nok 1 group.name # SKIP Linux 5.11\n");
	assert_ktap(one(VERDICT_WAIVED, "known"), "\nok 1 group.name # XFAIL known\n");
	assert_ktap(one(VERDICT_UNKNOWN, "fork: EAGAIN"),
		    "\n# group.name: unknown: fork: EAGAIN\n"
		    "not ok 1 group.name # ERROR fork: EAGAIN\n");
}

/* Without words, a result that is not ok still says what it is. */
static void test_verdict_without_reason(void **state)
{
	(void)state;
	assert_ktap(one(VERDICT_FAIL, ""), "\n# group.name: fail\nnot ok 1 group.name\n");
	assert_ktap(one(VERDICT_STRONGER, ""), "\n# group.name: stronger\nok 1 group.name\n");
	assert_ktap(one(VERDICT_NA, ""), "\nok 1 group.name # SKIP\n");
}

/* A busy machine must not make a test fail, nor pass. */
static void test_withheld_figure(void **state)
{
	struct report *report = one(VERDICT_UNKNOWN, "A/A is 1.034");

	(void)state;
	report->results[0]->withheld = true;
	assert_ktap(report, "\nok 1 group.name # SKIP withheld: A/A is 1.034\n"
			    "# Totals: pass:0 fail:0 xfail:0 xpass:0 skip:1 error:0\n");
}

static void test_outcome(void **state)
{
	struct report *report = one(VERDICT_NA, "qemu-user");

	(void)state;
	result_outcome(report->results[0], "%s", "refused (EINVAL)");
	assert_ktap(report, "\n# group.name: n/a: refused (EINVAL): qemu-user\n"
			    "ok 1 group.name # SKIP qemu-user\n");
	report = one(VERDICT_OK, "");
	result_outcome(report->results[0], "%s", "wiped");
	assert_ktap(report, "\n# group.name: wiped\nok 1 group.name\n");
}

static void test_figures(void **state)
{
	struct report *report = one(VERDICT_OK, "");
	struct result *result = report->results[0];

	(void)state;
	result->ns = 187.8123;
	result->ratio = 1.8469;
	result->ci95[0] = 1.84;
	result->ci95[1] = 1.86;
	result_number(result, "insns", 409);
	result_number(result, "bytes", 16777216);
	report_aa(report, 0.99987);
	assert_ktap(report, "\n# aa: 0.9999\n# group.name: 187.81 ns, ratio 1.847 [1.840, 1.860], "
			    "insns 409, bytes 16777216\nok 1 group.name\n");

	report = one(VERDICT_OK, "");
	report->results[0]->ns = 0.2745;
	report->results[0]->ratio = 0.00190123;
	assert_ktap(report, "\n# group.name: 0.2745 ns, ratio 0.00190\nok 1 group.name\n");

	report = one(VERDICT_OK, "");
	report->results[0]->ns = 102900;
	report->results[0]->ratio = 1284.6;
	assert_ktap(report, "\n# group.name: 102900 ns, ratio 1285\nok 1 group.name\n");

	report = one(VERDICT_OK, "");
	report->results[0]->ratio = 0.97;
	result_number(report->results[0], "tasks", 1);
	assert_ktap(report, "\n# group.name: ratio 0.970, tasks 1\nok 1 group.name\n");

	report = one(VERDICT_OK, "");
	result_number(report->results[0], "tasks", 1);
	assert_ktap(report, "\n# group.name: tasks 1\nok 1 group.name\n");

	report = one(VERDICT_OK, "");
	report->results[0]->ns = 1234567;
	assert_ktap(report, "\n# group.name: 1234567 ns\nok 1 group.name\n");
	assert_ktap_not(one(VERDICT_OK, ""), "nan");
}

/* A directive in somebody's words must not become ours. */
static void test_hash_and_newline(void **state)
{
	struct report *report = report_new("test");

	(void)state;
	report_add(report, "group", "odd # SKIP name\nok 2 forged", VERDICT_FAIL, "%s", "");
	assert_ktap(report, "\nnot ok 1 group.odd _ SKIP name ok 2 forged\n# Totals");
	assert_ktap(one(VERDICT_UNKNOWN, "a # SKIP\nok 2 forged"),
		    "\nnot ok 1 group.name # ERROR a \\# SKIP ok 2 forged\n# Totals");
}

static void test_nothing_is_not_a_pass(void **state)
{
	struct report *report = report_new("wipeonfork");
	char *text = printed(report, ktap_print);

	(void)state;
	assert_has(text, "KTAP version 1\n1..1\n");
	assert_has(text, "\nnot ok 1 wipeonfork # ERROR nothing was checked\n");
	assert_has_not(text, "\nok");
	free(text);
	report_free(report);
}

static void test_sentences_and_totals(void **state)
{
	struct report *report = one(VERDICT_OK, "");

	(void)state;
	report_say(report, "Costs %d %%.\nok 7 forged", 39);
	report_add(report, "group", "a", VERDICT_STRONGER, "%s", "");
	report_add(report, "group", "b", VERDICT_FAIL, "%s", "");
	report_add(report, "group", "c", VERDICT_WEAKER, "%s", "");
	report_add(report, "group", "d", VERDICT_NA, "%s", "");
	report_add(report, "group", "e", VERDICT_UNKNOWN, "%s", "");
	report_add(report, "group", "f", VERDICT_WAIVED, "%s", "");
	assert_ktap(report, "\n# Costs 39 %. ok 7 forged\n"
			    "# Totals: pass:2 fail:2 xfail:1 xpass:0 skip:1 error:1\n");
}

static void test_full_disk(void **state)
{
	struct report *report = one(VERDICT_OK, "");

	(void)state;
	assert_full_is_told(report, ktap_print);
	report_free(report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_starts_with_version_and_plan),
		cmocka_unit_test(test_results),
		cmocka_unit_test(test_verdict_without_reason),
		cmocka_unit_test(test_withheld_figure),
		cmocka_unit_test(test_outcome),
		cmocka_unit_test(test_figures),
		cmocka_unit_test(test_hash_and_newline),
		cmocka_unit_test(test_nothing_is_not_a_pass),
		cmocka_unit_test(test_sentences_and_totals),
		cmocka_unit_test(test_full_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

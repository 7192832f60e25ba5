/* SPDX-License-Identifier: GPL-2.0-only */
/* What the results of a report amount to, and what it does to the strings it is given. */
#include <math.h>

#include "printed.h"

#include "lib/report.h"

#define MAX 3

/* Verdicts of the results, and what they make of the report. */
static const struct rule {
	enum verdict results[MAX];
	size_t count;
	enum verdict verdict;
	int status;
} rules[] = {
	{{0}, 0, VERDICT_UNKNOWN, 2},
	{{VERDICT_OK}, 1, VERDICT_OK, 0},
	{{VERDICT_STRONGER}, 1, VERDICT_OK, 0},
	{{VERDICT_WAIVED}, 1, VERDICT_OK, 0},
	{{VERDICT_WEAKER}, 1, VERDICT_WEAKER, 1},
	{{VERDICT_FAIL}, 1, VERDICT_FAIL, 1},
	{{VERDICT_UNKNOWN}, 1, VERDICT_UNKNOWN, 2},
	{{VERDICT_NA}, 1, VERDICT_NA, 4},
	{{VERDICT_NA, VERDICT_NA}, 2, VERDICT_NA, 4},
	{{VERDICT_NA, VERDICT_OK}, 2, VERDICT_OK, 0},
	{{VERDICT_NA, VERDICT_WAIVED}, 2, VERDICT_OK, 0},
	{{VERDICT_OK, VERDICT_WEAKER, VERDICT_NA}, 3, VERDICT_WEAKER, 1},
	{{VERDICT_WEAKER, VERDICT_UNKNOWN, VERDICT_OK}, 3, VERDICT_UNKNOWN, 2},
	{{VERDICT_UNKNOWN, VERDICT_FAIL, VERDICT_OK}, 3, VERDICT_FAIL, 1},
	{{VERDICT_OK, VERDICT_OK, VERDICT_FAIL}, 3, VERDICT_FAIL, 1},
};

static void check_rule(const struct rule *rule)
{
	struct report *report = report_new("test");

	for (size_t i = 0; i < rule->count; i++)
		report_add(report, "group", "name", rule->results[i], "%s", "");
	assert_string_equal(verdict_word(report_verdict(report)), verdict_word(rule->verdict));
	assert_int_equal(report_status(report), rule->status);
	report_free(report);
}

static void test_verdict_and_status(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		check_rule(&rules[i]);
}

static void test_words(void **state)
{
	(void)state;
	assert_string_equal(verdict_word(VERDICT_OK), "ok");
	assert_string_equal(verdict_word(VERDICT_STRONGER), "stronger");
	assert_string_equal(verdict_word(VERDICT_WEAKER), "weaker");
	assert_string_equal(verdict_word(VERDICT_FAIL), "fail");
	assert_string_equal(verdict_word(VERDICT_NA), "n/a");
	assert_string_equal(verdict_word(VERDICT_UNKNOWN), "unknown");
	assert_string_equal(verdict_word(VERDICT_WAIVED), "waived");
}

static void test_withheld_figures_decide_nothing(void **state)
{
	struct report *report = report_new("test");
	struct result *figure = report_add(report, "cost", "a", VERDICT_UNKNOWN, "busy");

	(void)state;
	assert_int_equal(report_verdict(report), VERDICT_UNKNOWN);
	figure->withheld = true;
	assert_int_equal(report_verdict(report), VERDICT_UNKNOWN);
	report_add(report, "group", "b", VERDICT_NA, "4.18");
	assert_int_equal(report_verdict(report), VERDICT_UNKNOWN);
	report_add(report, "group", "c", VERDICT_OK, "%s", "");
	assert_int_equal(report_verdict(report), VERDICT_OK);
	assert_int_equal(report_status(report), 0);
	report_add(report, "group", "d", VERDICT_UNKNOWN, "fork: EAGAIN");
	assert_int_equal(report_verdict(report), VERDICT_UNKNOWN);
	report_add(report, "group", "e", VERDICT_FAIL, "%s", "");
	assert_int_equal(report_verdict(report), VERDICT_FAIL);
	report_free(report);
}

static void test_new_result_has_no_figures(void **state)
{
	struct report *report = report_new("test");
	struct result *result = report_add(report, "cost", "none", VERDICT_OK, "%d of %s", 3, "x");

	(void)state;
	assert_string_equal(result->group, "cost");
	assert_string_equal(result->name, "none");
	assert_string_equal(result->reason, "3 of x");
	assert_null(result->outcome);
	assert_true(isnan(result->ns) && isnan(result->ratio));
	assert_true(isnan(result->ci95[0]) && isnan(result->ci95[1]));
	assert_int_equal(result->number_count, 0);
	assert_true(isnan(report->aa));
	report_free(report);
}

/* Results are held by pointers that probes keep while more are added. */
static void test_results_stay(void **state)
{
	struct report *report = report_new("test");
	struct result *first = report_add(report, "group", "first", VERDICT_OK, "%s", "");

	(void)state;
	for (int i = 0; i < 1000; i++)
		report_add(report, "group", "more", VERDICT_OK, "%s", "");
	result_outcome(first, "%s", "wiped");
	result_outcome(first, "%s", "seen twice");
	assert_int_equal(report->result_count, 1001);
	assert_ptr_equal(report->results[0], first);
	assert_string_equal(first->outcome, "seen twice");
	report_free(report);
}

static void test_numbers(void **state)
{
	struct report *report = report_new("test");
	struct result *result = report_add(report, "group", "name", VERDICT_OK, "%s", "");

	(void)state;
	result_number(result, "insns", 1);
	result_number(result, "bytes", 2);
	result_number(result, "insns", 3);
	result_number(result, "bytes", NAN);
	result_number(result, "never", INFINITY);
	assert_int_equal(result->number_count, 2);
	assert_string_equal(result->numbers[0].key, "insns");
	assert_true(result->numbers[0].value == 3);
	assert_true(result->numbers[1].value == 2);
	report_free(report);
}

static void test_facts(void **state)
{
	struct report *report = report_new("test");

	(void)state;
	report_fact(report, "cpus", "%d", 2);
	report_fact(report, "jit", "off");
	report_fact(report, "cpus", "%d", 4);
	assert_int_equal(report->fact_count, 2);
	assert_string_equal(report->facts[0].key, "cpus");
	assert_string_equal(report->facts[0].value, "4");
	assert_string_equal(report->facts[1].value, "off");
	report_free(report);
}

static void test_aa_keeps_the_worst(void **state)
{
	struct report *report = report_new("test");

	(void)state;
	report_aa(report, 1.002);
	report_aa(report, 0.99);
	report_aa(report, 1.003);
	report_aa(report, NAN);
	assert_true(report->aa == 0.99);
	report_free(report);
}

/* What goes in, and what is kept of it. */
static const struct {
	const char *raw, *kept;
} strings[] = {
	{"plain 100 % \\x41", "plain 100 % \\x41"},
	{"two\nlines\tand\r\n", "two lines and  "},
	{"\033[31mred\x7f", "\\x1b[31mred\\x7f"},
	{"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\xa7", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\xa7"},
	{"\xff\xfe", "\\xff\\xfe"},
	{"cut \xe2\x82", "cut \\xe2\\x82"},
	{"\xc3(", "\\xc3("},
	{"\xc0\xaf overlong \xe0\x80\xaf", "\\xc0\\xaf overlong \\xe0\\x80\\xaf"},
	{"\xed\xa0\x80 surrogate", "\\xed\\xa0\\x80 surrogate"},
	{"\xf4\x90\x80\x80 beyond", "\\xf4\\x90\\x80\\x80 beyond"},
	{"\xc2\x9b CSI of 8 bits", "\\xc2\\x9b CSI of 8 bits"},
	{"", ""},
};

static void test_strings_are_printable(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(strings) / sizeof(*strings); i++) {
		struct report *report = report_new("test");
		struct result *result =
			report_add(report, "group", "name", VERDICT_OK, "%s", strings[i].raw);

		report_say(report, "%s", strings[i].raw);
		report_fact(report, "fact", "%s", strings[i].raw);
		assert_string_equal(result->reason, strings[i].kept);
		assert_string_equal(report->sentences[0], strings[i].kept);
		assert_string_equal(report->facts[0].value, strings[i].kept);
		report_free(report);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verdict_and_status),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_withheld_figures_decide_nothing),
		cmocka_unit_test(test_new_result_has_no_figures),
		cmocka_unit_test(test_results_stay),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_aa_keeps_the_worst),
		cmocka_unit_test(test_strings_are_printable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

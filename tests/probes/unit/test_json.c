/* SPDX-License-Identifier: GPL-2.0-only */
/* A report as JSON, parsed back. */
#include <json-c/json.h>
#include <math.h>

#include "printed.h"

static struct report *sample(void)
{
	struct report *report = report_new("seccomp-overhead");
	struct result *result = report_add(report, "cost", "lin400-run", VERDICT_OK, "%s", "");

	result->ns = 187.8123456789;
	result->ratio = 1.8471234567;
	result->ci95[0] = 1.84;
	result->ci95[1] = 1.86;
	result_number(result, "insns", 409);
	result_outcome(result, "%s", "run");
	report_add(report, "cost", "jit-off", VERDICT_NA, "%s", "EINVAL \"always on\" \\ \n");
	report_fact(report, "kernel", "6.1.0");
	report_fact(report, "cpus", "2");
	report_aa(report, 0.99991);
	report_say(report, "It costs 39 %%.");
	return report;
}

/* Parsed by the strictest rules that json-c has. The caller's to put. */
static json_object *parsed(const struct report *report)
{
	char *text = printed(report, json_print);
	struct json_tokener *tokener = json_tokener_new();
	json_object *object;

	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	object = json_tokener_parse_ex(tokener, text, (int)strlen(text));
	if (!object)
		fail_msg("%s in:\n%s", json_tokener_error_desc(json_tokener_get_error(tokener)),
			 text);
	json_tokener_free(tokener);
	free(text);
	return object;
}

/* A member, written as JSON; "none" when there is no such member. */
static const char *member(json_object *object, const char *key)
{
	json_object *value;

	if (!json_object_object_get_ex(object, key, &value))
		return "none";
	return json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN |
							     JSON_C_TO_STRING_NOSLASHESCAPE);
}

static json_object *result_at(json_object *object, size_t index)
{
	return json_object_array_get_idx(json_object_object_get(object, "results"), index);
}

static void test_report(void **state)
{
	struct report *report = sample();
	json_object *object = parsed(report);

	(void)state;
	assert_string_equal(member(object, "probe"), "\"seccomp-overhead\"");
	assert_string_equal(member(object, "verdict"), "\"ok\"");
	assert_string_equal(member(object, "kernel"), "\"6.1.0\"");
	assert_string_equal(member(object, "machine"), "{\"kernel\":\"6.1.0\",\"cpus\":\"2\"}");
	assert_string_equal(member(object, "aa"), "0.99991");
	assert_string_equal(member(object, "summary"), "[\"It costs 39 %.\"]");
	assert_int_equal(json_object_array_length(json_object_object_get(object, "results")), 2);
	json_object_put(object);
	report_free(report);
}

static void test_results(void **state)
{
	struct report *report = sample();
	json_object *object = parsed(report);
	json_object *timed = result_at(object, 0), *skipped = result_at(object, 1);

	(void)state;
	assert_string_equal(member(timed, "name"), "\"lin400-run\"");
	assert_string_equal(member(timed, "group"), "\"cost\"");
	assert_string_equal(member(timed, "verdict"), "\"ok\"");
	assert_string_equal(member(timed, "reason"), "\"\"");
	assert_string_equal(member(timed, "outcome"), "\"run\"");
	assert_string_equal(member(timed, "ns"), "187.812");
	assert_string_equal(member(timed, "ratio"), "1.84712");
	assert_string_equal(member(timed, "ci95"), "[1.84,1.86]");
	assert_string_equal(member(timed, "insns"), "409");
	assert_string_equal(member(skipped, "verdict"), "\"n/a\"");
	assert_string_equal(member(skipped, "reason"), "\"EINVAL \\\"always on\\\" \\\\  \"");
	assert_string_equal(member(skipped, "ns"), "none");
	assert_string_equal(member(skipped, "ratio"), "none");
	assert_string_equal(member(skipped, "ci95"), "none");
	assert_string_equal(member(skipped, "outcome"), "none");
	json_object_put(object);
	report_free(report);
}

static void test_withheld_figure(void **state)
{
	struct report *report = report_new("x");
	json_object *object, *results;

	(void)state;
	report_add(report, "cost", "a", VERDICT_UNKNOWN, "busy")->withheld = true;
	report_add(report, "cost", "b", VERDICT_UNKNOWN, "EAGAIN");
	object = parsed(report);
	assert_true(json_object_object_get_ex(object, "results", &results));
	assert_string_equal(member(json_object_array_get_idx(results, 0), "withheld"), "true");
	assert_string_equal(member(json_object_array_get_idx(results, 1), "withheld"), "none");
	json_object_put(object);
	report_free(report);
}

static void test_empty_report(void **state)
{
	struct report *report = report_new("x");
	json_object *object = parsed(report);

	(void)state;
	assert_string_equal(member(object, "verdict"), "\"unknown\"");
	assert_string_equal(member(object, "kernel"), "\"unknown\"");
	assert_string_equal(member(object, "results"), "[]");
	assert_string_equal(member(object, "aa"), "none");
	assert_string_equal(member(object, "summary"), "[]");
	json_object_put(object);
	report_free(report);
}

/* A number, and its digits. */
static const struct {
	double value;
	const char *digits;
} numbers[] = {
	{0, "0"},
	{409, "409"},
	{-5, "-5"},
	{1652913, "1652913"},
	{16777216, "16777216"},
	{1652913.4, "1652913"},
	{0.1, "0.1"},
	{1.0 / 3, "0.333333"},
	{123.456789, "123.457"},
};

static void test_digits(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		struct report *report = sample();
		json_object *object;

		result_number(report->results[0], "figure", numbers[i].value);
		object = parsed(report);
		assert_string_equal(member(result_at(object, 0), "figure"), numbers[i].digits);
		json_object_put(object);
		report_free(report);
	}
}

static void test_never_nan_or_infinite(void **state)
{
	struct report *report = sample();
	json_object *object;

	(void)state;
	report->results[0]->ns = INFINITY;
	report->results[0]->ratio = NAN;
	report->results[0]->ci95[1] = NAN;
	object = parsed(report);
	assert_string_equal(member(result_at(object, 0), "ns"), "none");
	assert_string_equal(member(result_at(object, 0), "ratio"), "none");
	assert_string_equal(member(result_at(object, 0), "ci95"), "none");
	json_object_put(object);
	report_free(report);
}

/* Every byte there is, in every place that takes a string. */
static void test_garbage(void **state)
{
	struct report *report;
	json_object *object;
	char garbage[256];

	(void)state;
	for (int i = 0; i < 255; i++)
		garbage[i] = (char)(i + 1);
	garbage[255] = '\0';
	report = report_new(garbage);
	report_fact(report, garbage, "%s", garbage);
	report_say(report, "%s", garbage);
	result_outcome(report_add(report, garbage, garbage, VERDICT_FAIL, "%s", garbage), "%s",
		       garbage);
	object = parsed(report);
	assert_has(member(object, "probe"), "\\\\x01");
	assert_has(member(object, "probe"), "\\\\xff");
	assert_has(member(object, "probe"), "abcdefghijklmnopqrstuvwxyz");
	json_object_put(object);
	report_free(report);
}

static void test_full_disk(void **state)
{
	struct report *report = sample();

	(void)state;
	assert_full_is_told(report, json_print);
	report_free(report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_results),
		cmocka_unit_test(test_withheld_figure),
		cmocka_unit_test(test_empty_report),
		cmocka_unit_test(test_digits),
		cmocka_unit_test(test_never_nan_or_infinite),
		cmocka_unit_test(test_garbage),
		cmocka_unit_test(test_full_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

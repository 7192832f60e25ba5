/* SPDX-License-Identifier: GPL-2.0-only */
/* A report as a table: its columns, units, alignment, colours and line breaks. */
#include <math.h>

#include "printed.h"

#include "lib/grid.h"

static int print_plain(const struct report *report, FILE *out)
{
	return table_print(report, out, false);
}

static int print_coloured(const struct report *report, FILE *out)
{
	return table_print(report, out, true);
}

static struct result *timed(struct report *report, const char *name, double ns, double ratio)
{
	struct result *result = report_add(report, "cost", name, VERDICT_OK, "%s", "");

	result->ns = ns;
	result->ratio = ratio;
	result->ci95[0] = ratio * 0.99;
	result->ci95[1] = ratio * 1.01;
	return result;
}

static void assert_table(struct report *report, const char *expected)
{
	char *text = printed(report, print_plain);

	assert_string_equal(text, expected);
	free(text);
	report_free(report);
}

static void assert_table_has(struct report *report, const char *part)
{
	char *text = printed(report, print_plain);

	assert_has(text, part);
	free(text);
	report_free(report);
}

static void test_whole(void **state)
{
	struct report *report = report_new("seccomp-overhead");

	(void)state;
	report_fact(report, "kernel", "6.1.0");
	report_fact(report, "cpus", "2");
	report_aa(report, 0.99991);
	timed(report, "none", 101.41, 1);
	result_number(timed(report, "lin400-run", 1878.09, 18.47), "insns", 409);
	report_add(report, "behaviour", "filter-kills", VERDICT_FAIL, "still runs");
	report_add(report, "cost", "jit-off", VERDICT_NA, "always on");
	report_say(report, "First.");
	report_say(report, "Second.");
	assert_table(report,
		     "seccomp-overhead: fail (2 ok, 1 fail, 1 n/a)\n"
		     "kernel 6.1.0; cpus 2\n"
		     "A/A 0.9999\n"
		     "\n"
		     "cost        verdict      ns   ratio     95 % interval  insns  reason\n"
		     "none        ok        101.4   1.000    [0.990, 1.010]\n"
		     "lin400-run  ok       1878.1  18.470  [18.285, 18.655]    409\n"
		     "jit-off     n/a                                               always on\n"
		     "\n"
		     "behaviour     verdict  reason\n"
		     "filter-kills  fail     still runs\n"
		     "\n"
		     "First.\n"
		     "Second.\n");
}

static void test_outcomes(void **state)
{
	struct report *report = report_new("wipeonfork");

	(void)state;
	result_outcome(report_add(report, "wiped", "fork", VERDICT_OK, "%s", ""), "wiped");
	report_add(report, "wiped", "clone", VERDICT_UNKNOWN, "EAGAIN");
	assert_table(report, "wipeonfork: unknown (1 ok, 1 unknown)\n"
			     "\n"
			     "wiped  verdict  outcome  reason\n"
			     "fork   ok       wiped\n"
			     "clone  unknown           EAGAIN\n");
}

static void test_nothing(void **state)
{
	(void)state;
	assert_table(report_new("x"), "x: unknown (nothing was checked)\n");
}

/* The least of a column's times, and the unit and digits that it leads to. */
static const struct {
	double ns;
	const char *expected;
} times[] = {
	{0.51, "       ns\nsmall  ok           0.510\nlarge  ok       20000.000\n"},
	{93.62, "      ns\nsmall  ok          93.62\nlarge  ok       20000.00\n"},
	{212.25, "     ns\nsmall  ok         212.2\nlarge  ok       20000.0\n"},
	{1212.5, "    us\nsmall  ok        1.212\nlarge  ok       20.000\n"},
	{3071000, "      ms\nsmall  ok          3.071\nlarge  ok       4000.000\n"},
};

static void test_units(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		struct report *report = report_new("x");

		report_add(report, "cost", "small", VERDICT_OK, "%s", "")->ns = times[i].ns;
		report_add(report, "cost", "large", VERDICT_OK, "%s", "")->ns =
			times[i].ns < 1e6 ? 20000 : 4e9;
		assert_table_has(report, times[i].expected);
	}
}

/* Ratios far below 1 keep three digits. */
static void test_small_ratios(void **state)
{
	struct report *report = report_new("x");

	(void)state;
	timed(report, "slow", 144.5, 1);
	timed(report, "fast", 0.2745, 0.0019);
	assert_table_has(report, "slow  ok       144.500  1.00000  [0.99000, 1.01000]\n"
				 "fast  ok         0.275  0.00190  [0.00188, 0.00192]\n");
}

/* What is counted has no decimals; what is measured has them in every row. */
static void test_numbers(void **state)
{
	struct report *report = report_new("x");
	struct result *first = report_add(report, "g", "a", VERDICT_OK, "%s", "");
	struct result *second = report_add(report, "g", "b", VERDICT_OK, "%s", "");

	(void)state;
	result_number(first, "insns", 19);
	result_number(second, "insns", 409);
	result_number(second, "us_first", 12.5);
	result_number(first, "us_first", 7000);
	assert_table_has(report, "g  verdict  insns  us_first\n"
				 "a  ok          19   7000.00\n"
				 "b  ok         409     12.50\n");
}

static void test_no_spaces_at_line_ends(void **state)
{
	struct report *report = report_new("x");
	char *text;

	(void)state;
	timed(report, "none", 100, 1);
	report_add(report, "cost", "long-name", VERDICT_NA, "%s", "reason");
	text = printed(report, print_plain);
	assert_has_not(text, " \n");
	free(text);
	report_free(report);
}

static void test_colours(void **state)
{
	struct report *report = report_new("x");
	char *plain, *coloured;

	(void)state;
	report_add(report, "g", "a", VERDICT_OK, "%s", "");
	report_add(report, "g", "b", VERDICT_FAIL, "%s", "\033[5mblinks");
	coloured = printed(report, print_coloured);
	assert_has(coloured, "\na  \033[32mok\033[0m\n");
	assert_has(coloured, "\nb  \033[1;31mfail\033[0m     \\x1b[5mblinks\n");
	plain = printed(report, print_plain);
	assert_has_not(plain, "\033");
	assert_has(plain, "\nb  fail     \\x1b[5mblinks\n");
	free(plain);
	free(coloured);
	report_free(report);
}

/* Characters, not bytes, are what is aligned. */
static void test_utf8(void **state)
{
	struct report *report = report_new("x");

	(void)state;
	report_add(report, "g", "caf\xc3\xa9", VERDICT_OK, "%s", "one");
	report_add(report, "g", "cafe", VERDICT_OK, "%s", "two");
	assert_table_has(report, "caf\xc3\xa9  ok       one\ncafe  ok       two\n");
}

/* A grid of one row on a page of this width. The caller's to free(). */
static char *grid_at(size_t width, const char *name, const char *reason)
{
	struct grid *grid = grid_new(1);
	char *text = NULL;
	size_t size;
	struct page page = {.out = open_memstream(&text, &size), .width = width};

	grid_column(grid, "name", false)->text = strdup(name);
	grid_column(grid, "never", false);
	grid_column(grid, "reason", false)->text = strdup(reason);
	grid_print(grid, &page);
	grid_free(grid);
	fclose(page.out);
	return text;
}

static void assert_grid(size_t width, const char *name, const char *reason, const char *expected)
{
	char *text = grid_at(width, name, reason);

	assert_string_equal(text, expected);
	free(text);
}

static void test_line_breaks(void **state)
{
	(void)state;
	assert_grid(40, "abc", "one two three four five six seven",
		    "name  reason\n"
		    "abc   one two three four five six seven\n");
	assert_grid(38, "abc", "one two three four five six seven",
		    "name  reason\n"
		    "abc   one two three four five six\n"
		    "      seven\n");
	assert_grid(39, "abc", "one two three four five six seven",
		    "name  reason\n"
		    "abc   one two three four five six seven\n");
	/* with too little room beside the name, below it */
	assert_grid(40, "abcdefghijklm", "one two three four five six seven",
		    "name           reason\n"
		    "abcdefghijklm\n"
		    "    one two three four five six seven\n");
	/* but not what fits */
	assert_grid(40, "abcdefghijklm", "one two three",
		    "name           reason\n"
		    "abcdefghijklm  one two three\n");
	/* characters count, not bytes */
	assert_grid(10, "a", "\xc3\xa9\xc3\xa9 \xc3\xa9",
		    "name  reason\n"
		    "a     \xc3\xa9\xc3\xa9 \xc3\xa9\n");
	/* nor is a word broken */
	assert_grid(36, "abc", "x CONFIG_BPF_JIT_ALWAYS_ON_AND_SO_ON y",
		    "name  reason\n"
		    "abc   x\n"
		    "      CONFIG_BPF_JIT_ALWAYS_ON_AND_SO_ON\n"
		    "      y\n");
}

static void test_full_disk(void **state)
{
	struct report *report = report_new("x");

	(void)state;
	assert_full_is_told(report, print_plain);
	report_free(report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_outcomes),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_small_ratios),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_no_spaces_at_line_ends),
		cmocka_unit_test(test_colours),
		cmocka_unit_test(test_utf8),
		cmocka_unit_test(test_line_breaks),
		cmocka_unit_test(test_full_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

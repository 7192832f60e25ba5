/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A report as KTAP, in the form that the kernel's tools agree on: a flat list
 * with names like "group.name", as kselftest_harness.h writes its fixtures; the
 * plan in the second line, since the kunit_parser.py of Linux 6.1 looks nowhere
 * else; what is to be said of a test in lines before its result; and in the line
 * of the result nothing but the directive, with its reason.
 */
#include <math.h>

#include "output.h"
#include "text.h"

/* How each verdict is said. To parsers that know SKIP only, XFAIL is ok and ERROR is not. */
static const struct form {
	const char *result;
	const char *directive;
} forms[] = {
	[VERDICT_OK] = {"ok", NULL},	     [VERDICT_STRONGER] = {"ok", NULL},
	[VERDICT_WEAKER] = {"not ok", NULL}, [VERDICT_FAIL] = {"not ok", NULL},
	[VERDICT_NA] = {"ok", "SKIP"},	     [VERDICT_UNKNOWN] = {"not ok", "ERROR"},
	[VERDICT_WAIVED] = {"ok", "XFAIL"},
};

/*
 * A figure that was withheld says nothing of the kernel, good or bad: a busy machine
 * must not make a test fail.
 */
static enum verdict told_as(const struct result *result)
{
	return result->withheld ? VERDICT_NA : result->verdict;
}

/* A '#' in a name would start a directive. */
static void print_name(const struct result *result, FILE *out)
{
	const char *parts[] = {result->group, ".", result->name};

	for (size_t i = 0; i < 3; i++)
		for (const char *c = parts[i]; *c; c++)
			putc(*c == '#' ? '_' : *c, out);
}

/* "# SKIP" counts wherever it stands in the line; TAP 14 writes such a '#' as "\#". */
static void print_escaped(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (*text == '#')
			putc('\\', out);
		putc(*text, out);
	}
}

/* Whether the line of the result tells everything: the verdict, and the reason, if any. */
static bool is_told(const struct result *result)
{
	if (result->outcome)
		return false;
	if (result->verdict == VERDICT_OK)
		return !*result->reason;
	return result->verdict == VERDICT_NA || result->verdict == VERDICT_WAIVED ||
	       result->withheld;
}

/* "# behaviour.fork: weaker: wiped: but only in the thread that forks" */
static void print_words(const struct result *result, FILE *out)
{
	if (is_told(result))
		return;
	fputs("# ", out);
	print_name(result, out);
	if (result->verdict != VERDICT_OK)
		fprintf(out, ": %s", verdict_word(result->verdict));
	if (result->outcome)
		fprintf(out, ": %s", result->outcome);
	if (*result->reason)
		fprintf(out, ": %s", result->reason);
	putc('\n', out);
}

/* "1.847", "0.00191", "1284" */
static void print_ratio(const char *before, double ratio, FILE *out)
{
	const char *format = ratio < 1 ? "%s%#.3g" : ratio < 999.5 ? "%s%#.4g" : "%s%.0f";

	fprintf(out, format, before, ratio);
}

static const char *separator(bool *first)
{
	const char *text = *first ? ": " : ", ";

	*first = false;
	return text;
}

/* "# cost.lin400-run: 187.8 ns, ratio 1.847 [1.840, 1.860], insns 409" */
static void print_figures(const struct result *result, FILE *out)
{
	bool timed = !isnan(result->ns), compared = !isnan(result->ratio), first = true;

	if (!timed && !compared && !result->number_count)
		return;
	fputs("# ", out);
	print_name(result, out);
	if (timed)
		fprintf(out, result->ns < 1e4 ? "%s%.5g ns" : "%s%.0f ns", separator(&first),
			result->ns);
	if (compared) {
		fprintf(out, "%sratio ", separator(&first));
		print_ratio("", result->ratio, out);
	}
	if (compared && !isnan(result->ci95[0])) {
		print_ratio(" [", result->ci95[0], out);
		print_ratio(", ", result->ci95[1], out);
		putc(']', out);
	}
	for (size_t i = 0; i < result->number_count; i++) {
		char text[TEXT_NUMBER_SIZE];

		text_number(result->numbers[i].value, text);
		fprintf(out, "%s%s %s", separator(&first), result->numbers[i].key, text);
	}
	putc('\n', out);
}

static void print_result(const struct result *result, size_t number, FILE *out)
{
	const struct form *form = &forms[told_as(result)];

	print_words(result, out);
	print_figures(result, out);
	fprintf(out, "%s %zu ", form->result, number);
	print_name(result, out);
	if (form->directive) {
		fprintf(out, " # %s%s%s", form->directive, *result->reason ? " " : "",
			result->withheld ? "withheld: " : "");
		print_escaped(result->reason, out);
	}
	putc('\n', out);
}

/* What kselftest's tests end with. */
static void print_totals(const struct report *report, FILE *out)
{
	size_t counts[VERDICT_WAIVED + 1] = {0};

	for (size_t i = 0; i < report->result_count; i++)
		counts[told_as(report->results[i])]++;
	fprintf(out, "# Totals: pass:%zu fail:%zu xfail:%zu xpass:0 skip:%zu error:%zu\n",
		counts[VERDICT_OK] + counts[VERDICT_STRONGER],
		counts[VERDICT_FAIL] + counts[VERDICT_WEAKER], counts[VERDICT_WAIVED],
		counts[VERDICT_NA], counts[VERDICT_UNKNOWN]);
}

int ktap_print(const struct report *report, FILE *out)
{
	/* A plan of nothing, "1..0", is taken for a skipped test by some parsers. */
	bool empty = !report->result_count;

	fprintf(out, "KTAP version 1\n1..%zu\n", empty ? 1 : report->result_count);
	fprintf(out, "# probe: %s\n# verdict: %s\n", report->probe,
		verdict_word(report_verdict(report)));
	for (size_t i = 0; i < report->fact_count; i++)
		fprintf(out, "# %s: %s\n", report->facts[i].key, report->facts[i].value);
	if (!isnan(report->aa))
		fprintf(out, "# aa: %.4f\n", report->aa);
	for (size_t i = 0; i < report->result_count; i++)
		print_result(report->results[i], i + 1, out);
	if (empty)
		fprintf(out, "not ok 1 %s # ERROR nothing was checked\n", report->probe);
	for (size_t i = 0; i < report->sentence_count; i++)
		fprintf(out, "# %s\n", report->sentences[i]);
	if (!empty)
		print_totals(report, out);
	return fflush(out) || ferror(out) ? -1 : 0;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * KTAP version 1 (Documentation/dev-tools/ktap.rst): a test for each kernel, with a
 * subtest for each setting. What was not asked about and what cannot apply is skipped;
 * what is waived fails as expected.
 */
#include <stdlib.h>

#include "output.h"
#include "text.h"

/* What a verdict is to KTAP. */
static const struct result {
	const char *result, *directive; /* NULL: none */
} results[] = {
	[VERDICT_OK] = {"ok", NULL},
	[VERDICT_STRONGER] = {"ok", NULL},
	[VERDICT_WEAKER] = {"not ok", NULL},
	[VERDICT_FAIL] = {"not ok", NULL},
	[VERDICT_NA] = {"ok", "SKIP"},
	[VERDICT_UNKNOWN] = {"not ok", "ERROR"},
	[VERDICT_WAIVED] = {"not ok", "XFAIL"},
};

/* A '#' in a name would begin a directive. */
static void print_name(FILE *out, const char *text)
{
	char *clean = text_printf("%s", text);

	for (char *at = clean; *at; at++)
		putc(*at == '#' ? '_' : *at, out);
	free(clean);
}

static void print_setting(FILE *out, const struct answer *answer, size_t number)
{
	struct result result = results[answer->verdict];
	char *reason = text_printf("%s", answer->reason);

	if (answer->unchecked)
		result = results[VERDICT_NA];
	if (*reason && !result.directive)
		fprintf(out, "    # %s: %s: %s\n", answer->entry->setting.text,
			verdict_word(answer->verdict), reason);
	fprintf(out, "    %s %zu ", result.result, number);
	print_name(out, answer->entry->setting.text);
	if (result.directive)
		fprintf(out, " # %s %s", result.directive, reason);
	putc('\n', out);
	free(reason);
}

static void begin(FILE *out, const struct view *view)
{
	fprintf(out, "KTAP version 1\n1..%zu\n", view->inputs);
}

static void print_settings(FILE *out, const struct view *view, const struct audit *audit)
{
	size_t count, *list = shown(audit, view, &count);

	fputs("    KTAP version 1\n    # Subtest: ", out);
	print_name(out, audit->source);
	fprintf(out, "\n    1..%zu\n", count);
	for (size_t i = 0; i < count; i++)
		print_setting(out, &audit->answers[list[i]], i + 1);
	free(list);
}

static void each(FILE *out, const struct view *view, const struct audit *audit, size_t index)
{
	static const char *const ends[] = {"ok", "not ok", "not ok"};
	char *problem = audit->problem ? text_printf("%s", audit->problem) : NULL;

	if (!problem)
		print_settings(out, view, audit);
	fprintf(out, "%s %zu ", ends[audit_status(audit)], index + 1);
	print_name(out, audit->source);
	if (problem)
		fprintf(out, " # ERROR %s", problem);
	putc('\n', out);
	free(problem);
}

static void end(FILE *out, const struct view *view)
{
	(void)out;
	(void)view;
}

const struct format format_ktap = {.name = "ktap", .begin = begin, .each = each, .end = end};

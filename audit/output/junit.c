/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JUnit's XML as most CI systems read it: a test suite for each kernel, a test case for
 * each setting.
 */
#include <mxml.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "text.h"

/* The element in which a verdict stands; NULL: none. */
static const char *const elements[] = {
	[VERDICT_OK] = NULL,	      [VERDICT_STRONGER] = NULL, [VERDICT_WEAKER] = "failure",
	[VERDICT_FAIL] = "failure",   [VERDICT_NA] = "skipped",	 [VERDICT_UNKNOWN] = "error",
	[VERDICT_WAIVED] = "skipped",
};

static const char *element_of(const struct answer *answer)
{
	return answer->unchecked ? "skipped" : elements[answer->verdict];
}

static void set(mxml_node_t *node, const char *name, const char *text)
{
	char *clean = text_printf("%s", text);

	mxmlElementSetAttr(node, name, clean);
	free(clean);
}

static void set_count(mxml_node_t *node, const char *name, size_t count)
{
	mxmlElementSetAttrf(node, name, "%zu", count);
}

static void add_case(mxml_node_t *suite, const struct audit *audit, const struct answer *answer)
{
	mxml_node_t *test = text_memory(mxmlNewElement(suite, "testcase"));
	const char *element = element_of(answer);

	set(test, "classname", audit->source);
	set(test, "name", answer->entry->setting.text);
	if (element) {
		mxml_node_t *node = text_memory(mxmlNewElement(test, element));

		set(node, "type", verdict_word(answer->verdict));
		set(node, "message", answer->reason);
	}
}

static size_t count_of(const struct audit *audit, const size_t *list, size_t count,
		       const char *element)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++) {
		const char *other = element_of(&audit->answers[list[i]]);

		found += other && !strcmp(other, element);
	}
	return found;
}

static void fill_suite(mxml_node_t *suite, const struct view *view, const struct audit *audit)
{
	size_t count, *list = shown(audit, view, &count);

	set_count(suite, "tests", count);
	set_count(suite, "failures", count_of(audit, list, count, "failure"));
	set_count(suite, "errors", count_of(audit, list, count, "error"));
	set_count(suite, "skipped", count_of(audit, list, count, "skipped"));
	for (size_t i = 0; i < count; i++)
		add_case(suite, audit, &audit->answers[list[i]]);
	free(list);
}

/* One that failed, for what could not be audited. */
static void fill_problem(mxml_node_t *suite, const struct audit *audit)
{
	mxml_node_t *test = text_memory(mxmlNewElement(suite, "testcase"));
	mxml_node_t *error = text_memory(mxmlNewElement(test, "error"));

	set_count(suite, "tests", 1);
	set_count(suite, "errors", 1);
	set(test, "classname", audit->source);
	set(test, "name", "audit");
	set(error, "message", audit->problem);
}

static const char *new_lines(mxml_node_t *node, int where)
{
	(void)node;
	return where == MXML_WS_BEFORE_OPEN ? "\n" : NULL;
}

static void begin(FILE *out, const struct view *view)
{
	(void)view;
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>", out);
}

static void each(FILE *out, const struct view *view, const struct audit *audit, size_t index)
{
	mxml_node_t *suite = text_memory(mxmlNewElement(MXML_NO_PARENT, "testsuite"));
	char *text;

	(void)index;
	set(suite, "name", audit->source);
	if (audit->problem)
		fill_problem(suite, audit);
	else
		fill_suite(suite, view, audit);
	mxmlSetWrapMargin(0);
	text = text_memory(mxmlSaveAllocString(suite, new_lines));
	fputs(text, out);
	free(text);
	mxmlDelete(suite);
}

static void end(FILE *out, const struct view *view)
{
	(void)view;
	fputs("\n</testsuites>\n", out);
}

const struct format format_junit = {.name = "junit", .begin = begin, .each = each, .end = end};

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The page's summary: what was read of each kernel, how the levels stand, and what
 * is missing for the next one.
 */
#include <stdlib.h>
#include <string.h>

#include "../level.h"
#include "html.h"
#include "text.h"

/* "ok 60, fail 12"; made by malloc */
static char *counts_text(const struct standing *standing)
{
	char *text = text_printf("%zu settings", standing->asked_count);

	for (size_t verdict = VERDICT_OK; verdict <= VERDICT_WAIVED; verdict++) {
		char *longer;

		if (!standing->counts[verdict])
			continue;
		longer = text_printf("%s, %s %zu", text, verdict_word((enum verdict)verdict),
				     standing->counts[verdict]);
		free(text);
		text = longer;
	}
	return text;
}

/* Starts at left; where it ends. */
static size_t add_part(mxml_node_t *bar, const char *class, size_t left, size_t width)
{
	mxml_node_t *part;

	if (!width)
		return left;
	part = html_add(bar, "rect", class);
	html_set(part, "x", "%zu", left);
	html_set(part, "y", "0");
	html_set(part, "width", "%zu", width);
	html_set(part, "height", "1");
	return left + width;
}

/* As wide as each verdict is frequent. */
static void add_bar(mxml_node_t *cell, const struct standing *standing)
{
	mxml_node_t *bar = html_add(cell, "svg", "bar");
	char *counts = counts_text(standing);
	size_t left = 0;

	html_set(bar, "viewBox", "0 0 %zu 1", standing->asked_count ? standing->asked_count : 1);
	html_set(bar, "preserveAspectRatio", "none");
	html_set(bar, "role", "img");
	html_add_text(bar, "title", NULL, "%s", counts);
	for (size_t verdict = VERDICT_OK; verdict <= VERDICT_WAIVED; verdict++) {
		size_t unchecked = verdict == VERDICT_UNKNOWN ? standing->unchecked : 0;

		left = add_part(bar, html_look((enum verdict)verdict).class, left,
				standing->counts[verdict] - unchecked);
		left = add_part(bar, "unchecked", left, unchecked);
	}
	free(counts);
}

static void add_standing(mxml_node_t *row, const struct audit *audit, enum level level)
{
	const struct standing *standing = &audit->levels[level];
	mxml_node_t *cell = html_add(row, "td", "standing");
	enum level highest;

	/* With all below it: a level is not met while a lower one is not. */
	if (audit_highest(audit, &highest) && level <= highest)
		html_add_text(cell, "span", "met", "met");
	else if (standing->missing_count)
		html_add_text(cell, "span", NULL, "%zu missing", standing->missing_count);
	else
		html_add_text(cell, "span", NULL, "not met");
	add_bar(cell, standing);
	if (standing->unchecked)
		html_add_text(cell, "span", "muted small", "%zu not checked", standing->unchecked);
}

static void add_list(mxml_node_t *parent, const struct standing *standing)
{
	mxml_node_t *list = html_add(parent, "ul", "missing");

	for (size_t i = 0; i < standing->missing_count; i++) {
		size_t entry = standing->missing[i];
		mxml_node_t *item = html_add(list, "li", NULL);
		mxml_node_t *link = html_add(item, "a", NULL);

		html_set(link, "href", "#s%zu", entry);
		html_add_text(link, "code", NULL, "%s", catalogue.entries[entry].setting.text);
	}
}

/* Below its kernel, as wide as the table. */
static void add_missing(mxml_node_t *table, const struct audit *audit, bool open)
{
	enum level highest;
	bool any = audit_highest(audit, &highest);
	size_t next = any ? (size_t)highest + 1 : LEVEL_LOW;
	const struct standing *standing;
	mxml_node_t *cell, *details;

	if (next == LEVEL_COUNT)
		return;
	standing = &audit->levels[next];
	if (!standing->missing_count)
		return;
	cell = html_add(html_add(table, "tr", "more"), "td", NULL);
	html_set(cell, "colspan", "%d", LEVEL_COUNT + 1);
	details = html_add(cell, "details", NULL);
	if (open)
		html_set(details, "open", "open");
	html_add_text(details, "summary", NULL, "missing for %s: %zu", level_word((enum level)next),
		      standing->missing_count);
	add_list(details, standing);
}

/* Which sources were not given, so that what needs them was not checked. */
static void add_unread(mxml_node_t *cell, const struct audit *audit)
{
	const struct evidence *evidence = &audit->evidence;

	if (!evidence->config)
		html_add_text(cell, "div", "small", "No config was read.");
	if (!evidence->cmdline && !evidence->sysctls)
		html_add_text(cell, "div", "muted small",
			      "Neither a command line nor sysctls were given.");
	else if (!evidence->cmdline)
		html_add_text(cell, "div", "muted small", "No command line was given.");
	else if (!evidence->sysctls)
		html_add_text(cell, "div", "muted small", "No sysctls were given.");
	if (evidence->cmdline)
		html_add_text(cell, "div", "small", "Command line: %s%s", evidence->cmdline->source,
			      evidence->cmdline->complete ? "" : " (not all of it is known)");
	if (evidence->sysctls)
		html_add_text(cell, "div", "small", "Sysctls: %s", evidence->sysctls->source);
}

static void add_notes(mxml_node_t *cell, const char *notes)
{
	while (notes && *notes) {
		size_t size = strcspn(notes, "\n");

		html_add_text(cell, "div", "small", "%.*s", (int)size, notes);
		notes += size + (notes[size] == '\n');
	}
}

static void add_versions(mxml_node_t *cell, const struct kernel *kernel)
{
	char version[VERSION_TEXT_SIZE];
	char *compiler = compiler_text(&kernel->compiler);

	version_text(&kernel->version, version);
	html_add_text(cell, "div", "small", "Kernel %s, %s, compiler: %s",
		      kernel->version.size ? version : "of unknown version",
		      architecture_text(kernel->architecture), compiler);
	free(compiler);
}

static void add_identity(mxml_node_t *row, const struct matrix *matrix, size_t column)
{
	const struct audit *audit = &matrix->audits[column];
	mxml_node_t *cell = html_add(row, "td", NULL);
	mxml_node_t *name = html_add(cell, "div", "name");

	if (matrix->count > 1) {
		html_letter(name, matrix, column);
		html_say(name, " ");
	}
	html_say(name, "%s", matrix->names[column]);
	html_add_text(html_add(cell, "div", NULL), "code", NULL, "%s", audit->source);
	if (audit->problem)
		return;
	add_versions(cell, &audit->evidence.kernel);
	add_notes(cell, audit->note);
	add_unread(cell, audit);
}

static void add_kernel(mxml_node_t *table, const struct matrix *matrix, size_t column)
{
	const struct audit *audit = &matrix->audits[column];
	mxml_node_t *row = html_add(table, "tr", NULL);

	add_identity(row, matrix, column);
	if (audit->problem) {
		mxml_node_t *cell = html_add(row, "td", NULL);

		html_set(cell, "colspan", "%d", LEVEL_COUNT);
		html_add_text(cell, "p", "problem", "Not audited: %s", audit->problem);
		return;
	}
	for (size_t level = 0; level < LEVEL_COUNT; level++)
		add_standing(row, audit, (enum level)level);
	add_missing(table, audit, matrix->count == 1);
}

void html_kernels(mxml_node_t *body, const struct matrix *matrix)
{
	mxml_node_t *section = html_add(body, "section", NULL);
	mxml_node_t *table, *heading;

	html_add_text(section, "h2", NULL, matrix->count == 1 ? "The kernel" : "The kernels");
	table = html_add(section, "table", "kernels");
	heading = html_add(html_add(table, "thead", NULL), "tr", NULL);
	html_add_text(heading, "th", NULL, "what was read");
	for (size_t level = 0; level < LEVEL_COUNT; level++)
		html_add_text(heading, "th", NULL, "%s", level_word((enum level)level));
	table = html_add(table, "tbody", NULL);
	for (size_t column = 0; column < matrix->count; column++)
		add_kernel(table, matrix, column);
}

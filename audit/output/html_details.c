/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Below the picture, setting by setting: why each verdict is what it is. Kernels of
 * which the same is to be said share a line.
 */
#include <stdlib.h>
#include <string.h>

#include "../level.h"
#include "html.h"
#include "text.h"

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool alike(const struct square *a, const struct square *b)
{
	return a->asked == b->asked && a->verdict == b->verdict && same_text(a->got, b->got) &&
	       same_text(a->reason, b->reason);
}

/* "123" where the setting stands in the kernel's own config, else the whole place. */
static const char *place(const struct matrix *matrix, const struct square *square, size_t column)
{
	const char *path = matrix->audits[column].evidence.config_path;
	size_t size = path ? strlen(path) : 0;

	if (size && !strncmp(square->where, path, size) && square->where[size] == ':')
		return square->where + size + 1;
	return square->where;
}

/* The kernels of which the same is to be said as of the first. */
static void add_letters(mxml_node_t *item, const struct matrix *matrix, size_t row, size_t first)
{
	struct square model = matrix_square(matrix, row, first);

	for (size_t column = first; column < matrix->count; column++) {
		struct square square = matrix_square(matrix, row, column);
		mxml_node_t *span;

		if (!alike(&model, &square))
			continue;
		html_say(item, " ");
		span = html_add(item, "span", "place");
		html_letter(span, matrix, column);
		if (*square.where)
			html_add_text(span, "span", "muted small", ":%s",
				      place(matrix, &square, column));
	}
}

/* Where more than one of build, boot and run time has a say. */
static void add_stages(mxml_node_t *item, const struct answer *answer)
{
	size_t judged = 0;

	for (size_t stage = 0; stage < STAGE_COUNT; stage++)
		judged += answer->stages[stage].judged;
	for (size_t stage = 0; judged > 1 && stage < STAGE_COUNT; stage++)
		if (answer->stages[stage].judged)
			html_add_text(item, "span", "muted small", " [%s: %s]", stage_words[stage],
				      verdict_word(answer->stages[stage].verdict));
}

static void add_waiver(mxml_node_t *item, const struct answer *answer)
{
	if (answer->verdict == VERDICT_WAIVED && answer->waiver)
		html_say(item, " Waived by %s until %s: %s. Without the waiver: %s.",
			 answer->waiver->owner, answer->waiver->expiry, answer->waiver->reason,
			 verdict_word(answer->waived));
}

static void add_line(mxml_node_t *list, const struct matrix *matrix, size_t row, size_t column)
{
	struct square square = matrix_square(matrix, row, column);
	mxml_node_t *item = html_add(list, "li", NULL);

	if (!square.asked || !square.answer) {
		html_add_text(item, "span", square.asked ? "badge unread" : "badge unasked", "%s",
			      square.asked ? "?" : "\u00b7");
		html_say(item, square.asked ? " not audited, see above:"
					    : " not asked of this kernel by any level:");
		add_letters(item, matrix, row, column);
		return;
	}
	html_badge(item, square.verdict);
	html_add_text(item, "b", NULL, " %s", verdict_word(square.verdict));
	if (square.got) {
		html_say(item, ", is ");
		html_add_text(item, "code", NULL, "%s", square.got);
	}
	if (*square.reason)
		html_say(item, ": %s", square.reason);
	add_stages(item, square.answer);
	add_waiver(item, square.answer);
	if (matrix->count > 1)
		add_letters(item, matrix, row, column);
	else if (*square.where)
		html_add_text(item, "span", "muted small", " %s", square.where);
}

/* Has a column further to the left the same to say? */
static bool told(const struct matrix *matrix, size_t row, size_t column)
{
	struct square square = matrix_square(matrix, row, column);

	for (size_t i = 0; i < column; i++) {
		struct square other = matrix_square(matrix, row, i);

		if (alike(&square, &other))
			return true;
	}
	return false;
}

static void add_setting(mxml_node_t *parent, const struct matrix *matrix, size_t row)
{
	const struct entry *entry = &catalogue.entries[matrix->rows[row]];
	mxml_node_t *section = html_add(parent, "div", NULL), *list;
	char *area = html_area(entry);

	html_set(section, "class", "setting-details %s %s",
		 matrix_differs(matrix, row) ? "differs" : "same",
		 matrix_open(matrix, row) ? "open" : "closed");
	html_set(section, "id", "s%zu", matrix->rows[row]);
	html_add_text(section, "h3", NULL, "%s", entry->setting.text);
	html_add_text(section, "div", "muted small", "%s; %s%s%s%s%s (%s)",
		      level_word(entry->level), area, *entry->protection ? "; " : "",
		      entry->protection, *entry->reason ? "; " : "", entry->reason, entry->where);
	list = html_add(section, "ul", NULL);
	for (size_t column = 0; column < matrix->count; column++)
		if (!told(matrix, row, column))
			add_line(list, matrix, row, column);
	free(area);
}

void html_details(mxml_node_t *body, const struct matrix *matrix)
{
	mxml_node_t *section = html_add(body, "section", NULL);

	html_add_text(section, "h2", NULL, "Why");
	for (size_t row = 0; row < matrix->row_count; row++)
		add_setting(section, matrix, row);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The matrix as a picture: a row for each setting, a column for each kernel, a
 * colour and a sign where they meet. A few kernels leave room for their values, too.
 */
#include <stdlib.h>
#include <string.h>

#include "../level.h"
#include "html.h"
#include "text.h"

/* Up to so many kernels, the squares show values. */
#define WIDE 4

static void add_to_legend(mxml_node_t *list, const char *class, const char *sign, const char *word,
			  const char *meaning)
{
	mxml_node_t *item = html_add(list, "li", NULL);
	mxml_node_t *badge = html_add_text(item, "span", NULL, "%s", sign);

	html_set(badge, "class", "badge %s", class);
	html_add_text(item, "b", NULL, " %s", word);
	html_say(item, ": %s", meaning);
}

void html_legend(mxml_node_t *body)
{
	mxml_node_t *list = html_add(body, "ul", "legend");

	for (size_t verdict = VERDICT_OK; verdict <= VERDICT_WAIVED; verdict++) {
		struct html_look look = html_look((enum verdict)verdict);

		add_to_legend(list, look.class, look.sign, verdict_word((enum verdict)verdict),
			      look.meaning);
	}
	add_to_legend(list, "unchecked", "?", "not checked", "what tells it was not given");
	add_to_legend(list, "unread", "?", "not audited", "this kernel could not be read");
	add_to_legend(list, "unasked", "\u00b7", "not asked",
		      "another entry is meant for this kernel");
}

/* Radio buttons: the style hides rows by them, no script does. */
static void add_choice(mxml_node_t *parent, const char *id, const char *text, bool checked)
{
	mxml_node_t *button = html_add(parent, "input", "rows");
	mxml_node_t *label = html_add_text(parent, "label", NULL, "%s", text);

	html_set(button, "type", "radio");
	html_set(button, "name", "rows");
	html_set(button, "id", "%s", id);
	if (checked)
		html_set(button, "checked", "checked");
	html_set(label, "for", "%s", id);
}

static void add_choices(mxml_node_t *section, const struct matrix *matrix)
{
	mxml_node_t *choices = html_add(section, "div", NULL);
	size_t differing = 0, open = 0;
	char *text;

	for (size_t row = 0; row < matrix->row_count; row++) {
		differing += matrix_differs(matrix, row);
		open += matrix_open(matrix, row);
	}
	text = text_printf("all %zu settings", matrix->row_count);
	add_choice(choices, "rows-all", text, true);
	free(text);
	text = text_printf("the %zu that fail, are weaker or unknown somewhere", open);
	add_choice(choices, "rows-open", text, false);
	free(text);
	if (matrix->count == 1)
		return;
	text = text_printf("the %zu in which kernels differ", differing);
	add_choice(choices, "rows-differ", text, false);
	free(text);
}

static void add_headings(mxml_node_t *table, const struct matrix *matrix)
{
	mxml_node_t *row = html_add(html_add(table, "thead", NULL), "tr", NULL);

	html_add_text(row, "th", NULL, "setting");
	html_add_text(row, "th", "level", "level");
	for (size_t column = 0; column < matrix->count; column++) {
		mxml_node_t *cell = html_add(row, "th", "column");
		const char *class = matrix->count > WIDE ? "upright" : "wide-heading";

		html_set(cell, "scope", "col");
		html_add_text(cell, "div", class, "%s", matrix->names[column]);
		if (matrix->count > 1)
			html_letter(cell, matrix, column);
	}
	if (matrix->count == 1)
		html_add_text(row, "th", "why", "%s", "reason");
}

/* What hovering shows. */
static char *square_title(const struct matrix *matrix, const struct square *square, size_t column)
{
	const char *got = square->got;

	if (!square->asked)
		return text_printf("%s: not asked of this kernel by any level",
				   matrix->names[column]);
	return text_printf("%s: %s%s%s%s%s%s%s", matrix->names[column],
			   verdict_word(square->verdict), got ? ", is " : "", got ? got : "",
			   *square->reason ? ": " : "", square->reason, *square->where ? "; " : "",
			   square->where);
}

/* Not to have been asked about, and not to have been read, look another way than unknown. */
static const char *square_class(const struct square *square)
{
	if (!square->asked)
		return "unasked";
	if (!square->answer)
		return "unknown unread";
	return square->answer->unchecked ? "unknown unchecked" : html_look(square->verdict).class;
}

static void add_square(mxml_node_t *row, const struct matrix *matrix, size_t index, size_t column)
{
	struct square square = matrix_square(matrix, index, column);
	mxml_node_t *cell = html_add(row, "td", NULL);
	bool wide = matrix->count <= WIDE;
	char *title = square_title(matrix, &square, column);

	html_set(cell, "title", "%s", title);
	free(title);
	html_set(cell, "class", "cell %s%s%s", square_class(&square), wide ? " wide" : "",
		 matrix->count == 1 ? " only" : "");
	html_say(cell, "%s", square.asked ? html_look(square.verdict).sign : "\u00b7");
	if (wide && square.asked && square.got) {
		html_say(cell, " ");
		html_add_text(cell, "code", NULL, "%s", square.got);
	}
}

static void add_row(mxml_node_t *body, const struct matrix *matrix, size_t index)
{
	const struct entry *entry = &catalogue.entries[matrix->rows[index]];
	mxml_node_t *row = html_add(body, "tr", NULL);
	mxml_node_t *heading = html_add(row, "th", "setting");
	mxml_node_t *link = html_add(heading, "a", NULL);

	html_set(row, "class", "%s %s", matrix_differs(matrix, index) ? "differs" : "same",
		 matrix_open(matrix, index) ? "open" : "closed");
	html_set(heading, "scope", "row");
	html_set(link, "href", "#s%zu", matrix->rows[index]);
	html_set(link, "title", "%s", entry->reason);
	html_say(link, "%s", entry->setting.text);
	html_add_text(row, "td", "level", "%s", level_word(entry->level));
	for (size_t column = 0; column < matrix->count; column++)
		add_square(row, matrix, index, column);
	if (matrix->count == 1)
		html_add_text(row, "td", "why", "%s", matrix_square(matrix, index, 0).reason);
}

/* What a row stands under: its level or its area, as the order is. */
static char *group_of(const struct entry *entry, enum order order)
{
	if (order == ORDER_LEVEL)
		return text_printf("%s", level_word(entry->level));
	return order == ORDER_CATALOGUE ? html_area(entry) : text_printf("as in the config");
}

/* Its heading goes with the rows when none is left below it. */
static void add_group(mxml_node_t *body, const struct matrix *matrix, size_t first, size_t end,
		      const char *name)
{
	mxml_node_t *row = html_add(body, "tr", NULL), *heading;
	bool differs = false, open = false;

	for (size_t index = first; index < end; index++) {
		differs = differs || matrix_differs(matrix, index);
		open = open || matrix_open(matrix, index);
	}
	html_set(row, "class", "area%s%s", differs ? "" : " same", open ? "" : " closed");
	heading = html_add_text(row, "th", NULL, "%s", name);
	html_set(heading, "colspan", "%zu", matrix->count + (matrix->count == 1 ? 3 : 2));
	html_set(heading, "scope", "rowgroup");
	for (size_t index = first; index < end; index++)
		add_row(body, matrix, index);
}

void html_picture(mxml_node_t *body, const struct matrix *matrix, enum order order)
{
	mxml_node_t *section = html_add(body, "section", NULL);
	mxml_node_t *table;
	size_t end;

	html_add_text(section, "h2", NULL, "Settings");
	html_legend(section);
	add_choices(section, matrix);
	table = html_add(section, "table", "picture");
	add_headings(table, matrix);
	for (size_t first = 0; first < matrix->row_count; first = end) {
		char *name = group_of(&catalogue.entries[matrix->rows[first]], order);
		bool same = true;

		for (end = first + 1; end < matrix->row_count && same; end += same) {
			char *next = group_of(&catalogue.entries[matrix->rows[end]], order);

			same = !strcmp(name, next);
			free(next);
		}
		add_group(html_add(table, "tbody", NULL), matrix, first, end, name);
		free(name);
	}
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One page about one kernel or many, for people: no script, nothing from a network.
 * It shows all levels, whichever was asked for, since what the next one takes is what
 * a reader looks for.
 */
#include "html.h"

#include <stdlib.h>

#include "../level.h"
#include "text.h"

static void add_head(mxml_node_t *html, const struct matrix *matrix)
{
	mxml_node_t *head = html_add(html, "head", NULL), *meta;

	meta = html_add(head, "meta", NULL);
	html_set(meta, "charset", "utf-8");
	meta = html_add(head, "meta", NULL);
	html_set(meta, "name", "viewport");
	html_set(meta, "content", "width=device-width, initial-scale=1");
	if (matrix->count == 1)
		html_add_text(head, "title", NULL, "Hardening of %s", matrix->names[0]);
	else
		html_add_text(head, "title", NULL, "Hardening of %zu kernels", matrix->count);
	text_memory(mxmlNewOpaque(html_add(head, "style", NULL), html_style));
}

/* The sentence that a reader in a hurry takes along. */
static void add_verdict(mxml_node_t *body, const struct matrix *matrix)
{
	enum level asked = matrix->audits[0].level;
	size_t met = 0, unread = 0;

	for (size_t column = 0; column < matrix->count; column++) {
		const struct audit *audit = &matrix->audits[column];

		unread += audit->problem != NULL;
		met += !audit->problem && !audit_status(audit);
	}
	if (matrix->count == 1 && !unread)
		html_add_text(body, "p", NULL, "It %s the level that was asked for, %s.",
			      met ? "meets" : "does not meet", level_word(asked));
	if (matrix->count > 1)
		html_add_text(body, "p", NULL, "%zu of %zu meet the level that was asked for, %s.",
			      met, matrix->count, level_word(asked));
	if (unread)
		html_add_text(body, "p", "problem", "%zu of %zu could not be audited.", unread,
			      matrix->count);
}

static mxml_node_t *page_new(const struct matrix *matrix, enum order order)
{
	mxml_node_t *html = html_add(MXML_NO_PARENT, "html", NULL), *body;

	html_set(html, "lang", "en");
	html_set(html, "xmlns", "http://www.w3.org/1999/xhtml");
	add_head(html, matrix);
	body = html_add(html, "body", NULL);
	if (matrix->count == 1)
		html_add_text(body, "h1", NULL, "Hardening of %s", matrix->names[0]);
	else
		html_add_text(body, "h1", NULL, "Hardening of %zu kernels", matrix->count);
	add_verdict(body, matrix);
	html_kernels(body, matrix);
	if (matrix->row_count) {
		html_picture(body, matrix, order);
		html_details(body, matrix);
	}
	return html;
}

static void together(FILE *out, const struct view *view, const struct audit *audits, size_t count)
{
	/* --only is not for the page, where buttons choose. */
	const struct view whole = {.order = view->order};
	struct matrix *matrix;
	mxml_node_t *page;

	if (!count)
		return;
	matrix = matrix_new(audits, count, &whole, (1U << LEVEL_COUNT) - 1);
	page = page_new(matrix, view->order);
	fputs("<!DOCTYPE html>\n", out);
	mxmlSetWrapMargin(0);
	mxmlSaveFile(page, out, MXML_NO_CALLBACK);
	putc('\n', out);
	mxmlDelete(page);
	matrix_free(matrix);
}

const struct format format_html = {.name = "html", .together = together};

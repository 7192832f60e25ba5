/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of the page that --html writes, and what they are made with.
 *
 * The page is a tree of libmxml, which escapes what is not markup; it is HTML and
 * well-formed XML at once. Texts and attributes go through text_printf(), so that no
 * control character of an input gets into them.
 */
#ifndef AUDIT_OUTPUT_HTML_H
#define AUDIT_OUTPUT_HTML_H

#include <mxml.h>

#include "matrix.h"

/* An element at the end of parent; class may be NULL. */
mxml_node_t *html_add(mxml_node_t *parent, const char *name, const char *class);

/* The same with text in it. */
mxml_node_t *html_add_text(mxml_node_t *parent, const char *name, const char *class,
			   const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Text at the end of an element. */
void html_say(mxml_node_t *node, const char *format, ...) __attribute__((format(printf, 2, 3)));

void html_set(mxml_node_t *node, const char *attribute, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* How a verdict is shown: colour (by the class), sign and words. */
struct html_look {
	const char *class, *sign, *meaning;
};
struct html_look html_look(enum verdict verdict);

/* The verdict's sign in its colour. */
mxml_node_t *html_badge(mxml_node_t *parent, enum verdict verdict);

/* The column's letter, with its name and source to be seen on hovering. */
mxml_node_t *html_letter(mxml_node_t *parent, const struct matrix *matrix, size_t column);

/* "memory" of "docs/catalogue/memory.rst:17": made by malloc */
char *html_area(const struct entry *entry);

extern const char html_style[];

void html_kernels(mxml_node_t *body, const struct matrix *matrix);
void html_legend(mxml_node_t *body);
void html_picture(mxml_node_t *body, const struct matrix *matrix, enum order order);
void html_details(mxml_node_t *body, const struct matrix *matrix);

#endif

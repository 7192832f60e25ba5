/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text for a terminal: aligned columns, and sentences that break between words.
 */
#ifndef PROBES_GRID_H
#define PROBES_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define GRID_BOLD "\033[1m"

struct page {
	FILE *out;
	bool colour;
	size_t width; /* lines break here; SIZE_MAX: they do not */
};

/* A page as wide as the terminal that out is, if it is one. */
struct page page_on(FILE *out, bool colour);

/* Does whoever reads out want colours? A terminal does, unless told otherwise. */
bool colour_wanted(FILE *out);

/* In a colour, an escape sequence or NULL, when the page has colours. */
void page_colour(const struct page *page, const char *colour, const char *text);

struct line {
	const struct page *page;
	size_t here;   /* the column of the cursor */
	size_t indent; /* where further lines start */
	bool started;
};

/* One more piece of text: after a space, or on a new line when this one is full. */
void line_add(struct line *line, const char *text, size_t size);

/*
 * The words of a text and a newline. The cursor stands in column here; further
 * lines start in column indent.
 */
void page_words(const struct page *page, const char *text, size_t here, size_t indent);

struct cell {
	char *text;	    /* made by malloc, the grid's to free; NULL for nothing */
	const char *colour; /* NULL for none */
};

struct grid;

struct grid *grid_new(size_t rows);

/*
 * One more column, from left to right: its cells, one for each row, to be filled
 * in. Columns without any text are not printed. heading must stay valid.
 */
struct cell *grid_column(struct grid *grid, const char *heading, bool right);

/* The last column is as long as its text and breaks at the page's width. */
void grid_print(const struct grid *grid, const struct page *page);

void grid_free(struct grid *grid);

#endif

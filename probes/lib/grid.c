/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Columns are as wide as their widest cell; only the last one may break.
 */
#include "grid.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "text.h"

#define GAP    2  /* spaces between columns */
#define NARROW 30 /* characters that are too few for a sentence */
#define INDENT 4  /* then it goes below, so far from the margin */

struct column {
	const char *heading;
	bool right;
	struct cell *cells;
};

struct grid {
	size_t rows;
	struct column *columns;
	size_t column_count;
};

struct page page_on(FILE *out, bool colour)
{
	struct page page = {.out = out, .colour = colour, .width = SIZE_MAX};
	struct winsize size;

	if (!ioctl(fileno(out), TIOCGWINSZ, &size) && size.ws_col)
		page.width = size.ws_col;
	return page;
}

/* https://no-color.org */
bool colour_wanted(FILE *out)
{
	const char *no_color = getenv("NO_COLOR");
	const char *terminal = getenv("TERM");

	return isatty(fileno(out)) && !(no_color && *no_color) && terminal &&
	       strcmp(terminal, "dumb") != 0;
}

void page_colour(const struct page *page, const char *colour, const char *text)
{
	if (page->colour && colour)
		fprintf(page->out, "%s%s\033[0m", colour, text);
	else
		fputs(text, page->out);
}

static void spaces(const struct page *page, size_t count)
{
	fprintf(page->out, "%*s", (int)count, "");
}

void line_add(struct line *line, const char *text, size_t size)
{
	size_t width = text_width(text, size);

	if (line->started && line->here + 1 + width > line->page->width) {
		putc('\n', line->page->out);
		spaces(line->page, line->indent);
		line->here = line->indent;
	} else if (line->started) {
		putc(' ', line->page->out);
		line->here++;
	}
	fwrite(text, 1, size, line->page->out);
	line->here += width;
	line->started = true;
}

void page_words(const struct page *page, const char *text, size_t here, size_t indent)
{
	struct line line = {.page = page, .here = here, .indent = indent};
	size_t size;

	for (text += strspn(text, " "); *text; text += size + strspn(text + size, " ")) {
		size = strcspn(text, " ");
		line_add(&line, text, size);
	}
	putc('\n', page->out);
}

struct grid *grid_new(size_t rows)
{
	struct grid *grid = text_memory(calloc(1, sizeof(*grid)));

	grid->rows = rows;
	return grid;
}

void grid_free(struct grid *grid)
{
	for (size_t i = 0; i < grid->column_count; i++) {
		for (size_t row = 0; row < grid->rows; row++)
			free(grid->columns[i].cells[row].text);
		free(grid->columns[i].cells);
	}
	free(grid->columns);
	free(grid);
}

struct cell *grid_column(struct grid *grid, const char *heading, bool right)
{
	struct column *column;

	grid->columns =
		text_memory(reallocarray(grid->columns, grid->column_count + 1, sizeof(*column)));
	column = &grid->columns[grid->column_count++];
	column->heading = heading;
	column->right = right;
	column->cells = text_memory(calloc(grid->rows, sizeof(*column->cells)));
	return column->cells;
}

/* Of the widest cell or the heading; 0 for a column without any text. */
static size_t column_width(const struct grid *grid, const struct column *column)
{
	size_t heading = text_width(column->heading, strlen(column->heading)), widest = 0;

	for (size_t row = 0; row < grid->rows; row++) {
		const char *text = column->cells[row].text;
		size_t width = text ? text_width(text, strlen(text)) : 0;

		widest = width > widest ? width : widest;
	}
	return widest && heading > widest ? heading : widest;
}

/* The last column at its place, or below the others when little room is left there. */
static void print_last(const struct page *page, const char *text, size_t here, size_t place)
{
	size_t width = text_width(text, strlen(text));

	if (place + NARROW > page->width && place + width > page->width) {
		putc('\n', page->out);
		here = 0;
		place = INDENT;
	}
	spaces(page, place - here);
	page_words(page, text, place, place);
}

/* What stands in a column at a row, row 0 being the headings. */
static struct cell cell_at(const struct column *column, size_t row)
{
	if (!row)
		return (struct cell){(char *)column->heading, GRID_BOLD};
	return column->cells[row - 1];
}

static void print_row(const struct grid *grid, const struct page *page, const size_t *widths,
		      size_t row)
{
	size_t here = 0, due = 0, last = grid->column_count - 1;

	for (size_t i = 0; i < grid->column_count; i++) {
		struct cell cell = cell_at(&grid->columns[i], row);
		size_t width = cell.text ? text_width(cell.text, strlen(cell.text)) : 0;
		size_t start = due + (grid->columns[i].right ? widths[i] - width : 0);

		if (!widths[i])
			continue;
		due += widths[i] + GAP;
		if (!width)
			continue;
		if (i == last && row) {
			print_last(page, cell.text, here, start);
			return;
		}
		/* Spaces only when something follows: none at the end of a line. */
		spaces(page, start - here);
		page_colour(page, cell.colour, cell.text);
		here = start + width;
	}
	putc('\n', page->out);
}

void grid_print(const struct grid *grid, const struct page *page)
{
	size_t *widths = text_memory(calloc(grid->column_count + 1, sizeof(*widths)));

	for (size_t i = 0; i < grid->column_count; i++)
		widths[i] = column_width(grid, &grid->columns[i]);
	for (size_t row = 0; row <= grid->rows; row++)
		print_row(grid, page, widths, row);
	free(widths);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A matrix for a terminal: what is the same in all kernels, where they differ, and
 * what the columns are. The last stands at the end, where a terminal's reader is.
 *
 * Many kernels stay readable: a square has verdict and value where there is room,
 * else the verdict, else one sign for it; and what does not fit even so is printed in
 * several tables below each other.
 */
#include <stdlib.h>
#include <string.h>

#include "../level.h"
#include "grid.h"
#include "matrix.h"
#include "text.h"

enum detail { DETAIL_VALUE, DETAIL_WORD, DETAIL_SIGN };

/* Longer values, such as lists, are cut. */
#define VALUE_WIDTH   14
#define SETTING	      "setting"
#define LONGEST_LEVEL "extreme"
#define GAP	      2 /* of the grid */

static const struct look {
	const char *sign, *colour;
} looks[] = {
	[VERDICT_OK] = {"=", "\033[32m"},     [VERDICT_STRONGER] = {"+", "\033[32m"},
	[VERDICT_WEAKER] = {"w", "\033[33m"}, [VERDICT_FAIL] = {"F", "\033[1;31m"},
	[VERDICT_NA] = {"-", "\033[2m"},      [VERDICT_UNKNOWN] = {"?", "\033[35m"},
	[VERDICT_WAIVED] = {"v", "\033[36m"},
};

/* "fail n"; "" for what is not asked of this kernel */
static char *square_text(const struct square *square, enum detail detail)
{
	const char *got = square->got ? square->got : "";
	size_t size = strlen(got);

	if (!square->asked)
		return text_printf("%s", detail == DETAIL_SIGN ? "." : "not asked");
	if (!square->answer)
		return text_printf("%s", detail == DETAIL_SIGN ? "!" : "not read");
	if (detail == DETAIL_SIGN)
		return text_printf("%s", looks[square->verdict].sign);
	if (detail == DETAIL_WORD || !size)
		return text_printf("%s", verdict_word(square->verdict));
	if (size <= VALUE_WIDTH)
		return text_printf("%s %s", verdict_word(square->verdict), got);
	return text_printf("%s %.*s...", verdict_word(square->verdict), VALUE_WIDTH - 3, got);
}

static char *heading_of(const struct matrix *matrix, size_t column, enum detail detail)
{
	char letter[MATRIX_LETTERS];

	matrix_letter(column, letter);
	return detail == DETAIL_VALUE ? text_printf("%s %s", letter, matrix->names[column])
				      : text_printf("%s", letter);
}

static size_t width_of(char *text)
{
	size_t width = text_width(text, strlen(text));

	free(text);
	return width;
}

/* Of what stands before the kernels' columns. */
static size_t settings_width(const struct matrix *matrix)
{
	size_t widest = strlen(SETTING);

	for (size_t row = 0; row < matrix->row_count; row++) {
		size_t width = strlen(catalogue.entries[matrix->rows[row]].setting.text);

		widest = width > widest ? width : widest;
	}
	return widest + GAP + strlen(LONGEST_LEVEL);
}

/* Of one kernel's column, in a table of all rows, with the gap before it. */
static size_t column_width(const struct matrix *matrix, size_t column, enum detail detail)
{
	size_t widest = width_of(heading_of(matrix, column, detail));

	for (size_t row = 0; row < matrix->row_count; row++) {
		struct square square = matrix_square(matrix, row, column);
		size_t width = width_of(square_text(&square, detail));

		widest = width > widest ? width : widest;
	}
	return GAP + widest;
}

/* How many columns from this one on fit beside each other: one at least. */
static size_t fitting(const struct matrix *matrix, size_t from, enum detail detail, size_t width)
{
	size_t used = settings_width(matrix), column = from;

	while (column < matrix->count) {
		used += column_width(matrix, column, detail);
		if (used > width && column > from)
			break;
		column++;
	}
	return column - from;
}

static enum detail detail_for(const struct matrix *matrix, size_t width)
{
	enum detail detail = DETAIL_VALUE;

	while (detail != DETAIL_SIGN && fitting(matrix, 0, detail, width) < matrix->count)
		detail++;
	return detail;
}

/* The rows in which kernels differ, or the others. */
static size_t pick_rows(const struct matrix *matrix, bool differing, size_t *rows)
{
	size_t count = 0;

	for (size_t row = 0; row < matrix->row_count; row++)
		if (matrix_differs(matrix, row) == differing)
			rows[count++] = row;
	return count;
}

static void fill_column(const struct matrix *matrix, const size_t *rows, size_t count,
			struct cell *cells, size_t column, enum detail detail)
{
	for (size_t i = 0; i < count; i++) {
		struct square square = matrix_square(matrix, rows[i], column);

		cells[i].text = square_text(&square, detail);
		cells[i].colour =
			square.asked ? looks[square.verdict].colour : looks[VERDICT_NA].colour;
	}
}

/* Of some rows, so many columns from this one on. */
static void print_block(const struct matrix *matrix, const struct page *page, const size_t *rows,
			size_t count, size_t from, size_t columns, enum detail detail)
{
	char **headings = text_memory(calloc(columns + 1, sizeof(*headings)));
	struct grid *grid = grid_new(count);
	struct cell *settings = grid_column(grid, SETTING, false);
	struct cell *levels = grid_column(grid, "level", false);

	for (size_t i = 0; i < count; i++) {
		const struct entry *entry = &catalogue.entries[matrix->rows[rows[i]]];

		settings[i].text = text_printf("%s", entry->setting.text);
		levels[i].text = text_printf("%s", level_word(entry->level));
	}
	for (size_t i = 0; i < columns; i++) {
		headings[i] = heading_of(matrix, from + i, detail);
		fill_column(matrix, rows, count, grid_column(grid, headings[i], false), from + i,
			    detail);
	}
	grid_print(grid, page);
	putc('\n', page->out);
	grid_free(grid);
	for (size_t i = 0; i < columns; i++)
		free(headings[i]);
	free(headings);
}

static void print_rows(const struct matrix *matrix, const struct page *page, bool differing,
		       enum detail detail)
{
	size_t *rows = text_memory(calloc(matrix->row_count + 1, sizeof(*rows)));
	size_t count = pick_rows(matrix, differing, rows), columns;

	fprintf(page->out,
		differing ? "Kernels differ in %zu of %zu settings.\n"
			  : "They have the same verdict in %zu of %zu settings.\n",
		count, matrix->row_count);
	for (size_t from = 0; count && from < matrix->count; from += columns) {
		columns = fitting(matrix, from, detail, page->width);
		print_block(matrix, page, rows, count, from, columns, detail);
	}
	free(rows);
}

static void print_signs(const struct page *page)
{
	struct line line = {.page = page};

	for (size_t verdict = VERDICT_OK; verdict <= VERDICT_WAIVED; verdict++) {
		char *text = text_printf("%s %s ", looks[verdict].sign,
					 verdict_word((enum verdict)verdict));

		line_add(&line, text, strlen(text));
		free(text);
	}
	line_add(&line, ". not asked ", strlen(". not asked "));
	line_add(&line, "! not read", strlen("! not read"));
	fputs("\n\n", page->out);
}

static void together(FILE *out, const struct view *view, const struct audit *audits, size_t count)
{
	const struct page page = {.out = out, .colour = view->colour, .width = view->width};
	struct matrix *matrix;
	enum detail detail;

	if (!count)
		return;
	matrix = matrix_new(audits, count, view, 1U << audits[0].level);
	detail = detail_for(matrix, view->width);
	print_rows(matrix, &page, false, detail);
	print_rows(matrix, &page, true, detail);
	if (detail == DETAIL_SIGN)
		print_signs(&page);
	matrix_kernels(matrix, &page);
	matrix_free(matrix);
}

const struct format matrix_table = {.name = "table", .together = together};

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which entries are the rows of a matrix, and what stands where they meet the kernels.
 *
 * A level asks different entries of different kernels: an option for x86 alone, a
 * stricter entry that only newer kernels can have. The rows are the union; where a
 * kernel is not asked for the row's entry, its square says that.
 */
#include "matrix.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

static bool *asked_at(const struct matrix *matrix, size_t entry, size_t column)
{
	return &matrix->asked[entry * matrix->count + column];
}

static void mark_asked(struct matrix *matrix, unsigned int levels)
{
	for (size_t column = 0; column < matrix->count; column++) {
		const struct audit *audit = &matrix->audits[column];

		for (size_t level = 0; level < LEVEL_COUNT; level++) {
			const struct standing *standing = &audit->levels[level];

			if (audit->problem || !(levels & 1U << level))
				continue;
			for (size_t i = 0; i < standing->asked_count; i++)
				*asked_at(matrix, standing->asked[i], column) = true;
		}
	}
}

/* Is the entry a row: asked of some kernel, and with a verdict that is to be shown? */
static bool is_row(const struct matrix *matrix, size_t entry, unsigned int only)
{
	for (size_t column = 0; column < matrix->count; column++) {
		if (!*asked_at(matrix, entry, column))
			continue;
		if (!only || only & 1U << matrix->audits[column].answers[entry].verdict)
			return true;
	}
	return false;
}

static bool reads_the_same(size_t one, size_t other)
{
	const struct entry *a = &catalogue.entries[one], *b = &catalogue.entries[other];

	return a->group == b->group && a->level == b->level &&
	       !strcmp(a->setting.text, b->setting.text);
}

/* Where a row belongs: less is further up. */
struct place {
	size_t entry;
	unsigned int rank;
};

static bool in_earlier_row(const struct place *places, size_t count, size_t entry)
{
	for (size_t i = 0; i < count; i++)
		if (reads_the_same(places[i].entry, entry))
			return true;
	return false;
}

static unsigned int rank_of(const struct matrix *matrix, size_t entry, enum order order)
{
	if (order == ORDER_LEVEL)
		return catalogue.entries[entry].level;
	if (order == ORDER_MENU)
		for (size_t column = 0; column < matrix->count; column++) {
			const struct audit *audit = &matrix->audits[column];

			if (!audit->problem && audit->answers[entry].line)
				return audit->answers[entry].line;
		}
	return order == ORDER_MENU ? -1U : 0;
}

static int compare_places(const void *one, const void *other)
{
	const struct place *a = one, *b = other;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->entry < b->entry ? -1 : a->entry > b->entry;
}

static void find_rows(struct matrix *matrix, const struct view *view)
{
	struct place *places = text_memory(calloc(catalogue.entry_count + 1, sizeof(*places)));

	for (size_t entry = 0; entry < catalogue.entry_count; entry++)
		if (is_row(matrix, entry, view->only) &&
		    !in_earlier_row(places, matrix->row_count, entry))
			places[matrix->row_count++] =
				(struct place){entry, rank_of(matrix, entry, view->order)};
	qsort(places, matrix->row_count, sizeof(*places), compare_places);
	matrix->rows = text_memory(calloc(matrix->row_count + 1, sizeof(*matrix->rows)));
	for (size_t row = 0; row < matrix->row_count; row++)
		matrix->rows[row] = places[row].entry;
	free(places);
}

struct matrix *matrix_new(const struct audit *audits, size_t count, const struct view *view,
			  unsigned int levels)
{
	struct matrix *matrix = text_memory(calloc(1, sizeof(*matrix)));

	matrix->audits = audits;
	matrix->count = count;
	matrix->asked = text_memory(calloc(catalogue.entry_count * count + 1, sizeof(bool)));
	mark_asked(matrix, levels);
	find_rows(matrix, view);
	matrix->names = matrix_names(audits, count);
	return matrix;
}

void matrix_free(struct matrix *matrix)
{
	for (size_t i = 0; i < matrix->count; i++)
		free(matrix->names[i]);
	free(matrix->names);
	free(matrix->rows);
	free(matrix->asked);
	free(matrix);
}

/* Of the entries that are one row, the one that is asked of this kernel. */
static size_t asked_entry(const struct matrix *matrix, size_t first, size_t column)
{
	for (size_t entry = first; entry < catalogue.entry_count; entry++)
		if (reads_the_same(first, entry) && *asked_at(matrix, entry, column))
			return entry;
	return first;
}

struct square matrix_square(const struct matrix *matrix, size_t row, size_t column)
{
	const struct audit *audit = &matrix->audits[column];
	const struct answer *answer;

	size_t entry;

	if (audit->problem)
		return (struct square){true, VERDICT_UNKNOWN, NULL, audit->problem, "", NULL};
	entry = asked_entry(matrix, matrix->rows[row], column);
	answer = &audit->answers[entry];
	return (struct square){*asked_at(matrix, entry, column),
			       answer->verdict,
			       answer->got,
			       answer->reason,
			       answer->where,
			       answer};
}

bool matrix_differs(const struct matrix *matrix, size_t row)
{
	const struct answer *first = NULL;

	for (size_t column = 0; column < matrix->count; column++) {
		struct square square = matrix_square(matrix, row, column);

		if (!square.answer || !square.asked)
			continue;
		if (first && first->verdict != square.verdict)
			return true;
		first = square.answer;
	}
	return false;
}

bool matrix_open(const struct matrix *matrix, size_t row)
{
	for (size_t column = 0; column < matrix->count; column++) {
		struct square square = matrix_square(matrix, row, column);

		if (square.answer && square.asked &&
		    (square.verdict == VERDICT_FAIL || square.verdict == VERDICT_WEAKER ||
		     square.verdict == VERDICT_UNKNOWN))
			return true;
	}
	return false;
}

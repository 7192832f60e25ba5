/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A matrix as CSV (RFC 4180): a line for each setting, and of each kernel three
 * fields: verdict, value, reason. Their headings start with the kernel's source.
 */
#include <stdlib.h>

#include "../level.h"
#include "matrix.h"
#include "shared.h"
#include "text.h"

static void kernel_headings(FILE *out, const struct audit *audit)
{
	static const char *const parts[] = {"verdict", "got", "reason"};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		char *heading = text_printf("%s: %s", audit->source, parts[i]);

		csv_field(out, false, heading);
		free(heading);
	}
}

static void print_row(FILE *out, const struct matrix *matrix, size_t row)
{
	const struct entry *entry = &catalogue.entries[matrix->rows[row]];

	csv_field(out, true, entry->target);
	csv_field(out, false, entry->wanted);
	csv_field(out, false, level_word(entry->level));
	csv_field(out, false, matrix_differs(matrix, row) ? "yes" : "no");
	for (size_t column = 0; column < matrix->count; column++) {
		struct square square = matrix_square(matrix, row, column);

		csv_field(out, false, square.asked ? verdict_word(square.verdict) : "not asked");
		csv_field(out, false, square.got);
		csv_field(out, false, square.reason);
	}
	fputs("\r\n", out);
}

static void together(FILE *out, const struct view *view, const struct audit *audits, size_t count)
{
	struct matrix *matrix;

	if (!count)
		return;
	matrix = matrix_new(audits, count, view, 1U << audits[0].level);
	csv_field(out, true, "setting");
	csv_field(out, false, "wanted");
	csv_field(out, false, "level");
	csv_field(out, false, "differs");
	for (size_t column = 0; column < count; column++)
		kernel_headings(out, &audits[column]);
	fputs("\r\n", out);
	for (size_t row = 0; row < matrix->row_count; row++)
		print_row(out, matrix, row);
	matrix_free(matrix);
}

const struct format matrix_csv = {.name = "csv", .together = together};

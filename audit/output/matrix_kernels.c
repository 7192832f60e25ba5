/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the columns of a matrix on a terminal are, and how these kernels stand.
 */
#include <stdlib.h>

#include "../level.h"
#include "grid.h"
#include "matrix.h"
#include "text.h"

/* "meets low; missing for medium: 12; not checked: 4" */
static char *standing_text(const struct audit *audit)
{
	const struct standing *standing = &audit->levels[audit->level];
	enum level highest;
	bool any = audit_highest(audit, &highest);
	size_t next = any ? (size_t)highest + 1 : LEVEL_LOW;

	if (audit->problem)
		return text_printf("not audited: %s", audit->problem);
	if (next == LEVEL_COUNT)
		return text_printf("meets %s; not checked: %zu", level_word(highest),
				   standing->unchecked);
	return text_printf("meets %s; missing for %s: %zu; not checked: %zu",
			   any ? level_word(highest) : "no level", level_word((enum level)next),
			   audit->levels[next].missing_count, standing->unchecked);
}

void matrix_kernels(const struct matrix *matrix, const struct page *page)
{
	for (size_t column = 0; column < matrix->count; column++) {
		const struct audit *audit = &matrix->audits[column];
		char letter[MATRIX_LETTERS];
		char *text, *standing = standing_text(audit);

		matrix_letter(column, letter);
		text = text_printf("%s  %s (%s): %s", letter, matrix->names[column], audit->source,
				   standing);
		page_words(page, text, 0, 3);
		free(text);
		free(standing);
	}
}

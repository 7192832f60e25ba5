/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Entries by kernels: what the formats for --compare and --html have in common.
 */
#ifndef AUDIT_OUTPUT_MATRIX_H
#define AUDIT_OUTPUT_MATRIX_H

#include "output.h"

struct matrix {
	const struct audit *audits; /* the columns */
	size_t count;
	size_t *rows; /* indices into catalogue.entries, of each row's first entry */
	size_t row_count;
	bool *asked;  /* by entry and column: a level asks it of this kernel */
	char **names; /* of the columns, for headings: "6.1.192 x86_64" */
};

/* What one kernel has of one entry. The strings are the audit's; none is NULL but got. */
struct square {
	bool asked;	      /* false: no level means this entry for this kernel */
	enum verdict verdict; /* unknown for a kernel that could not be audited */
	const char *got, *reason, *where;
	const struct answer *answer; /* NULL for a kernel that could not be audited */
};

/*
 * The rows are what these levels (a bit each) ask of any of the kernels, in the order
 * of view, and with view->only those in which some kernel has such a verdict. Entries
 * that read the same, as for other versions or compilers, are one row.
 */
struct matrix *matrix_new(const struct audit *audits, size_t count, const struct view *view,
			  unsigned int levels);
void matrix_free(struct matrix *matrix);

struct square matrix_square(const struct matrix *matrix, size_t row, size_t column);

/* Do kernels that were audited, and are asked for it, have different verdicts? */
bool matrix_differs(const struct matrix *matrix, size_t row);

/* Is it fail, weaker or unknown in a kernel that was audited and is asked for it? */
bool matrix_open(const struct matrix *matrix, size_t row);

/* Versions, or names of files where these do not tell them apart; made by malloc. */
char **matrix_names(const struct audit *audits, size_t count);

/* "A", "B", ... "Z", "AA" ... */
#define MATRIX_LETTERS 16
void matrix_letter(size_t column, char letter[MATRIX_LETTERS]);

/* For a terminal: the letters with the kernels' names, sources and levels. */
struct page;
void matrix_kernels(const struct matrix *matrix, const struct page *page);

#endif

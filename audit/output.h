/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How audits are printed. Every format says the same of a setting: setting, wanted,
 * got, verdict, level, reason, where, and the verdicts of the stages. No control
 * character of any input reaches the output.
 */
#ifndef AUDIT_OUTPUT_H
#define AUDIT_OUTPUT_H

#include <stdio.h>

#include "audit.h"

struct view {
	enum order order;
	unsigned int only; /* a bit per verdict that is shown; 0: all (table and CSV alone) */
	bool colour;
	size_t width;  /* of the terminal; SIZE_MAX: lines do not break */
	size_t inputs; /* how many audits there will be; 1: the format for a single one */
};

/*
 * A format: begin and end write what stands around all audits, each what one audit
 * adds, in the order of the inputs. each may run in another thread than the others and
 * writes to a stream of its own, so that its text must not depend on earlier audits
 * but for index.
 */
struct format {
	const char *name; /* "json" */
	void (*begin)(FILE *out, const struct view *view);
	void (*each)(FILE *out, const struct view *view, const struct audit *audit, size_t index);
	void (*end)(FILE *out, const struct view *view);
	/* Instead of these: all audits at once, for a matrix. */
	void (*together)(FILE *out, const struct view *view, const struct audit *audits,
			 size_t count);
};

extern const struct format format_table, format_json, format_csv, format_ktap, format_junit,
	format_sarif, format_prometheus;
/* Entries by kernels, for --compare; HTML is always one. */
extern const struct format matrix_table, matrix_json, matrix_csv, format_html;

/*
 * Indices into audit->answers of what view shows of the audit, in its order; made by
 * malloc.
 */
size_t *shown(const struct audit *audit, const struct view *view, size_t *count);

extern const char *const kind_words[KIND_COUNT]; /* "kconfig", "cmdline", "sysctl" */

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All cells, their workers and what they cost.
 *
 * A cell is named after its shape, "lin400-run", and was loaded as the kernel is set
 * up. The same filter loaded with the JIT switched the other way is
 * "lin400-run-nojit", or "-jit" where the JIT is off by default; with
 * constant blinding "lin400-run-harden".
 */
#ifndef SECCOMP_OVERHEAD_BENCH_H
#define SECCOMP_OVERHEAD_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#include "cell.h"
#include "jit.h"
#include "measure.h"
#include "report.h"

struct bench {
	bool quick;
	struct measure *measure;
	struct jit jit;
	struct built *built; /* filters of the shapes */
	struct cell *cells;
	size_t cell_count;
	int memory, memory_ssbd; /* workers */
};

/* Start all workers and time them; a quick run has fewer of them. */
void bench_run(struct bench *bench, bool quick);
void bench_free(struct bench *bench);

/* NULL when there is no such cell. */
const struct cell *bench_cell(const struct bench *bench, const char *name);

/* The suffix of what was loaded with the JIT switched: "-nojit" or "-jit". */
const char *bench_toggled_suffix(const struct bench *bench);

/*
 * The ratio of two cells, "none" for the baseline; NULL, or why there is none (a
 * string that stays valid as long as the bench).
 */
const char *bench_compare(const struct bench *bench, const char *cell, const char *baseline,
			  struct estimate *estimate);

/* One result per cell. */
void bench_report_syscalls(const struct bench *bench, struct report *report);
void bench_report_memory(const struct bench *bench, struct report *report);

#endif

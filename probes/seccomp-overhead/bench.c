/* SPDX-License-Identifier: GPL-2.0-only */
#include "bench.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "ssbd.h"
#include "text.h"

#define BASELINE      0
#define SECONDS	      12.0
#define SECONDS_QUICK 2.5

static const char memory[] = "memory";

/* Twins of a shape are at most two, and the memory loop has two filtered cells. */
static size_t most_cells(void)
{
	return 3 * shape_count + 2;
}

static struct cell *new_cell(struct bench *bench, const char *group, const struct shape *shape,
			     const char *name, const char *suffix)
{
	struct cell *cell = &bench->cells[bench->cell_count++];

	snprintf(cell->name, sizeof(cell->name), "%s%s", name, suffix);
	cell->group = group;
	cell->shape = shape;
	cell->built = &bench->built[shape - shapes];
	cell->verdict = VERDICT_UNKNOWN;
	cell->ssbd = -ENODATA;
	return cell;
}

static void start(struct bench *bench, struct cell *cell,
		  const char *(*run)(void *ctx, unsigned int thread, unsigned long operations))
{
	const struct workload workload = {
		.name = cell->name,
		.prepare = cell_prepare,
		.run = run,
		.ctx = cell,
	};

	cell->worker = measure_add(bench->measure, &workload);
}

/* All shapes that have these twins. */
static void add_shapes(struct bench *bench, unsigned int twins, const char *group,
		       const char *suffix)
{
	size_t i;

	for (i = 0; i < shape_count; i++) {
		const struct shape *shape = &shapes[i];

		if ((shape->twins & twins) != twins || (bench->quick && !shape->quick))
			continue;
		start(bench,
		      new_cell(bench, group ? group : (shape->run ? "program" : "cached"), shape,
			       shape->name, suffix),
		      syscall_loop);
	}
}

static void add_toggled(void *arg)
{
	struct bench *bench = arg;

	add_shapes(bench, TWIN_JIT, bench->jit.state == JIT_ON ? "jit-off" : "jit-on",
		   bench_toggled_suffix(bench));
}

static void add_hardened(void *arg)
{
	add_shapes(arg, TWIN_HARDEN, "harden", "-harden");
}

/* Cells that were not loaded as they say are forgotten. */
static void add_twins(struct bench *bench)
{
	size_t before = bench->cell_count;

	if (!jit_with_toggled(&bench->jit, add_toggled, bench))
		bench->cell_count = before;
	before = bench->cell_count;
	if (!jit_with_harden(&bench->jit, add_hardened, bench))
		bench->cell_count = before;
}

static const char *prepare_ssbd(void *ctx)
{
	(void)ctx;
	return ssbd_turn_on() ? "SSBD cannot be set by prctl here" : NULL;
}

static void add_memory(struct bench *bench)
{
	const struct workload plain = {.name = memory, .run = ssbd_loop};
	const struct workload ssbd = {
		.name = "memory-ssbd", .prepare = prepare_ssbd, .run = ssbd_loop};
	struct cell *cell;

	bench->memory = measure_add(bench->measure, &plain);
	bench->memory_ssbd = measure_add(bench->measure, &ssbd);
	start(bench, new_cell(bench, memory, &shapes[0], "memory-filter", ""), ssbd_loop);
	cell = new_cell(bench, memory, &shapes[0], "memory-filter-spec-allow", "");
	cell->flags = SECCOMP_FILTER_FLAG_SPEC_ALLOW;
	start(bench, cell, ssbd_loop);
}

/* Before any worker, so that sysctls are switched no longer than it takes to load. */
static void build_filters(struct bench *bench)
{
	size_t i;

	bench->built = text_memory(calloc(shape_count, sizeof(*bench->built)));
	for (i = 0; i < shape_count; i++)
		bench->built[i] = shape_build(&shapes[i]);
}

void bench_run(struct bench *bench, bool quick)
{
	const struct workload none = {.name = "none", .run = syscall_loop};
	const struct measure_plan plan = {.seconds = quick ? SECONDS_QUICK : SECONDS};

	bench->quick = quick;
	build_filters(bench);
	bench->cells = mmap(NULL, most_cells() * sizeof(*bench->cells), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (bench->cells == MAP_FAILED)
		text_memory(NULL);
	jit_look(&bench->jit);
	bench->measure = measure_new(&plan, &none);
	add_shapes(bench, 0, NULL, "");
	add_twins(bench);
	jit_unlock(&bench->jit);
	add_memory(bench);
	measure_run(bench->measure);
}

void bench_free(struct bench *bench)
{
	size_t i;

	measure_free(bench->measure);
	munmap(bench->cells, most_cells() * sizeof(*bench->cells));
	for (i = 0; i < shape_count; i++)
		free(bench->built[i].program.filter);
	free(bench->built);
}

const char *bench_toggled_suffix(const struct bench *bench)
{
	return bench->jit.state == JIT_ON ? "-nojit" : "-jit";
}

const struct cell *bench_cell(const struct bench *bench, const char *name)
{
	size_t i;

	for (i = 0; i < bench->cell_count; i++)
		if (strcmp(bench->cells[i].name, name) == 0)
			return &bench->cells[i];
	return NULL;
}

static int worker_named(const struct bench *bench, const char *name)
{
	const struct cell *cell = bench_cell(bench, name);

	if (strcmp(name, "none") == 0)
		return BASELINE;
	if (strcmp(name, memory) == 0)
		return bench->memory;
	return cell ? cell->worker : -1;
}

const char *bench_compare(const struct bench *bench, const char *cell, const char *baseline,
			  struct estimate *estimate)
{
	int a = worker_named(bench, cell), b = worker_named(bench, baseline);

	if (a < 0 || b < 0) {
		*estimate = (struct estimate){.ns = NAN, .ratio = NAN, .ci95 = {NAN, NAN}};
		return "not measured";
	}
	measure_estimate(bench->measure, a, b, estimate);
	return measure_why_none(bench->measure, a, b);
}

/* An error of a cell whose filter is in force came later, from its worker. */
static enum verdict on_error(const struct cell *cell)
{
	return cell->verdict == VERDICT_OK ? VERDICT_UNKNOWN : cell->verdict;
}

static void report_cell(const struct bench *bench, const struct cell *cell, struct report *report)
{
	struct result *result = measure_report(bench->measure, cell->worker, BASELINE, report,
					       cell->group, cell->name, on_error(cell));

	if (!cell->built->error)
		result_number(result, "insns", cell->built->program.len);
}

/* The memory loop is compared with itself, unfiltered. */
static void report_memory(const struct bench *bench, struct report *report, int worker,
			  const char *name, enum verdict verdict)
{
	measure_report(bench->measure, worker, bench->memory, report, memory, name, verdict);
}

void bench_report_syscalls(const struct bench *bench, struct report *report)
{
	size_t i;

	measure_report(bench->measure, BASELINE, BASELINE, report, "cached", "none",
		       VERDICT_UNKNOWN);
	for (i = 0; i < bench->cell_count; i++)
		if (bench->cells[i].group != memory)
			report_cell(bench, &bench->cells[i], report);
}

void bench_report_memory(const struct bench *bench, struct report *report)
{
	size_t i;

	report_memory(bench, report, bench->memory, memory, VERDICT_UNKNOWN);
	report_memory(bench, report, bench->memory_ssbd, "memory-ssbd", VERDICT_NA);
	for (i = 0; i < bench->cell_count; i++)
		if (bench->cells[i].group == memory)
			report_memory(bench, report, bench->cells[i].worker, bench->cells[i].name,
				      on_error(&bench->cells[i]));
}

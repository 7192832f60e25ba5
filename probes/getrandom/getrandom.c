/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * getrandom: does getrandom(2) keep its promises, who really gets the bytes from
 * where, and what do they cost?
 */
#include <string.h>

#include "check.h"
#include "cost.h"
#include "emulator.h"
#include "path.h"
#include "probe.h"
#include "system.h"

static void add_facts(struct report *report, const struct source *vdso)
{
	const struct vdso_params *params = &vdso->vdso.params;

	if (vdso->verdict == VERDICT_OK)
		report_fact(report, "vdso_getrandom", "state of %u bytes, mmap flags 0x%x",
			    params->size_of_opaque_state, params->mmap_flags);
	else
		report_fact(report, "vdso_getrandom", "%s", vdso->reason);
	if (emulator_is_tcg())
		report_fact(report, "emulator", "QEMU TCG: all times are the emulator's");
}

/*
 * A static program's arc4random_buf is libbsd's only if it was linked that way.
 */
static void check_libbsd(struct source *libbsd, const struct path *path)
{
	static const char reason[] = "arc4random_buf is not libbsd's here: it makes getrandom(2)";

	if (path->kind != PATH_SYSCALL || strcmp(path->name, "getrandom") != 0)
		return;
	libbsd->verdict = VERDICT_NA;
	libbsd->reason = reason;
}

/* Which of the two getrandom() of the C library is. */
static void report_libc(struct report *report, const struct path *path)
{
	struct result *result;

	if (path->kind == PATH_UNKNOWN) {
		report_add(report, "vdso", "libc-path", path->verdict, "%s", path->reason);
		return;
	}
	if (path->kind == PATH_NONE) {
		result = report_add(report, "vdso", "libc-path", VERDICT_OK, "%s", "");
		result_outcome(result, "vDSO");
		return;
	}
	result = report_add(report, "vdso", "libc-path", VERDICT_OK,
			    "getrandom() of the C library makes %s(2) each time (glibc uses the "
			    "vDSO from 2.41)",
			    path->name);
	result_outcome(result, "system call");
}

static void run(struct report *report, const struct settings *settings)
{
	unsigned int threads = system_cpus();
	struct source sources[SOURCES];
	struct path paths[SOURCES];

	sources_open(sources, threads);
	if (check_readiness(report, &sources[SOURCE_VDSO])) {
		for (size_t i = 0; i < SOURCES; i++)
			path_find(&paths[i], &sources[i], true);
		check_libbsd(&sources[SOURCE_LIBBSD], &paths[SOURCE_LIBBSD]);
		check_contract(report);
		check_bytes(report, sources);
		check_vdso(report, &sources[SOURCE_VDSO]);
		report_libc(report, &paths[SOURCE_LIBC]);
		measure_cost(report, sources, paths, threads, settings);
	}
	add_facts(report, &sources[SOURCE_VDSO]);
	sources_close(sources);
}

int main(int argc, char **argv)
{
	static const struct probe probe = {
		.name = "getrandom",
		.summary = "what getrandom(2), its vDSO form and their rivals do and cost",
		.run = run,
	};

	return probe_main(&probe, argc, argv);
}

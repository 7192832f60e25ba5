/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a seccomp filter costs per system call, and what the BPF JIT saves of that.
 *
 * It answers the question of a review of 2018, what CONFIG_BPF_JIT=n costs a sandboxed
 * process. The benchmark of that time no longer can: its filter, a deny list that says
 * nothing of the call that it measures, is answered from the action cache since 5.11, and
 * the program that the JIT would speed up never runs. See shapes.h.
 */
#include <errno.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "behaviour.h"
#include "bench.h"
#include "filter.h"
#include "probe.h"
#include "report.h"
#include "system.h"
#include "words.h"

/*
 * A kernel with filters looks at the pointer first: EFAULT. One without them has only
 * strict mode, EINVAL, or not even that, ENOSYS; so has qemu-user.
 */
static bool has_filters(struct report *report)
{
	int error = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL) ? errno : 0;

	if (error == EFAULT)
		return true;
	if (error == ENOSYS || error == EINVAL)
		report_add(report, "behaviour", "filters-active", VERDICT_NA,
			   "seccomp(SECCOMP_SET_MODE_FILTER): %s: CONFIG_SECCOMP_FILTER=n, or an "
			   "emulator such as qemu-user",
			   strerrorname_np(error));
	else
		report_add(report, "behaviour", "filters-active", VERDICT_UNKNOWN,
			   "seccomp(SECCOMP_SET_MODE_FILTER, NULL): %s instead of EFAULT: a "
			   "sandbox, or a library that lies",
			   error ? strerrorname_np(error) : "success");
	return false;
}

/* No baseline can be had where every call takes the slow path already. */
static bool has_baseline(struct report *report)
{
	int filters = filter_count(), mode = prctl(PR_GET_SECCOMP);
	char tracer[16];

	if (filters > 0 || mode == SECCOMP_MODE_FILTER) {
		report_add(report, "cached", "none", VERDICT_UNKNOWN,
			   "already %d filter(s) on this process: a container? Without an "
			   "unfiltered baseline there is nothing to compare with",
			   filters > 0 ? filters : 1);
		return false;
	}
	if (!proc_status("TracerPid", tracer, sizeof(tracer)) && strcmp(tracer, "0") != 0) {
		report_add(report, "cached", "none", VERDICT_UNKNOWN,
			   "traced by process %s: system calls take the slow path already", tracer);
		return false;
	}
	return true;
}

static void run(struct report *report, const struct settings *settings)
{
	struct bench bench = {0};

	if (!has_baseline(report) || !has_filters(report))
		return;
	bench_run(&bench, settings->quick);
	words_facts(&bench, report);
	bench_report_syscalls(&bench, report);
	harden_report(&bench, report);
	bench_report_memory(&bench, report);
	behaviour_report(&bench, report);
	report_aa(report, measure_aa(bench.measure));
	words_say(&bench, report);
	bench_free(&bench);
}

static const struct probe probe = {
	.name = "seccomp-overhead",
	.summary = "What a seccomp filter costs per system call, with and without the BPF JIT.",
	.run = run,
};

int main(int argc, char **argv)
{
	return probe_main(&probe, argc, argv);
}

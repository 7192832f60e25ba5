/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine: its CPUs, and the facts without which a figure says nothing.
 */
#include <errno.h>
#include <gnu/libc-version.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "filter.h"
#include "report.h"
#include "system.h"

/* Room for 8192 CPUs, the largest CONFIG_NR_CPUS. */
#define CPU_SETS (8192 / CPU_SETSIZE)

bool system_kernel_before(int major, int minor)
{
	struct utsname system;
	int here[2] = {0, 0};

	uname(&system);
	if (sscanf(system.release, "%d.%d", &here[0], &here[1]) != 2) /* NOLINT(cert-err34-c) */
		return false;
	return here[0] < major || (here[0] == major && here[1] < minor);
}

unsigned int system_cpus(void)
{
	cpu_set_t allowed[CPU_SETS] = {0};

	if (sched_getaffinity(0, sizeof(allowed), allowed))
		return 1;
	return CPU_COUNT_S(sizeof(allowed), allowed);
}

int system_pin(unsigned int index)
{
	cpu_set_t allowed[CPU_SETS] = {0};
	int cpu = CPU_SETS * CPU_SETSIZE;

	if (sched_getaffinity(0, sizeof(allowed), allowed))
		return -1;
	index %= CPU_COUNT_S(sizeof(allowed), allowed);
	do
		cpu--;
	while (!CPU_ISSET_S(cpu, sizeof(allowed), allowed) || index--);
	CPU_ZERO_S(sizeof(allowed), allowed);
	CPU_SET_S(cpu, sizeof(allowed), allowed);
	return sched_setaffinity(0, sizeof(allowed), allowed);
}

static void fact_cpu(struct report *report)
{
	char model[128], implementer[32], part[32];

	if (!proc_value("cpuinfo", "model name", model, sizeof(model)))
		report_fact(report, "cpu", "%s", model);
	else if (!proc_value("cpuinfo", "CPU implementer", implementer, sizeof(implementer)) &&
		 !proc_value("cpuinfo", "CPU part", part, sizeof(part)))
		report_fact(report, "cpu", "implementer %s, part %s", implementer, part);
	else
		report_fact(report, "cpu", "unknown: no model in /proc/cpuinfo: %s",
			    strerrorname_np(errno));
}

static void fact_load(struct report *report)
{
	char load[64];

	if (proc_read("loadavg", load, sizeof(load)) < 0)
		report_fact(report, "load", "unknown: /proc/loadavg: %s", strerrorname_np(errno));
	else
		report_fact(report, "load", "%.*s", (int)strcspn(load, " "), load);
}

static void fact_seccomp_filters(struct report *report)
{
	int count = filter_count();

	if (count < 0)
		report_fact(report, "seccomp_filters", "unknown: /proc/self/status: %s",
			    strerrorname_np(errno));
	else
		report_fact(report, "seccomp_filters", "%d", count);
}

void system_facts(struct report *report)
{
	struct utsname system;

	uname(&system);
	report_fact(report, "kernel", "%s", system.release);
	report_fact(report, "arch", "%s", system.machine);
	report_fact(report, "cpus", "%u", system_cpus());
	fact_cpu(report);
	report_fact(report, "libc", "glibc %s", gnu_get_libc_version());
	report_fact(report, "page_size", "%ld", sysconf(_SC_PAGESIZE));
	fact_load(report);
	fact_seccomp_filters(report);
}

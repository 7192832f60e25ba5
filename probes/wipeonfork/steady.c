/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Once set up, a check for a fork is a load from memory. It is made a million times
 * under a filter that allows nothing but the end; a check by getpid(2) must trip
 * over that filter, or it would prove nothing.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "filter.h"
#include "wipeonfork.h"

enum { CHECKS = 1000000, CONTROL_TIMEOUT_MS = 5000 };

static int export_only_exit(struct sock_fprog *program)
{
	scmp_filter_ctx context = seccomp_init(SCMP_ACT_TRAP);
	int error;

	if (!context)
		return -ENOMEM;
	error = seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(exit_group), 0);
	if (!error)
		error = filter_export(context, program);
	seccomp_release(context);
	return error;
}

/* The last thing that this process does with the kernel's help. */
static void allow_only_exit(void)
{
	struct sock_fprog program;
	int error;

	child_stage("seccomp");
	error = export_only_exit(&program);
	if (!error)
		error = filter_load(&program, 0);
	if (error == -ENOSYS || error == -EINVAL)
		conclude(VERDICT_NA, "seccomp: %s: no CONFIG_SECCOMP_FILTER",
			 strerrorname_np(-error));
	if (error)
		conclude(VERDICT_UNKNOWN, "seccomp: %s", strerrorname_np(-error));
}

static int check_pid(void *arg)
{
	pid_t owner = getpid();

	(void)arg;
	allow_only_exit();
	return getpid() == owner ? EXIT_SUCCESS : EXIT_FAILURE;
}

static void control(void)
{
	struct child child;
	char text[128];

	child_run(&child, check_pid, NULL, CONTROL_TIMEOUT_MS);
	if (child.end == CHILD_TRAPPED && child.value == SYS_getpid)
		return;
	if (child.end == CHILD_EXITED && is_conclusion(child.value)) {
		child_note("%s", child.note);
		_exit(child.value);
	}
	conclude(VERDICT_UNKNOWN, "control: getpid under the filter: %s",
		 child_describe(&child, text, sizeof(text)));
}

static void no_system_call(void)
{
	const volatile unsigned char *flag = new_wiped_page();

	control();
	allow_only_exit();
	child_stage("check");
	for (int i = 0; i < CHECKS; i++) {
		if (!*flag)
			conclude(VERDICT_FAIL, "a check told of a fork where none was");
	}
	child_note("%d checks under a filter that traps all but exit_group; getpid was trapped",
		   CHECKS);
	/* Straight on: sanitizers and libc have more to do on the way out. */
	syscall(SYS_exit_group, case_done());
}

void steady_state(struct report *report)
{
	static const struct test_case test = {"no-system-call", no_system_call};

	case_run(report, "steady-state", &test);
}

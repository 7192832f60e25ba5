/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A child that shares no handler, no core dump and no life after death with its
 * parent.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "child.h"

static void no_core_dump(void)
{
	const struct rlimit none = {0, 0};

	setrlimit(RLIMIT_CORE, &none);
}

static void default_signals(void)
{
	sigset_t all;

	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	sigfillset(&all);
	sigprocmask(SIG_UNBLOCK, &all, NULL);
}

pid_t child_fork(void)
{
	pid_t parent = getpid();
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid)
		return pid;
	default_signals();
	no_core_dump();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (parent > 0 && getppid() != parent)
		_exit(EXIT_FAILURE);
	return 0;
}

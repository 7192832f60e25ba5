/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a child ended, in words.
 */
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "child.h"

void child_ended(struct child *child, int status)
{
	child->end = WIFSIGNALED(status) ? CHILD_SIGNALED : CHILD_EXITED;
	child->value = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

static void describe_signal(int number, char *text, size_t size)
{
	const char *name = sigabbrev_np(number);

	if (name)
		snprintf(text, size, "killed by SIG%s", name);
	else
		snprintf(text, size, "killed by signal %d", number);
}

static void describe_trap(int number, char *text, size_t size)
{
	char *name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number);

	if (name)
		snprintf(text, size, "seccomp trapped %s", name);
	else
		snprintf(text, size, "seccomp trapped system call %d", number);
	free(name);
}

static void describe_error(int error, char *text, size_t size)
{
	const char *name = strerrorname_np(error);

	if (name)
		snprintf(text, size, "no child process: %s", name);
	else
		snprintf(text, size, "no child process: errno %d", error);
}

const char *child_describe(const struct child *child, char *text, size_t size)
{
	size_t length;

	switch (child->end) {
	case CHILD_EXITED:
		snprintf(text, size, "exit status %d", child->value);
		break;
	case CHILD_SIGNALED:
		describe_signal(child->value, text, size);
		break;
	case CHILD_TRAPPED:
		describe_trap(child->value, text, size);
		break;
	case CHILD_TIMED_OUT:
		snprintf(text, size, "no answer in %d ms", child->value);
		break;
	case CHILD_NOT_STARTED:
		describe_error(child->value, text, size);
		break;
	}
	length = strlen(text);
	if (child->stage[0])
		snprintf(text + length, size - length, " at: %s", child->stage);
	return text;
}

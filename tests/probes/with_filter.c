/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Run a command under a seccomp filter, for negative controls of the probes:
 *
 *	with_filter madvise=0 getrandom=ENOSYS socket=trap mmap=kill -- COMMAND ARG...
 *
 * Everything is allowed but what is named, by name or number; "madvise:2:-1=EPERM"
 * is about calls whose argument 2, of 0 to 5, is -1 in 32 bits. "0" makes the call
 * return 0 without being executed, an errno (name or number) makes it fail,
 * "trap" sends SIGSYS, "kill" ends the process. The filter sets no_new_privs.
 *
 * Exit status: 2 for a bad command line or a filter that cannot be loaded, 126 when
 * the command cannot be executed; else that of the command.
 */
#include <err.h>
#include <errno.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	STATUS_USAGE = 2,
	STATUS_NOT_EXECUTED = 126,
	ERRNO_MAX = 4095, /* what the kernel takes from a filter */
};

/* A whole decimal number from 0 to max, or -1. */
static int number(const char *text, int max)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (end == text || *end || errno || value < 0 || value > max)
		return -1;
	return (int)value;
}

static int errno_by_name(const char *name)
{
	for (int error = 1; error <= ERRNO_MAX; error++) {
		const char *known = strerrorname_np(error);

		if (known && !strcmp(known, name))
			return error;
	}
	return -1;
}

static uint32_t parse_action(const char *text)
{
	int error;

	if (!strcmp(text, "trap"))
		return SCMP_ACT_TRAP;
	if (!strcmp(text, "kill"))
		return SCMP_ACT_KILL_PROCESS;
	error = number(text, ERRNO_MAX);
	if (error < 0)
		error = errno_by_name(text);
	if (error < 0)
		errx(STATUS_USAGE, "\"%s\" is none of 0, an errno, trap, kill", text);
	return SCMP_ACT_ERRNO(error);
}

/* Negative numbers are calls that other architectures have. */
static int parse_syscall(const char *name)
{
	int syscall = number(name, INT16_MAX);

	if (syscall < 0)
		syscall = seccomp_syscall_resolve_name(name);
	if (syscall < 0)
		errx(STATUS_USAGE, "no system call \"%s\" here", name);
	return syscall;
}

/* Cut ":2:-1" off "madvise:2:-1"; false when there is no such thing. */
static bool parse_argument(char *name, struct scmp_arg_cmp *argument)
{
	char *colon = strchr(name, ':');
	char *end, *value_end;
	unsigned long index;
	long value;

	if (!colon)
		return false;
	index = strtoul(colon + 1, &end, 10);
	value = strtol(*end ? end + 1 : end, &value_end, 10);
	if (end == colon + 1 || index > 5 || *end != ':' || value_end == end + 1 || *value_end)
		errx(STATUS_USAGE, "\"%s\" is not SYSCALL:ARGUMENT:VALUE", name);
	*colon = '\0';
	*argument = SCMP_CMP(index, SCMP_CMP_MASKED_EQ, UINT32_MAX, (uint32_t)value);
	return true;
}

static void add_rule(scmp_filter_ctx filter, char *rule)
{
	char *action = strchr(rule, '=');
	struct scmp_arg_cmp argument;
	bool has_argument;
	int ret;

	if (!action)
		errx(STATUS_USAGE, "\"%s\" is not SYSCALL=ACTION", rule);
	*action++ = '\0';
	has_argument = parse_argument(rule, &argument);
	ret = seccomp_rule_add_array(filter, parse_action(action), parse_syscall(rule),
				     has_argument, &argument);
	if (ret)
		errx(STATUS_USAGE, "%s=%s: %s", rule, action, strerror(-ret));
}

int main(int argc, char **argv)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	int i, ret;

	if (!filter)
		errx(STATUS_USAGE, "seccomp_init failed");
	for (i = 1; i < argc && strcmp(argv[i], "--"); i++)
		add_rule(filter, argv[i]);
	if (i + 1 >= argc) {
		fprintf(stderr, "usage: %s SYSCALL=0|ERRNO|trap|kill ... -- COMMAND [ARG ...]\n",
			program_invocation_short_name);
		return STATUS_USAGE;
	}

	ret = seccomp_load(filter);
	if (ret)
		errx(STATUS_USAGE, "seccomp_load: %s", strerror(-ret));
	seccomp_release(filter);
	execvp(argv[i + 1], &argv[i + 1]);
	err(STATUS_NOT_EXECUTED, "%s", argv[i + 1]);
}

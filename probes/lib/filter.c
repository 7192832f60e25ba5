/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From libseccomp's rules to the BPF program that the kernel is given. The program
 * is taken out by seccomp_export_bpf() and loaded here, so that it can be counted
 * and changed on the way.
 */
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "system.h"

/* The largest program that the kernel takes. It fits a pipe of the default size, 64 KiB. */
#define PROGRAM_BYTES (BPF_MAXINSNS * sizeof(struct sock_filter))

static int add_rules(scmp_filter_ctx context, const struct filter_rule *rules, size_t count)
{
	int error = 0;

	for (size_t i = 0; i < count && !error; i++)
		error = seccomp_rule_add(context, rules[i].action, rules[i].syscall, 0);
	return error;
}

int filter_deny(const struct filter_rule *rules, size_t count)
{
	scmp_filter_ctx context = seccomp_init(SCMP_ACT_ALLOW);
	struct sock_fprog program = {0};
	int error;

	if (!context)
		return -ENOMEM;
	error = add_rules(context, rules, count);
	if (!error)
		error = filter_export(context, &program);
	seccomp_release(context);
	if (error)
		return error;
	error = filter_load(&program, SECCOMP_FILTER_FLAG_TSYNC);
	free(program.filter);
	return error;
}

static int read_program(int fd, struct sock_fprog *program)
{
	struct sock_filter *instructions = malloc(PROGRAM_BYTES);
	ssize_t size;

	if (!instructions)
		return -ENOMEM;
	size = read(fd, instructions, PROGRAM_BYTES);
	if (size <= 0 || size % sizeof(*instructions)) {
		free(instructions);
		return size < 0 ? -errno : -EIO;
	}
	program->len = size / sizeof(*instructions);
	program->filter = instructions;
	return 0;
}

/*
 * Through a pipe, which needs no file system. An unprivileged user with many pipes
 * gets small ones (pipe-user-pages-soft), which would cut the program short.
 */
static int export_through(const int ends[2], scmp_filter_ctx context, struct sock_fprog *program)
{
	int error;

	if (fcntl(ends[1], F_GETPIPE_SZ) < (int)PROGRAM_BYTES &&
	    fcntl(ends[1], F_SETPIPE_SZ, PROGRAM_BYTES) < 0)
		return -errno;
	error = seccomp_export_bpf(context, ends[1]);
	return error ? error : read_program(ends[0], program);
}

int filter_export(scmp_filter_ctx context, struct sock_fprog *program)
{
	int ends[2];
	int error;

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
		return -errno;
	error = export_through(ends, context, program);
	close(ends[0]);
	close(ends[1]);
	return error;
}

int filter_load(const struct sock_fprog *program, unsigned int flags)
{
	long result;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	result = syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags, program);
	if (result < 0)
		return -errno;
	/* TSYNC answers with the thread that has filters which this one has not. */
	return result ? -ESRCH : 0;
}

int filter_count(void)
{
	long count = proc_number("self/status", "Seccomp_filters");

	if (count >= 0)
		return count;
	count = proc_number("self/status", "Seccomp");
	return count < 0 ? -1 : count == SECCOMP_MODE_FILTER;
}

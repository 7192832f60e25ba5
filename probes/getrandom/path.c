/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a call asks of the kernel, by a filter that traps all it could ask.
 */
#include <errno.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "child.h"
#include "filter.h"
#include "path.h"

/*
 * The kernel gives its generator a new key now and then (once a minute, more often
 * after boot), and the next vDSO call fetches one. A second such event right
 * after is out of the question.
 */
#define TRIES 3

struct trial {
	const struct source *source;
	bool first_call;
};

/* The child's exit status when it was not trapped. */
enum { EXIT_CALLED, EXIT_SHORT, EXIT_NO_FILTER };

/* Trap all but what ends the child: 0 or a negative errno. */
static int trap_everything(void)
{
	scmp_filter_ctx context = seccomp_init(SCMP_ACT_TRAP);
	struct sock_fprog program;
	int error;

	if (!context)
		return -ENOMEM;
	error = seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(exit_group), 0);
	if (!error)
		error = filter_export(context, &program);
	seccomp_release(context);
	if (error)
		return error;
	error = filter_load(&program, 0);
	free(program.filter);
	return error;
}

static bool call(const struct source *source)
{
	unsigned char buffer[32];
	ssize_t got = source->fill(source, 0, buffer, sizeof(buffer));

	child_error(got < 0 ? (int)-got : 0);
	return got == sizeof(buffer);
}

static int call_under_trap(void *arg)
{
	const struct trial *trial = arg;
	int end = EXIT_CALLED;
	int error;

	if (trial->first_call && !call(trial->source))
		return EXIT_SHORT;
	error = trap_everything();
	if (error) {
		child_error(-error);
		return EXIT_NO_FILTER;
	}
	for (unsigned int i = 0; i < PATH_CALLS && end == EXIT_CALLED; i++) {
		if (!call(trial->source))
			end = EXIT_SHORT;
	}
	syscall(SYS_exit_group, end); /* no other way out is left */
	return end;
}

static void unknown(struct path *path, enum verdict verdict, const char *reason)
{
	path->kind = PATH_UNKNOWN;
	path->verdict = verdict;
	snprintf(path->reason, sizeof(path->reason), "%s", reason);
}

static void no_filter(struct path *path, int error)
{
	bool absent = error == ENOSYS || error == EINVAL;
	char text[sizeof(path->reason)];

	snprintf(text, sizeof(text), "no seccomp filter can be loaded: %s%s", errno_name(error),
		 absent ? " (CONFIG_SECCOMP_FILTER is off, or an emulator)" : "");
	unknown(path, absent ? VERDICT_NA : VERDICT_UNKNOWN, text);
}

static void judge(struct path *path, const struct child *child)
{
	char text[sizeof(path->reason)];

	*path = (struct path){.kind = PATH_NONE, .verdict = VERDICT_OK};
	if (child->end == CHILD_TRAPPED) {
		char *name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, child->value);

		path->kind = PATH_SYSCALL;
		snprintf(path->name, sizeof(path->name), "%s", name ? name : "?");
		free(name);
	} else if (child->end != CHILD_EXITED) {
		unknown(path, child->end == CHILD_NOT_STARTED ? VERDICT_UNKNOWN : VERDICT_FAIL,
			child_describe(child, text, sizeof(text)));
	} else if (child->value == EXIT_NO_FILTER) {
		no_filter(path, child->error);
	} else if (child->value == EXIT_SHORT) {
		snprintf(text, sizeof(text), "32 bytes were asked for in vain: %s",
			 child->error ? errno_name(child->error) : "too few came");
		unknown(path, VERDICT_FAIL, text);
	}
}

void path_find(struct path *path, const struct source *source, bool first_call)
{
	struct trial trial = {source, first_call};
	struct child child;

	if (source->verdict != VERDICT_OK) {
		unknown(path, source->verdict, source->reason);
		return;
	}
	for (unsigned int i = 0; i < TRIES; i++) {
		child_run(&child, call_under_trap, &trial, CHECK_TIMEOUT_MS);
		judge(path, &child);
		if (path->kind != PATH_SYSCALL)
			return;
	}
}

const char *path_word(const struct path *path, char *text, size_t size)
{
	if (path->kind == PATH_SYSCALL)
		snprintf(text, size, "%s(2)", path->name);
	else
		snprintf(text, size, "%s", path->kind == PATH_NONE ? "no system call" : "unknown");
	return text;
}

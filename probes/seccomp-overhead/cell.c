/* SPDX-License-Identifier: GPL-2.0-only */
#include "cell.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "filter.h"
#include "ssbd.h"
#include "system.h"

enum { ALLOWED_WORKS = 42, ALLOWED_REFUSED = 43 };

__attribute__((format(printf, 3, 4))) static bool found(struct cell *cell, enum verdict verdict,
							const char *format, ...)
{
	va_list arguments;

	cell->verdict = verdict;
	va_start(arguments, format);
	vsnprintf(cell->why, sizeof(cell->why), format, arguments);
	va_end(arguments);
	return false;
}

static bool load(struct cell *cell)
{
	unsigned int i;

	if (cell->built->error)
		return found(cell, VERDICT_UNKNOWN, "libseccomp cannot build the filter: %s",
			     strerrorname_np(-cell->built->error));
	for (i = 0; i < cell->shape->copies; i++) {
		int error = filter_load(&cell->built->program, cell->flags);

		if (error == -EINVAL && (cell->flags & SECCOMP_FILTER_FLAG_SPEC_ALLOW))
			return found(cell, VERDICT_NA,
				     "no SECCOMP_FILTER_FLAG_SPEC_ALLOW (Linux 4.17)");
		if (error)
			return found(cell, VERDICT_UNKNOWN, "seccomp(SECCOMP_SET_MODE_FILTER): %s",
				     strerrorname_np(-error));
	}
	return true;
}

static bool counted(struct cell *cell)
{
	int mode = prctl(PR_GET_SECCOMP);
	int count = filter_count();
	char text[16];

	if (mode != SECCOMP_MODE_FILTER)
		return found(cell, VERDICT_FAIL, "not active: PR_GET_SECCOMP is %d, not 2", mode);
	if (count < 0)
		return true; /* no /proc: the denied call must do */
	if (!count)
		return found(cell, VERDICT_FAIL,
			     "not active: Seccomp is not 2 in /proc/self/status");
	if (proc_status("Seccomp_filters", text, sizeof(text)))
		return true; /* before 5.9 they are not counted */
	if (count != (int)cell->shape->copies)
		return found(cell, VERDICT_FAIL, "not active: Seccomp_filters is %d, not %u", count,
			     cell->shape->copies);
	return true;
}

/* In a child: which of the two calls the filter lets through. */
static _Noreturn void try_calls(void)
{
	if (syscall(MEASURED_SYSCALL) < 0)
		_exit(ALLOWED_REFUSED);
	syscall(DENIED_SYSCALL, -1);
	_exit(ALLOWED_WORKS);
}

static bool kills(struct cell *cell)
{
	pid_t child = child_fork();
	int status = 0;

	if (!child)
		try_calls();
	if (child < 0 || waitpid(child, &status, 0) != child)
		return found(cell, VERDICT_UNKNOWN, "filter not proven: fork or waitpid: %s",
			     strerrorname_np(errno));
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
		return true;
	if (WIFEXITED(status) && WEXITSTATUS(status) == ALLOWED_WORKS)
		return found(cell, VERDICT_FAIL, "not active: a denied system call was not killed");
	return found(cell, VERDICT_FAIL, "not as built: wait status 0x%x, not SIGSYS", status);
}

const char *cell_prepare(void *ctx)
{
	struct cell *cell = ctx;

	if (!load(cell) || !counted(cell) || !kills(cell))
		return cell->why;
	cell->ssbd = ssbd_state();
	cell->verdict = VERDICT_OK;
	return NULL;
}

const char *syscall_loop(void *ctx, unsigned int thread, unsigned long operations)
{
	(void)ctx;
	(void)thread;
	while (operations--)
		syscall(MEASURED_SYSCALL);
	return NULL;
}

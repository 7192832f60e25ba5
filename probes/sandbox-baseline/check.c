/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of checks, and how one of them is run.
 */
#include "check.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "calls.h"

/* All take a few milliseconds, unless something hangs. */
#define TIMEOUT_MS 3000

#define MEMORY_CALLS (BIT(CALL_MMAP) | BIT(CALL_MUNMAP) | BIT(CALL_BRK))
#define THREAD_CALLS                                                                               \
	(BIT(CALL_CLONE3) | BIT(CALL_CLONE) | BIT(CALL_MMAP) | BIT(CALL_MPROTECT) |                \
	 BIT(CALL_SET_ROBUST_LIST) | BIT(CALL_RT_SIGPROCMASK) | BIT(CALL_MADVISE) |                \
	 BIT(CALL_EXIT) | BIT(CALL_FUTEX))
#define CONTENTION_CALLS (BIT(CALL_SCHED_YIELD) | THREAD_CALLS)
#define FILE_CALLS	 (BIT(CALL_OPENAT) | BIT(CALL_NEWFSTATAT) | BIT(CALL_READ))

const struct check checks[CHECKS] = {
	[CHECK_MALLOC_SMALL] = {.name = "malloc-small",
				.run = check_malloc_small,
				.calls = MEMORY_CALLS},
	[CHECK_MALLOC_LARGE] = {.name = "malloc-large",
				.run = check_malloc_large,
				.calls = MEMORY_CALLS | BIT(CALL_MREMAP)},
	[CHECK_RWLOCK] = {.name = "rwlock", .run = check_rwlock, .calls = BIT(CALL_FUTEX)},
	[CHECK_RWLOCK_CONTENDED] = {.name = "rwlock-contended",
				    .run = check_rwlock_contended,
				    .calls = CONTENTION_CALLS},
	[CHECK_RWLOCK_WAKE] = {.name = "rwlock-wake",
			       .run = check_rwlock_wake,
			       .where = BUILT_ONLY,
			       .twin = CHECK_RWLOCK_CONTENDED},
	[CHECK_ONCE] = {.name = "once", .run = check_once, .calls = BIT(CALL_FUTEX)},
	[CHECK_ONCE_CONTENDED] = {.name = "once-contended",
				  .run = check_once_contended,
				  .calls = CONTENTION_CALLS},
	[CHECK_ONCE_WAKE] = {.name = "once-wake",
			     .run = check_once_wake,
			     .where = BUILT_ONLY,
			     .twin = CHECK_ONCE_CONTENDED},
	[CHECK_FUTEX] = {.name = "futex", .run = check_futex, .calls = BIT(CALL_FUTEX)},
	[CHECK_THREAD] = {.name = "thread", .run = check_thread, .calls = THREAD_CALLS},
	[CHECK_NO_HIDDEN_THREADS] = {.name = "no-hidden-threads",
				     .run = check_no_hidden_threads,
				     .where = CURRENT_ONLY,
				     .calls = CONTENTION_CALLS | BIT(CALL_GETRANDOM)},
	[CHECK_STDERR] = {.name = "stderr",
			  .run = check_stderr,
			  .calls = BIT(CALL_FCNTL) | BIT(CALL_WRITE)},
	[CHECK_GETRANDOM] = {.name = "getrandom",
			     .run = check_getrandom,
			     .calls = BIT(CALL_GETRANDOM)},
	[CHECK_GETENTROPY] = {.name = "getentropy",
			      .run = check_getentropy,
			      .calls = BIT(CALL_GETRANDOM)},
	[CHECK_URANDOM] = {.name = "urandom",
			   .run = check_urandom,
			   .optional = true,
			   .instead = CHECK_GETRANDOM,
			   .calls = FILE_CALLS},
	[CHECK_URANDOM_KEPT] = {.name = "urandom-kept",
				.run = check_urandom_kept,
				.where = BUILT_ONLY,
				.twin = CHECK_URANDOM},
	[CHECK_WIPEONFORK] = {.name = "wipeonfork",
			      .run = check_wipeonfork,
			      .calls = BIT(CALL_MADVISE) | BIT(CALL_MMAP) | BIT(CALL_CLONE) |
				       BIT(CALL_WAIT4)},
	[CHECK_GETAUXVAL] = {.name = "getauxval", .run = check_getauxval},
	[CHECK_STRERROR] = {.name = "strerror",
			    .run = check_strerror,
			    .calls = FILE_CALLS | MEMORY_CALLS | BIT(CALL_FUTEX)},
};

struct cell {
	enum check_id check;
	const struct sandbox *sandbox;
};

static int run_cell(void *arg)
{
	const struct cell *cell = arg;

	return checks[cell->check].run(cell->sandbox);
}

void check_run(enum check_id id, const struct sandbox *sandbox, struct child *child)
{
	struct cell cell = {id, sandbox};

	child_run(child, run_cell, &cell, TIMEOUT_MS);
}

bool check_ended(const struct child *child, enum outcome outcome)
{
	return child->end == CHILD_EXITED && child->value == (int)outcome;
}

const char *check_describe(const struct child *child, char *text, size_t size)
{
	if (check_ended(child, PASSED))
		snprintf(text, size, "passed");
	else if (child->end != CHILD_EXITED || !child->note[0])
		child_describe(child, text, size);
	else if (child->error)
		snprintf(text, size, "%s: %s at: %s", child->note, strerrorname_np(child->error),
			 child->stage);
	else
		snprintf(text, size, "%s at: %s", child->note, child->stage);
	return text;
}

void check_mute(void)
{
	close(STDERR_FILENO);
}

int check_refused(const char *what, enum outcome outcome)
{
	child_error(errno);
	child_note("%s refused", what);
	return outcome;
}

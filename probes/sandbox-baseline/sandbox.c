/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of sandboxes. Each refuses one thing in one way; the checks in `must` have to
 * notice exactly that, all others have to pass: so each check has its negative
 * control, and each sandbox, too.
 *
 * What the C library does when a call is refused is part of the table: glibc aborts
 * when futex(2) fails, and goes from clone3(2) to clone(2) only on ENOSYS.
 */
#include "sandbox.h"

#include <errno.h>
#include <grp.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "calls.h"
#include "check.h"
#include "filter.h"

#define NOBODY 65534

#define MEMORY (BIT(CALL_MMAP) | BIT(CALL_BRK))
#define CLONES (BIT(CALL_CLONE) | BIT(CALL_CLONE3))

/* Who notices. pthread_once() of glibc wakes the others even if there are none. */
#define FUTEX_USERS                                                                                \
	(BIT(CHECK_RWLOCK_CONTENDED) | BIT(CHECK_RWLOCK_WAKE) | BIT(CHECK_ONCE) |                  \
	 BIT(CHECK_ONCE_CONTENDED) | BIT(CHECK_ONCE_WAKE) | BIT(CHECK_FUTEX))
#define GETRANDOM_USERS (BIT(CHECK_GETRANDOM) | BIT(CHECK_GETENTROPY))
#define MMAP_USERS	(BIT(CHECK_MALLOC_LARGE) | BIT(CHECK_THREAD) | BIT(CHECK_WIPEONFORK))
#define MEMORY_USERS	(BIT(CHECK_MALLOC_SMALL) | MMAP_USERS)
#define CLONE_USERS	(BIT(CHECK_THREAD) | BIT(CHECK_WIPEONFORK))

#if __GLIBC_PREREQ(2, 34)
#define CLONE3_USERS BIT(CHECK_THREAD)
#else
#define CLONE3_USERS 0
#endif

static int refused(const char *what, int error)
{
	errno = error;
	return check_refused(what, NOT_ENTERED);
}

static int impossible(const char *what, int error)
{
	errno = error;
	return check_refused(what, NO_SANDBOX);
}

static int enter_seccomp(const struct sandbox *sandbox)
{
	struct filter_rule rules[CALLS];
	size_t count = 0;
	int error;

	for (enum call call = 0; call < CALLS; call++)
		if (sandbox->calls & BIT(call))
			rules[count++] = (struct filter_rule){call_number(call), sandbox->action};
	error = -filter_deny(rules, count);
	/* An emulator, or CONFIG_SECCOMP_FILTER is off. */
	if (error == ENOSYS || error == EINVAL)
		return impossible("seccomp", error);
	return error ? refused("seccomp", error) : 0;
}

/* A folder that is removed while we are in it stays empty for ever. */
static int enter_empty_folder(void)
{
	static const char *const templates[] = {"/tmp/empty-XXXXXX", "/run/empty-XXXXXX",
						"/empty-XXXXXX"};
	char path[32];

	for (size_t i = 0; i < sizeof(templates) / sizeof(*templates); i++) {
		snprintf(path, sizeof(path), "%s", templates[i]);
		if (!mkdtemp(path))
			continue;
		if (!chdir(path) && !rmdir(path))
			return 0;
		rmdir(path);
		return -1;
	}
	return -1;
}

static int enter_empty_chroot(const struct sandbox *sandbox)
{
	(void)sandbox;
	/* Asks first, without effect, and does not create a folder in vain. */
	if (chroot("/"))
		return impossible("chroot", errno);
	if (enter_empty_folder())
		return refused("an empty folder", errno);
	return chroot(".") ? refused("chroot", errno) : 0;
}

static int enter_rlimit(const struct sandbox *sandbox)
{
	const struct rlimit limit = {0, 0};
	struct rlimit now;

	if (setrlimit(sandbox->resource, &limit))
		return refused("setrlimit", errno);
	/* QEMU's user mode keeps some limits to itself. */
	if (getrlimit(sandbox->resource, &now) || now.rlim_cur) {
		child_note("setrlimit reports success, without effect");
		return NO_SANDBOX;
	}
	return 0;
}

/* The superuser has no limit of processes. */
static int enter_rlimit_as_nobody(const struct sandbox *sandbox)
{
	int failure = enter_rlimit(sandbox);

	if (failure || getuid())
		return failure;
	if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY))
		return impossible("setresgid", errno);
	return setresuid(NOBODY, NOBODY, NOBODY) ? impossible("setresuid", errno) : 0;
}

static int enter_closed_stderr(const struct sandbox *sandbox)
{
	(void)sandbox;
	/* Some checks have closed it themselves. */
	if (close(STDERR_FILENO) && errno != EBADF)
		return refused("close", errno);
	return 0;
}

#define SECCOMP(calls_) .enter = enter_seccomp, .calls = (calls_)
#define ERROR(error_)	.action = SCMP_ACT_ERRNO(error_), .error = (error_)
#define TRAP		.action = SCMP_ACT_TRAP
#define KILL		.action = SCMP_ACT_KILL_PROCESS
/* Success is reported, nothing is done. */
#define LIE .action = SCMP_ACT_ERRNO(0)

const struct sandbox sandboxes[] = {
	{"futex-eperm", SECCOMP(BIT(CALL_FUTEX)), ERROR(EPERM), .must = FUTEX_USERS,
	 .may = BIT(CHECK_THREAD), .quick = true},
	{"futex-enosys", SECCOMP(BIT(CALL_FUTEX)), ERROR(ENOSYS), .must = FUTEX_USERS,
	 .may = BIT(CHECK_THREAD)},
	{"futex-trap", SECCOMP(BIT(CALL_FUTEX)), TRAP, .must = FUTEX_USERS,
	 .may = BIT(CHECK_THREAD), .quick = true},
	{"futex-kill", SECCOMP(BIT(CALL_FUTEX)), KILL, .must = FUTEX_USERS,
	 .may = BIT(CHECK_THREAD)},

	{"getrandom-eperm", SECCOMP(BIT(CALL_GETRANDOM)), ERROR(EPERM), .must = GETRANDOM_USERS},
	{"getrandom-enosys", SECCOMP(BIT(CALL_GETRANDOM)), ERROR(ENOSYS), .must = GETRANDOM_USERS,
	 .quick = true},
	{"getrandom-trap", SECCOMP(BIT(CALL_GETRANDOM)), TRAP, .must = GETRANDOM_USERS},
	{"getrandom-kill", SECCOMP(BIT(CALL_GETRANDOM)), KILL, .must = GETRANDOM_USERS},

	/* glibc gives the stack of a thread that ends back by madvise(2), and ignores errors. */
	{"madvise-eperm", SECCOMP(BIT(CALL_MADVISE)), ERROR(EPERM), .must = BIT(CHECK_WIPEONFORK)},
	{"madvise-enosys", SECCOMP(BIT(CALL_MADVISE)), ERROR(ENOSYS),
	 .must = BIT(CHECK_WIPEONFORK)},
	{"madvise-trap", SECCOMP(BIT(CALL_MADVISE)), TRAP,
	 .must = BIT(CHECK_WIPEONFORK) | BIT(CHECK_THREAD)},
	{"madvise-kill", SECCOMP(BIT(CALL_MADVISE)), KILL,
	 .must = BIT(CHECK_WIPEONFORK) | BIT(CHECK_THREAD)},
	{"madvise-lies", SECCOMP(BIT(CALL_MADVISE)), LIE, .must = BIT(CHECK_WIPEONFORK),
	 .quick = true},

	/* malloc() has two ways to get memory: only both together stop it. */
	{"memory-eperm", SECCOMP(MEMORY), ERROR(EPERM), .must = MEMORY_USERS},
	{"memory-enosys", SECCOMP(MEMORY), ERROR(ENOSYS), .must = MEMORY_USERS},
	{"memory-trap", SECCOMP(MEMORY), TRAP, .must = MEMORY_USERS},
	{"memory-kill", SECCOMP(MEMORY), KILL, .must = MEMORY_USERS},
	{"mmap-trap", SECCOMP(BIT(CALL_MMAP)), TRAP, .must = MMAP_USERS,
	 .may = BIT(CHECK_MALLOC_SMALL)},

	{"clone-eperm", SECCOMP(CLONES), ERROR(EPERM), .must = CLONE_USERS},
	{"clone-enosys", SECCOMP(CLONES), ERROR(ENOSYS), .must = CLONE_USERS},
	{"clone-trap", SECCOMP(CLONES), TRAP, .must = CLONE_USERS},
	{"clone-kill", SECCOMP(CLONES), KILL, .must = CLONE_USERS},
	{"clone3-eperm", SECCOMP(BIT(CALL_CLONE3)), ERROR(EPERM), .must = CLONE3_USERS},
	{"clone3-enosys", SECCOMP(BIT(CALL_CLONE3)), ERROR(ENOSYS)},
	{"clone3-trap", SECCOMP(BIT(CALL_CLONE3)), TRAP, .must = CLONE3_USERS},
	{"clone3-kill", SECCOMP(BIT(CALL_CLONE3)), KILL, .must = CLONE3_USERS},

	{"empty-chroot", enter_empty_chroot, .error = ENOENT, .must = BIT(CHECK_URANDOM)},
	{"rlimit-as", enter_rlimit, .resource = RLIMIT_AS, .error = ENOMEM, .must = MEMORY_USERS},
	{"rlimit-nproc", enter_rlimit_as_nobody, .resource = RLIMIT_NPROC, .error = EAGAIN,
	 .must = CLONE_USERS},
	{"rlimit-nofile", enter_rlimit, .resource = RLIMIT_NOFILE, .error = EMFILE,
	 .must = BIT(CHECK_URANDOM)},
	{"closed-stderr", enter_closed_stderr, .error = EBADF, .must = BIT(CHECK_STDERR),
	 .quick = true},
};
const size_t sandbox_count = sizeof(sandboxes) / sizeof(*sandboxes);

void sandbox_enter(const struct sandbox *sandbox)
{
	int failure;

	if (!sandbox)
		return;
	child_stage(SETUP "enter the sandbox");
	failure = sandbox->enter(sandbox);
	if (failure)
		_exit(failure);
	/* Whatever ends the child from here on is the doing of the sandbox. */
	child_stage("in the sandbox");
}

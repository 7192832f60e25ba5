/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Three locks, each of which holds without the others: no_new_privs, Landlock
 * (Documentation/userspace-api/landlock.rst) for files, and a seccomp filter for
 * everything else. The filter has a list of what is allowed and answers EPERM to the
 * rest, so that a library that tries something else can go another way.
 */
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of Landlock's later versions, which the headers here may not know. */
#define FS_REFER     (UINT64_C(1) << 13) /* 2: Linux 5.19 */
#define FS_TRUNCATE  (UINT64_C(1) << 14) /* 3: Linux 6.2 */
#define FS_IOCTL_DEV (UINT64_C(1) << 15) /* 5: Linux 6.10 */

#define REPLACE (LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE)

/* What is refused: everything but reading. */
static uint64_t refused(long version)
{
	uint64_t access = REPLACE | LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
			  LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_MAKE_CHAR |
			  LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_SOCK |
			  LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
			  LANDLOCK_ACCESS_FS_MAKE_SYM;

	if (version >= 2)
		access |= FS_REFER;
	if (version >= 3)
		access |= FS_TRUNCATE;
	return access;
}

static void lock_files(int output)
{
	long version =
		syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	struct landlock_ruleset_attr rules = {.handled_access_fs = refused(version)};
	struct landlock_path_beneath_attr folder = {.allowed_access = REPLACE, .parent_fd = output};
	int fd;

	if (version < 1)
		return;
	fd = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof(rules), 0);
	if (fd < 0)
		return;
	if (output < 0 ||
	    !syscall(SYS_landlock_add_rule, fd, LANDLOCK_RULE_PATH_BENEATH, &folder, 0))
		syscall(SYS_landlock_restrict_self, fd, 0);
	close(fd);
}

/*
 * For reading, printing, memory, time, and what libc does around them. Few, since every
 * one costs a microsecond when the filter is loaded; with "64" those of 32-bit machines.
 */
static const int always[] = {
	SCMP_SYS(read),
	SCMP_SYS(write),
	SCMP_SYS(close),
	SCMP_SYS(lseek),
	SCMP_SYS(_llseek),
	SCMP_SYS(openat2),
	SCMP_SYS(fstat),
	SCMP_SYS(fstat64),
	SCMP_SYS(newfstatat),
	SCMP_SYS(fstatat64),
	SCMP_SYS(statx),
	SCMP_SYS(getdents64),
	SCMP_SYS(fcntl),
	SCMP_SYS(fcntl64),
	SCMP_SYS(ioctl),
	SCMP_SYS(poll),
	SCMP_SYS(ppoll),
	SCMP_SYS(ppoll_time64),
	SCMP_SYS(uname),
	SCMP_SYS(mmap),
	SCMP_SYS(mmap2),
	SCMP_SYS(mremap),
	SCMP_SYS(munmap),
	SCMP_SYS(madvise),
	SCMP_SYS(brk),
	SCMP_SYS(getrandom),
	SCMP_SYS(futex),
	SCMP_SYS(clock_gettime),
	SCMP_SYS(clock_gettime64),
	SCMP_SYS(rt_sigaction),
	SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(rt_sigreturn),
	SCMP_SYS(restart_syscall),
	SCMP_SYS(getpid),
	SCMP_SYS(gettid),
	SCMP_SYS(exit_group),
};

/* For workers, in the process that starts them; and they lock themselves in further. */
static const int forking[] = {
	SCMP_SYS(clone),   SCMP_SYS(clone3), SCMP_SYS(fork),	SCMP_SYS(wait4),
	SCMP_SYS(kill),	   SCMP_SYS(pipe2),  SCMP_SYS(tgkill),	SCMP_SYS(set_robust_list),
	SCMP_SYS(getppid), SCMP_SYS(prctl),  SCMP_SYS(seccomp),
};

/* For the output file's end. */
static const int replacing[] = {
	SCMP_SYS(fchmod),    SCMP_SYS(fsync),	 SCMP_SYS(renameat),
	SCMP_SYS(renameat2), SCMP_SYS(unlinkat),
};

static void allow(scmp_filter_ctx filter, const int *calls, size_t count)
{
	for (size_t i = 0; i < count; i++)
		seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0);
}

#define ALLOW(filter, calls) allow(filter, calls, sizeof(calls) / sizeof(*(calls)))

/* Opening for reading, by no other flags than those that readers give. */
static void allow_open(scmp_filter_ctx filter)
{
	const scmp_datum_t writing = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND;

	seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1,
			 SCMP_A2(SCMP_CMP_MASKED_EQ, writing, O_RDONLY));
	seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(open), 1,
			 SCMP_A1(SCMP_CMP_MASKED_EQ, writing, O_RDONLY));
}

/* What abort() does: a signal to this process itself. */
static void allow_abort(scmp_filter_ctx filter)
{
	seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
			 SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid(), 0));
}

static void lock_calls(bool replaces, bool forks)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));

	if (!filter)
		return;
	/* A binary tree: the kernel runs the filter for every call when it is loaded. */
	seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	ALLOW(filter, always);
	allow_open(filter);
	if (!forks)
		allow_abort(filter);
	if (replaces)
		ALLOW(filter, replacing);
	if (forks)
		ALLOW(filter, forking);
	seccomp_load(filter);
	seccomp_release(filter);
}

void confine(int output, bool forks)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return; /* the others need it */
	lock_files(output);
	lock_calls(output >= 0, forks);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The arguments are such that a kernel answers with a known error before it does
 * anything, where there is such an error; a filter comes before the kernel.
 */
#include "calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "child.h"

#define TIMEOUT_MS 1000
#define NOTHING	   (-1L)

enum tried {
	TRIED_FINE = 0, /* also what exit(2) leaves behind */
	TRIED_ERROR = 10,
	TRIED_LIED,
};

static int word;
static unsigned char byte;

#define ADDRESS(object) ((long)(intptr_t) & (object))

static const struct {
	const char *name;
	int number;
	int expected; /* errno, or 0 for success */
	long args[6];
} calls[CALLS] = {
	[CALL_FUTEX] = {"futex", __NR_futex, EAGAIN, {ADDRESS(word), FUTEX_WAIT_PRIVATE, 1}},
	[CALL_GETRANDOM] = {"getrandom", __NR_getrandom, 0, {ADDRESS(byte), 1, GRND_NONBLOCK}},
	[CALL_MADVISE] = {"madvise", __NR_madvise, EINVAL, {0, 0, -1}},
	[CALL_MMAP] = {"mmap",
		       __NR_mmap,
		       0,
		       {0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, NOTHING}},
	[CALL_MUNMAP] = {"munmap", __NR_munmap, EINVAL, {1, 4096}},
	[CALL_MPROTECT] = {"mprotect", __NR_mprotect, EINVAL, {1, 4096, PROT_READ}},
	[CALL_MREMAP] = {"mremap", __NR_mremap, EINVAL, {1, 4096, 4096}},
	[CALL_BRK] = {"brk", __NR_brk, 0, {0}},
	[CALL_CLONE] = {"clone", __NR_clone, EINVAL, {CLONE_THREAD | CLONE_VM}},
	[CALL_CLONE3] = {"clone3", __NR_clone3, EINVAL, {0, 0}},
	[CALL_SET_ROBUST_LIST] = {"set_robust_list", __NR_set_robust_list, EINVAL, {0, 0}},
	[CALL_RT_SIGPROCMASK] = {"rt_sigprocmask", __NR_rt_sigprocmask, EINVAL, {0, 0, 0, 1}},
	[CALL_EXIT] = {"exit", __NR_exit, 0, {TRIED_FINE}},
	[CALL_OPENAT] = {"openat", __NR_openat, EFAULT, {AT_FDCWD, 0, O_RDONLY}},
	[CALL_NEWFSTATAT] = {"newfstatat", __NR_newfstatat, EFAULT, {AT_FDCWD, 0, 0, 0}},
	[CALL_READ] = {"read", __NR_read, EBADF, {NOTHING, ADDRESS(byte), 1}},
	[CALL_WRITE] = {"write", __NR_write, EBADF, {NOTHING, ADDRESS(byte), 1}},
	[CALL_FCNTL] = {"fcntl", __NR_fcntl, EBADF, {NOTHING, F_GETFL}},
	[CALL_WAIT4] = {"wait4", __NR_wait4, ECHILD, {NOTHING}},
	[CALL_SCHED_YIELD] = {"sched_yield", __NR_sched_yield, 0, {0}},
};

int call_number(enum call call)
{
	return calls[call].number;
}

const char *call_name(enum call call)
{
	return calls[call].name;
}

/* What is no refusal: clone3() is of Linux 5.3, the random generator may not be ready. */
static bool is_excused(enum call call, int error)
{
	return (call == CALL_CLONE3 && error == ENOSYS) ||
	       (call == CALL_GETRANDOM && error == EAGAIN);
}

int call_try(enum call call)
{
	const long *args = calls[call].args;
	long result;

	child_stage("call");
	result = syscall(calls[call].number, args[0], args[1], args[2], args[3], args[4], args[5]);
	if (result >= 0)
		return calls[call].expected ? TRIED_LIED : TRIED_FINE;
	if (errno == calls[call].expected || is_excused(call, errno))
		return TRIED_FINE;
	child_error(errno);
	return TRIED_ERROR;
}

static int body(void *arg)
{
	return call_try(*(const enum call *)arg);
}

/* How it was refused, or NULL. */
static const char *refusal(const struct child *child)
{
	if (child->end == CHILD_TRAPPED)
		return "trap";
	if (child->end == CHILD_SIGNALED && child->value == SIGSYS)
		return "kill";
	if (child->end == CHILD_EXITED && child->value == TRIED_ERROR)
		return strerrorname_np(child->error);
	return NULL;
}

bool call_refused(enum call call, char *text, size_t size)
{
	struct child child;
	const char *how;

	child_run(&child, body, &call, TIMEOUT_MS);
	how = child.stage[0] ? refusal(&child) : NULL;
	if (how)
		snprintf(text, size, "%s refused: %s", calls[call].name, how);
	else if (child.end == CHILD_EXITED && child.value == TRIED_LIED)
		snprintf(text, size, "%s not executed, reports success", calls[call].name);
	else
		return false;
	return true;
}

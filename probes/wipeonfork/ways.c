/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ways to make a child, and what the child sees in its memory. A child says
 * so by its exit status, as one that shares memory could not say otherwise
 * without a trace in its parent.
 */
#include <errno.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wipeonfork.h"

enum { CLONE_STACK_SIZE = 256 * 1024 };

static pid_t start_fork(int (*body)(void *arg), void *arg)
{
	pid_t pid = fork();

	if (!pid)
		_exit(body(arg));
	return pid;
}

/* Past libc: no pthread_atfork(3) handler notices. */
static pid_t start_clone(int (*body)(void *arg), void *arg)
{
	pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

	if (!pid)
		_exit(body(arg));
	return pid;
}

static pid_t start_clone3(int (*body)(void *arg), void *arg)
{
	struct clone_args args = {.exit_signal = SIGCHLD};
	pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof(args));

	if (!pid)
		_exit(body(arg));
	return pid;
}

/* The child only reads memory and exits, so that it leaves its parent's stack alone. */
static pid_t start_vfork(int (*body)(void *arg), void *arg)
{
	/* NOLINTNEXTLINE(clang-analyzer-security.insecureAPI.vfork): its subject */
	pid_t pid = vfork();

	if (!pid)
		_exit(body(arg)); /* NOLINT(clang-analyzer-unix.Vfork) */
	return pid;
}

/* The stack is left to the end of the process, as the child may outlive this call. */
static pid_t clone_sharing(int flags, int (*body)(void *arg), void *arg)
{
	unsigned char *stack;

	stack = map(NULL, CLONE_STACK_SIZE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1);
	return clone(body, stack + CLONE_STACK_SIZE, CLONE_VM | flags | SIGCHLD, arg);
}

static pid_t start_clone_vm(int (*body)(void *arg), void *arg)
{
	return clone_sharing(0, body, arg);
}

static pid_t start_clone_vm_vfork(int (*body)(void *arg), void *arg)
{
	return clone_sharing(CLONE_VFORK, body, arg);
}

const struct way by_fork = {.name = "fork", .start = start_fork};
const struct way by_clone = {.name = "clone", .start = start_clone};
const struct way by_clone3 = {.name = "clone3", .needs = "Linux 5.3", .start = start_clone3};
const struct way by_vfork = {.name = "vfork", .start = start_vfork};
const struct way by_clone_vm = {.name = "clone(CLONE_VM)", .start = start_clone_vm};
const struct way by_clone_vm_vfork = {
	.name = "clone(CLONE_VM | CLONE_VFORK)",
	.start = start_clone_vm_vfork,
};

static void __attribute__((noreturn)) not_started(const struct way *way)
{
	if (errno == ENOSYS && way->needs)
		conclude(VERDICT_NA, "%s: ENOSYS, %s has it", way->name, way->needs);
	conclude(VERDICT_UNKNOWN, "inconclusive, no child: %s: %s", way->name,
		 strerrorname_np(errno));
}

/* The memory that it should see may be gone: a fault is a finding. */
static void __attribute__((noreturn)) not_seen(const struct way *way, int status)
{
	bool fault =
		WIFSIGNALED(status) && (WTERMSIG(status) == SIGSEGV || WTERMSIG(status) == SIGBUS);
	struct child child = {.stage = ""};
	char text[64];

	child_ended(&child, status);
	conclude(fault ? VERDICT_FAIL : VERDICT_UNKNOWN, "%s: the child: %s", way->name,
		 child_describe(&child, text, sizeof(text)));
}

enum sight sight_of(const struct way *way, int (*body)(void *arg), void *arg)
{
	int status;
	pid_t pid;

	child_stage(way->name);
	pid = way->start(body, arg);
	if (pid < 0)
		not_started(way);
	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			conclude(VERDICT_UNKNOWN, "waitpid: %s", strerrorname_np(errno));
	}
	if (WIFEXITED(status) && is_conclusion(WEXITSTATUS(status)))
		_exit(WEXITSTATUS(status));
	if (!WIFEXITED(status) || !is_sight(WEXITSTATUS(status)))
		not_seen(way, status);
	return WEXITSTATUS(status);
}

struct range {
	const unsigned char *memory;
	size_t size;
};

static int look_at(void *arg)
{
	const struct range *range = arg;

	return (int)look(range->memory, range->size);
}

static void expect(const struct way *way, unsigned char *memory, size_t size, enum sight wanted)
{
	struct range range = {.memory = memory, .size = size};
	enum sight seen = sight_of(way, look_at, &range);

	if (seen != wanted)
		conclude(VERDICT_FAIL, "%s: the child sees %s, not %s", way->name,
			 sight_words(seen), sight_words(wanted));
	seen = look(memory, size);
	if (seen != SIGHT_PATTERN)
		conclude(VERDICT_FAIL, "%s: afterwards the parent sees %s, not what it wrote",
			 way->name, sight_words(seen));
}

void expect_wiped(const struct way *way, unsigned char *memory, size_t size)
{
	expect(way, memory, size, SIGHT_ZEROS);
}

void expect_kept(const struct way *way, unsigned char *memory, size_t size)
{
	expect(way, memory, size, SIGHT_PATTERN);
}

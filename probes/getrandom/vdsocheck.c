/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The vDSO's getrandom() and its state.
 *
 * A copy of a state gives the same bytes as the original. What keeps a fork from
 * making such copies is the mapping which the vDSO asks for: MAP_DROPPABLE memory is
 * zero in a child, and may become zero at any time when memory is short, which
 * the vDSO takes for a fresh state. Plain memory is the negative control: there, a
 * fork must repeat, or the comparison sees nothing.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "child.h"
#include "draw.h"
#include "path.h"

#define GROUP	    "vdso"
#define STACK_BYTES 65536

static ssize_t vdso_call(const struct source *source, void *buffer, size_t length, void *state)
{
	return source->vdso.getrandom(buffer, length, 0, state,
				      source->vdso.params.size_of_opaque_state);
}

/* Not one system call when it has a seed, but one when it has none. */
static void check_used(struct report *report, const struct source *source)
{
	struct path seeded, fresh;
	struct result *result;
	char word[40];

	path_find(&seeded, source, true);
	path_find(&fresh, source, false);
	if (seeded.kind == PATH_UNKNOWN || fresh.kind == PATH_UNKNOWN) {
		const struct path *path = seeded.kind == PATH_UNKNOWN ? &seeded : &fresh;

		report_add(report, GROUP, "vdso-used", path->verdict, "%s", path->reason);
		return;
	}
	if (fresh.kind == PATH_NONE)
		result = report_add(report, GROUP, "vdso-used", VERDICT_UNKNOWN,
				    "even a fresh state needs no system call: the check is blind");
	else if (seeded.kind == PATH_SYSCALL)
		result = report_add(report, GROUP, "vdso-used", VERDICT_FAIL,
				    "a call with a seeded state makes a system call");
	else
		result = report_add(report, GROUP, "vdso-used", VERDICT_OK,
				    "%d calls under a filter that traps all system calls; a fresh "
				    "state was trapped at %s",
				    PATH_CALLS, fresh.name);
	result_outcome(result, "%s", path_word(&seeded, word, sizeof(word)));
}

/* The same source with its states in plain memory. */
static bool plain_copy(struct source *plain, const struct source *source)
{
	*plain = *source;
	if (!vdso_states_map(&plain->states, &source->vdso, 1, MAP_PRIVATE | MAP_ANONYMOUS))
		return true;
	child_note("mmap: %s", errno_name(errno));
	return false;
}

static int check_control(void *arg)
{
	struct source plain;
	unsigned int repeats;

	if (!plain_copy(&plain, arg) || !draw_forked(&plain, &repeats))
		return VERDICT_UNKNOWN;
	/* A new key from the kernel in between may spoil one of them. */
	if (repeats >= DRAW_FORKS / 2)
		return VERDICT_OK;
	child_note("a state in plain memory repeated after %u of %d forks only: the check of fork "
		   "is blind",
		   repeats, DRAW_FORKS);
	return VERDICT_UNKNOWN;
}

static int check_fork(void *arg)
{
	unsigned int repeats;

	if (check_control(arg) != VERDICT_OK || !draw_forked(arg, &repeats))
		return VERDICT_UNKNOWN;
	if (!repeats)
		return VERDICT_OK;
	child_note("parent and child drew the same 32 bytes after %u of %d forks", repeats,
		   DRAW_FORKS);
	return VERDICT_FAIL;
}

struct sharing {
	const struct source *source;
	unsigned char bytes[DRAW_BYTES];
	bool drawn;
};

static int draw_sharing(void *arg)
{
	struct sharing *sharing = arg;

	sharing->drawn = draw(sharing->source, sharing->bytes);
	return 0;
}

/* As vfork() and posix_spawn() do: one state, used by one after the other. */
static int check_vfork(void *arg)
{
	unsigned char stack[STACK_BYTES] __attribute__((aligned(16)));
	struct sharing sharing = {.source = arg};
	unsigned char own[DRAW_BYTES];
	pid_t pid;

	if (!draw(arg, own))
		return VERDICT_FAIL;
	pid = clone(draw_sharing, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD,
		    &sharing);
	if (pid < 0 || waitpid(pid, NULL, 0) < 0) {
		child_note("clone(CLONE_VM | CLONE_VFORK): %s", errno_name(errno));
		return VERDICT_UNKNOWN;
	}
	if (!sharing.drawn || !draw(arg, own))
		return VERDICT_FAIL;
	if (memcmp(own, sharing.bytes, DRAW_BYTES) != 0)
		return VERDICT_OK;
	child_note("parent and child drew the same 32 bytes");
	return VERDICT_FAIL;
}

/* What the kernel may do to droppable memory any time. */
static int check_dropped(void *arg)
{
	const struct source *source = arg;
	unsigned char before[DRAW_BYTES], after[DRAW_BYTES];

	if (!draw(source, before))
		return VERDICT_FAIL;
	if (madvise(source->states.memory, source->states.bytes, MADV_DONTNEED)) {
		child_note("madvise(MADV_DONTNEED): %s", errno_name(errno));
		return VERDICT_UNKNOWN;
	}
	if (!draw(source, after))
		return VERDICT_FAIL;
	if (memcmp(before, after, DRAW_BYTES) != 0)
		return VERDICT_OK;
	child_note("the same 32 bytes came again");
	return VERDICT_FAIL;
}

/* Half of a state could be dropped and the other not. */
static int check_straddling(void *arg)
{
	const struct source *source = arg;
	size_t half = source->vdso.params.size_of_opaque_state / 2;
	unsigned char buffer[DRAW_BYTES];
	struct vdso_states two_pages;
	ssize_t got;

	if (vdso_states_map(&two_pages, &source->vdso, 2 * (unsigned int)source->states.per_page,
			    (int)source->vdso.params.mmap_flags)) {
		child_note("mmap: %s", errno_name(errno));
		return VERDICT_UNKNOWN;
	}
	got = vdso_call(source, buffer, sizeof(buffer), two_pages.memory + two_pages.page - half);
	if (got == -EFAULT)
		return VERDICT_OK;
	child_note("a state that straddles pages gave %zd, not EFAULT", got);
	return VERDICT_FAIL;
}

struct vdso_check {
	const char *name;
	int (*check)(void *arg);
};

static const struct vdso_check checks[] = {
	{"vdso-fork", check_fork},
	{"vdso-fork-control", check_control},
	{"vdso-vfork", check_vfork},
	{"vdso-dropped", check_dropped},
	{"vdso-straddling", check_straddling},
};

void check_vdso(struct report *report, const struct source *source)
{
	if (source->verdict == VERDICT_OK)
		check_used(report, source);
	else
		report_add(report, GROUP, "vdso-used", source->verdict, "%s", source->reason);
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		if (source->verdict == VERDICT_OK)
			check_in_child(report, GROUP, checks[i].name, checks[i].check,
				       (void *)source);
		else
			report_add(report, GROUP, checks[i].name, source->verdict, "%s",
				   source->reason);
	}
}

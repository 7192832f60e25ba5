/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A kernel that wipes in the wrong way: madvise(2) and fork(2) with one fault each,
 * named by the variable FORK_FAULT:
 *
 *	ignored		MADV_WIPEONFORK returns 0 and is not done
 *	any-advice	so does advice that does not exist
 *	any-memory	so does MADV_WIPEONFORK where it must be refused
 *	next-page	the page after the range is wiped, too
 *	empty-range	a length of 0 means a page
 *	hole-undone	what fails for a hole has no effect
 *	hole-stops	nor has it for what is behind the hole
 *	wrong-errno	what fails, fails for another reason
 *	kept		MADV_KEEPONFORK returns 0 and is not done
 *	forked		neither is MADV_DONTFORK
 *	last-byte	the last byte of the page is not wiped
 *	parent		the parent loses its data as well
 *	not-inherited	the child's own children are not wiped
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned char *wiped; /* the page that was last under MADV_WIPEONFORK */

static bool is(const char *fault)
{
	const char *wanted = getenv("FORK_FAULT");

	return wanted && !strcmp(wanted, fault);
}

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static int advise(void *memory, size_t size, int advice)
{
	return (int)syscall(SYS_madvise, memory, size, advice);
}

static int wipe(char *memory, size_t size)
{
	int ret, error;

	if (is("ignored"))
		return 0;
	if (is("empty-range") && !size)
		size = page_size();
	ret = advise(memory, size, MADV_WIPEONFORK);
	error = errno;
	if (!ret)
		wiped = (unsigned char *)memory;
	if (is("any-memory") && error == EINVAL)
		ret = 0;
	if (is("hole-undone") && ret)
		advise(memory, size, MADV_KEEPONFORK);
	size = (size + page_size() - 1) & -page_size();
	if (is("hole-stops") && ret)
		advise(memory + size - page_size(), page_size(), MADV_KEEPONFORK);
	if (is("next-page") && !ret)
		advise(memory + size, page_size(), MADV_WIPEONFORK);
	errno = error;
	return ret;
}

static int faulty(void *memory, size_t size, int advice)
{
	switch (advice) {
	case MADV_WIPEONFORK:
		return wipe(memory, size);
	case MADV_KEEPONFORK:
		return is("kept") ? 0 : advise(memory, size, advice);
	case MADV_DONTFORK:
		return is("forked") ? 0 : advise(memory, size, advice);
	case -1:
		return is("any-advice") ? 0 : advise(memory, size, advice);
	default:
		return advise(memory, size, advice);
	}
}

int madvise(void *addr, size_t len, int advice)
{
	int ret = faulty(addr, len, advice);

	if (ret && is("wrong-errno"))
		errno = ERANGE;
	return ret;
}

pid_t fork(void)
{
	pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

	if (!wiped)
		return pid;
	if (!pid && is("last-byte"))
		wiped[page_size() - 1] = 1;
	if (!pid && is("not-inherited"))
		advise(wiped, page_size(), MADV_KEEPONFORK);
	if (pid && is("parent"))
		memset(wiped, 0, page_size());
	return pid;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Draws for comparison.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "child.h"
#include "draw.h"

bool draw(const struct source *source, unsigned char bytes[DRAW_BYTES])
{
	ssize_t got;

	memset(bytes, 0, DRAW_BYTES);
	got = source->fill(source, 0, bytes, DRAW_BYTES);
	if (got == DRAW_BYTES)
		return true;
	if (got < 0)
		child_note("32 bytes were asked for: %s", errno_name((int)-got));
	else
		child_note("32 bytes were asked for: %zd came", got);
	return false;
}

/* The child draws into memory that both see, then the parent for itself. */
static bool fork_once(const struct source *source, unsigned char shared[DRAW_BYTES], bool *same)
{
	unsigned char own[DRAW_BYTES];
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		_exit(draw(source, shared) ? EXIT_SUCCESS : EXIT_FAILURE);
	if (pid < 0) {
		child_note("fork: %s", errno_name(errno));
		return false;
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (status) {
		child_note("after fork the child drew nothing (wait status 0x%x)", status);
		return false;
	}
	if (!draw(source, own))
		return false;
	*same = memcmp(own, shared, DRAW_BYTES) == 0;
	return true;
}

bool draw_forked(const struct source *source, unsigned int *repeats)
{
	unsigned char first[DRAW_BYTES];
	unsigned char *shared;
	bool same;

	*repeats = 0;
	if (!draw(source, first))
		return false;
	shared = mmap(NULL, DRAW_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED) {
		child_note("mmap: %s", errno_name(errno));
		return false;
	}
	for (unsigned int i = 0; i < DRAW_FORKS; i++) {
		if (!fork_once(source, shared, &same))
			return false;
		*repeats += same;
	}
	return true;
}

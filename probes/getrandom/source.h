/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ways to get random bytes which this probe compares.
 */
#ifndef GETRANDOM_SOURCE_H
#define GETRANDOM_SOURCE_H

#include <stddef.h>
#include <sys/types.h>

#include "vdso.h"
#include "verdict.h"

struct source {
	const char *name; /* "syscall", "libc", ... of the results */
	/*
	 * Fill the buffer: the number of bytes, or a negative errno. Threads that
	 * call it at the same time have different numbers.
	 */
	ssize_t (*fill)(const struct source *source, unsigned int thread, void *buffer,
			size_t length);
	enum verdict verdict; /* ok, or: it is not here, and why */
	const char *reason;
	/* what the ways need */
	int fd;
	void (*arc4random_buf)(void *buffer, size_t length);
	struct vdso vdso;
	struct vdso_states states;
};

enum source_index {
	SOURCE_SYSCALL,
	SOURCE_LIBC,
	SOURCE_GETENTROPY,
	SOURCE_URANDOM,
	SOURCE_LIBBSD,
	SOURCE_LIBC_ARC4RANDOM,
	SOURCE_VDSO,
	SOURCES,
};

/*
 * Find out which there are, without asking for a single random byte. The states
 * of the vDSO suffice for so many threads; a process that is forked later finds
 * them zeroed, so each has its own.
 */
void sources_open(struct source sources[SOURCES], unsigned int threads);
void sources_close(struct source sources[SOURCES]);

#endif

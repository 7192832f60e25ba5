/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which system call, if any, a way to get random bytes makes each time.
 *
 * After a first call, which may seed or allocate, a filter traps every system call
 * of the process; what the next calls run into is what they depend on. The same
 * without the first call is the negative control of "none": a generator without
 * a seed must run into something.
 */
#ifndef GETRANDOM_PATH_H
#define GETRANDOM_PATH_H

#include <stdbool.h>

#include "source.h"

struct path {
	enum {
		PATH_NONE,    /* no system call in PATH_CALLS calls */
		PATH_SYSCALL, /* it makes the system call named */
		PATH_UNKNOWN, /* see reason; verdict is n/a, unknown or fail */
	} kind;
	char name[32]; /* "getrandom" */
	enum verdict verdict;
	char reason[160];
};

#define PATH_CALLS 10000

void path_find(struct path *path, const struct source *source, bool first_call);

/* "getrandom(2)", "no system call", "unknown" */
const char *path_word(const struct path *path, char *text, size_t size);

#endif

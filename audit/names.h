/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names of input files that a list holds.
 */
#ifndef AUDIT_NAMES_H
#define AUDIT_NAMES_H

#include <stddef.h>

struct names {
	char **at;
	size_t size;
	char *text; /* that the names are in */
};

/*
 * The count names at first, and behind them those in the list at path ("-": standard
 * input): one a line, or, if there is any NUL in it, each ended by a NUL, as `find
 * -print0` writes them. 0, or the exit status after a message.
 */
int names_read(const char *path, char **first, size_t count, struct names *names);
void names_free(struct names *names);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that are written whole or not at all.
 */
#ifndef PROBES_REPLACE_H
#define PROBES_REPLACE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* True for NULL, "-", "/dev/stdout" and the file or pipe that stdout is. */
bool path_is_stdout(const char *path);

/* Could it be written now? Asked before a long run. 0, or a negative errno. */
int replace_check(const char *path);

/* A file on its way: what is printed to out takes its place at the end. */
struct replacement {
	FILE *out;
	int folder; /* that the file is in; -1: a FIFO or device, which is written to */
	char *name, *temporary;
	mode_t mode;
};

/*
 * Begin to replace a file in one step (a new file beside it, fsync, rename), which
 * keeps its mode; a symbolic link is followed. A FIFO or device is written to. Returns
 * 0, or a negative errno; then there is nothing to end. SIGHUP, SIGINT and SIGTERM remove
 * the new file before they end the program.
 */
int replace_begin(struct replacement *replacement, const char *path);

/*
 * Close it. keep: put it in the place of the old file. 0, or a negative errno; then,
 * as without keep, the old file is still there.
 */
int replace_end(struct replacement *replacement, bool keep);

#endif

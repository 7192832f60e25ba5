/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opening what was named, if it is something that can be read: not a directory, nor a
 * device, which is refused before it is opened, since opening some has effects.
 */
#ifndef AUDIT_INPUT_OPEN_H
#define AUDIT_INPUT_OPEN_H

#include <sys/stat.h>

struct opened {
	int file; /* -1: nothing */
	struct stat status;
};

/* These return NULL, or a message, and then file is -1. */

/* A path, or "-" for standard input. */
char *open_named(const char *path, struct opened *opened);
/* A path in a folder, which is its root: no symbolic link leads out of it. */
char *open_in(int folder, const char *path, struct opened *opened);

#endif

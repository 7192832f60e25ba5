/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The FILE of --json=FILE.
 */
#ifndef PROBES_JSONFILE_H
#define PROBES_JSONFILE_H

#include <stdbool.h>

#include "report.h"

/* True for NULL, "-", "/dev/stdout" and the file or pipe that stdout is. */
bool json_file_is_stdout(const char *path);

/* Could it be written now? Asked before a probe takes its time. 0, or a negative errno. */
int json_file_check(const char *path);

/*
 * Replace the file in one step (a new file beside it, fsync, rename) and keep its
 * mode; a symbolic link is followed. A FIFO or device is written to. Returns 0, or
 * a negative errno; then the old file is still there.
 */
int json_file_write(const struct report *report, const char *path);

#endif

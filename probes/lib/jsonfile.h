/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The FILE of --json=FILE.
 */
#ifndef PROBES_JSONFILE_H
#define PROBES_JSONFILE_H

#include "report.h"

/*
 * Replace the file as replace.h says. Returns 0, or a negative errno; then the old file
 * is still there.
 */
int json_file_write(const struct report *report, const char *path);

#endif

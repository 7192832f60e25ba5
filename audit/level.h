/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The levels' names, and the one that is asked for when no option says so.
 */
#ifndef AUDIT_LEVEL_H
#define AUDIT_LEVEL_H

#include <stdbool.h>

#include "catalogue.h"

#define LEVEL_FILE "/etc/hardenedconfig"

const char *level_word(enum level level); /* "low" */
bool level_parse(const char *word, enum level *level);

/*
 * What a file like LEVEL_FILE asks for, "level = high"; low when there is no such file.
 * Every mistake in it is told. 0, or the exit status.
 */
int level_default(const char *path, enum level *level);

#endif

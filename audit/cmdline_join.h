/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the boot loader gives and what the config has built in, as one line.
 */
#ifndef AUDIT_CMDLINE_JOIN_H
#define AUDIT_CMDLINE_JOIN_H

#include <stdbool.h>

#include "config.h"

struct joined {
	char *line;    /* made by malloc; NULL: nothing is known */
	bool complete; /* nobody can add to it */
	bool given;    /* what the boot loader gave counts */
};

/* text: what the boot loader gave, or NULL. config may be NULL. */
struct joined cmdline_join(const char *text, const struct config *config);

#endif

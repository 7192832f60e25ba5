/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's command line, read as the kernel reads it: words separated by blanks,
 * double quotes, '-' and '_' alike in names, nothing after "--"; values that the
 * kernel does not understand change nothing; of repeated parameters the one that the
 * kernel's own parser lets win.
 */
#ifndef AUDIT_CMDLINE_H
#define AUDIT_CMDLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "config.h"

/* What a parameter of the catalogue has come to. */
struct given {
	bool present;  /* somewhere, with a value that the kernel understands */
	char *value;   /* bool: "1" or "0"; a bare word: ""; add: joined by ',' (letters: none) */
	char *word;    /* as it stood there: "nopti", "init_on_alloc=off" */
	char *ignored; /* a word that the kernel passes over, "init_on_alloc=maybe"; or NULL */
};

struct cmdline {
	const char *source; /* as people read it: a file, "/proc/cmdline", "CONFIG_CMDLINE" */
	/* false: only what the config has built in, to which the boot loader may add */
	bool complete;
	struct given *given; /* by index into catalogue.parameters */
};

/*
 * What the boot loader gave (text, NULL when that is not known) joined with what the
 * config has built in, as the architecture does (CMDLINE, CMDLINE_OVERRIDE, ...). A
 * config that replaces the boot loader's line (CMDLINE_OVERRIDE, CMDLINE_FORCE) makes
 * a complete one without text. config may be NULL. NULL: nothing is known.
 */
struct cmdline *cmdline_parse(const char *text, const char *source, const struct config *config);

void cmdline_free(struct cmdline *cmdline);

#endif

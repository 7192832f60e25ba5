/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command line.
 */
#ifndef AUDIT_OPTIONS_H
#define AUDIT_OPTIONS_H

#include "output.h"

/* The strings are the command line's; those that are NULL were not given. */
struct options {
	bool help, version;
	const char *level_word; /* NULL: what LEVEL_FILE says */
	const struct format *format;
	bool compare;
	struct view view;
	const char *colour; /* "auto", "always", "never" */
	const char *output, *cmdline, *sysctl, *waivers, *root, *files_from;
	size_t jobs; /* 0: as many as there are CPUs */
	char **operands;
	size_t operand_count;
};

/* Read the command line: 0, or the exit status after a message. */
int options_parse(int argc, char **argv, struct options *options);

/* Print what --help asks for. */
void options_help(FILE *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Have another program run this one: COMMAND ARG... PATH WORD WORD, no shell.
 */
#ifndef SANDBOX_BASELINE_LAUNCH_H
#define SANDBOX_BASELINE_LAUNCH_H

#include "child.h"

struct launched {
	struct child child; /* of the command; note and error tell if it was not executed */
	char *output;	    /* on its standard output */
	char *messages;	    /* on its standard error */
};

/* What it returns, until launch_free(): NULL, or why nothing was launched. */
const char *launch(struct launched *launched, char **command, const char *word, const char *more,
		   unsigned int timeout_ms);
void launch_free(struct launched *launched);

#endif

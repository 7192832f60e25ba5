/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The audit of one kernel: what was read, what was found, how the levels stand. This
 * is what every output format prints.
 */
#ifndef AUDIT_AUDIT_H
#define AUDIT_AUDIT_H

#include "judge.h"
#include "waivers.h"

struct audit {
	char *source;  /* "/boot/config-6.1.0", "linux-image.deb:./boot/config-6.1.0" */
	char *note;    /* a sentence on what was read, or NULL; more than one: separated by '\n' */
	char *problem; /* it could not be audited, and why; then nothing below is set */
	struct evidence evidence;
	struct answer *answers; /* catalogue.entry_count */
	struct standing levels[LEVEL_COUNT];
	enum level level; /* the one that was asked for */

	/* what the evidence points into */
	char *config_text;
	struct config *config;
	struct cmdline *cmdline;
	struct sysctls *sysctls;
	char *sysctl_text;
};

/* menu: as the symbols stand in the config, what has no line there at the end */
enum order { ORDER_CATALOGUE, ORDER_MENU, ORDER_LEVEL };

/* The highest level met, with all below it; false: not even the lowest. */
bool audit_highest(const struct audit *audit, enum level *level);

/* 0 the level asked for is met, 1 it is not, 2 it could not be told. */
int audit_status(const struct audit *audit);

const char *level_word(enum level level); /* "low" */
bool level_parse(const char *word, enum level *level);

#endif

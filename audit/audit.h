/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The audit of one kernel: what was read, what was found, how the levels stand. This
 * is what every output format prints.
 */
#ifndef AUDIT_AUDIT_H
#define AUDIT_AUDIT_H

#include "judge.h"
#include "level.h"
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
	char *cmdline_source;
	struct cmdline *cmdline;
	char *sysctl_text, *sysctl_source;
	struct sysctls *sysctls;
};

/* menu: as the symbols stand in the config, what has no line there at the end */
enum order { ORDER_CATALOGUE, ORDER_MENU, ORDER_LEVEL };

/* The highest level met, with all below it; false: not even the lowest. */
bool audit_highest(const struct audit *audit, enum level *level);

/*
 * 0 the level asked for is met, 1 it is not, 2 it could not be told. Without a config
 * no level is met: most of what it asks was not looked at.
 */
int audit_status(const struct audit *audit);

/* What was read of one kernel. Strings are made by malloc; NULL: not there. */
struct material {
	char *source, *note;
	char *config; /* with a spare byte behind it */
	size_t config_size;
	char *cmdline, *cmdline_source;
	char *sysctl, *sysctl_source; /* a capture, with a spare byte behind it */
	size_t sysctl_size;
	struct sysctls *sysctls; /* instead of a capture */
	bool running;		 /* of the running system */
};

/* The same for all audits of a run. */
struct terms {
	enum level level;
	struct waivers *waivers; /* NULL: there are none */
};

/* The audit of what was read, which becomes the audit's own. */
struct audit audit_of(struct material *material, const struct terms *terms);

/* The audit of what could not be read: no more than the reason, which it takes over. */
struct audit audit_problem(const char *source, char *problem, const struct terms *terms);

void audit_clear(struct audit *audit);

#endif

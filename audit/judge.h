/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a kernel has, entry by entry: the verdicts at build, boot and run time, and
 * how the levels stand.
 */
#ifndef AUDIT_JUDGE_H
#define AUDIT_JUDGE_H

#include "catalogue.h"
#include "cmdline.h"
#include "config.h"
#include "kernel.h"
#include "sysctl.h"
#include "verdict.h"

/* What is known of a kernel. A NULL was not given, or could not be read. */
struct evidence {
	struct kernel kernel;
	const struct config *config;
	const struct cmdline *cmdline;
	const struct sysctls *sysctls;
	bool running;		 /* of the running system: what is not known could not be read */
	const char *config_path; /* for where: "/boot/config-6.1.0" */
};

enum stage { STAGE_BUILD, STAGE_BOOT, STAGE_RUN, STAGE_COUNT };

extern const char *const stage_words[STAGE_COUNT]; /* "build", "boot", "run" */

/* judged: the stage has something to say of this entry, and its source was given. */
struct finding {
	bool judged;
	enum verdict verdict;
	char *reason; /* "" for an ok that needs no words; never NULL when judged */
};

struct answer {
	const struct entry *entry;
	enum verdict verdict; /* that of the last stage that was judged */
	/* unknown only because a source was not given: it was not asked about */
	bool unchecked;
	char *reason;
	char *got;   /* the plain value that decided, "is not set" is "n"; NULL: there is none */
	char *where; /* "/boot/config-6.1.0:123", "/proc/cmdline"; "" when there is no such place */
	unsigned int
		line; /* in the config, of the symbol; 0: it has none. Menu order is by this. */
	struct finding stages[STAGE_COUNT];
	struct waiver *waiver; /* by which it is waived, or NULL (waivers.h) */
	enum verdict waived;   /* the verdict behind VERDICT_WAIVED */
};

/* One answer for each entry of the catalogue, in its order. */
struct answer *judge(const struct evidence *evidence);
void answers_free(struct answer *answers);

/* What one level asks of this kernel, and how it stands. */
struct standing {
	size_t *asked; /* indices into the answers, in the order of the catalogue */
	size_t asked_count;
	size_t counts[VERDICT_WAIVED + 1];
	size_t unchecked; /* how many of the unknown ones were not asked about */
	/*
	 * What is missing, the shortest list: fail, weaker, and unknown where it was
	 * asked about; without those that others of the list bring along.
	 */
	size_t *missing;
	size_t missing_count;
	bool met;    /* nothing is missing: all is ok, stronger, n/a, waived or unchecked */
	bool failed; /* something is fail or weaker, not only unknown */
};

/* kernel decides which of several entries for one thing a level means. */
struct standing standing_of(enum level level, const struct answer *answers,
			    const struct evidence *evidence);
void standing_free(struct standing *standing);

/* Does a value satisfy a setting? highest: for MATCH_HIGHEST, or NULL. */
bool setting_held(const struct setting *setting, const char *value, const char *highest);

#endif

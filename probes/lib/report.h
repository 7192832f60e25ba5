/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a probe found: a list of results, facts about the machine, and sentences
 * that sum it up. A probe fills a report; ktap.c, json.c and table.c print it.
 * All three say the same.
 *
 * Strings are copied and made printable: line breaks become spaces, control
 * characters and bytes that are no UTF-8 become \xNN. Running out of memory ends
 * the program with status 2.
 * Names of results are stable from version to version, and unique in a report;
 * they hold no '#' (which means a directive to KTAP) and no newline.
 */
#ifndef PROBES_REPORT_H
#define PROBES_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "verdict.h"

/* A further figure of a result, as a column of the table and a key of the JSON. */
struct number {
	char *key;    /* "insns", "us_first" */
	double value; /* never NaN */
};

struct result {
	char *group; /* heading in the table: "behaviour", "cost" */
	char *name;  /* "lin400-run" */
	enum verdict verdict;
	char *reason;	/* why, or "" for an ok that needs no words */
	bool withheld;	/* unknown, but only a figure: it decides nothing */
	char *outcome;	/* what was seen, in the probe's own words, "wiped", or NULL */
	double ns;	/* nanoseconds per operation; NaN when not measured */
	double ratio;	/* of ns to the baseline's; NaN when not measured */
	double ci95[2]; /* 95 % bootstrap interval of ratio; NaN when not measured */
	struct number *numbers;
	size_t number_count;
};

struct fact {
	char *key;   /* "cpus", "bpf_jit" */
	char *value; /* "2", "always on" */
};

struct report {
	char *probe;		 /* "seccomp-overhead" */
	struct result **results; /* in the order in which they were added */
	size_t result_count;
	struct fact *facts; /* of the machine, in the order in which they were added */
	size_t fact_count;
	char **sentences;
	size_t sentence_count;
	double aa; /* the A/A ratio farthest from 1; NaN when nothing was timed */
};

struct report *report_new(const char *probe);
void report_free(struct report *report);

/* Add a result; the reason is a printf format. It stays the report's own. */
struct result *report_add(struct report *report, const char *group, const char *name,
			  enum verdict verdict, const char *reason, ...)
	__attribute__((format(printf, 5, 6)));

void result_outcome(struct result *result, const char *outcome, ...)
	__attribute__((format(printf, 2, 3)));
/*
 * Said twice, the later value counts; what is not finite is not taken. The key is
 * none that every result has ("name", "ns", ...: output.h).
 */
void result_number(struct result *result, const char *key, double value);

/* A fact of the machine. Said twice, the later value counts. */
void report_fact(struct report *report, const char *key, const char *value, ...)
	__attribute__((format(printf, 3, 4)));

/* A sentence for people, below the table; "# ..." in KTAP; "summary" in JSON. */
void report_say(struct report *report, const char *sentence, ...)
	__attribute__((format(printf, 2, 3)));

/* An A/A ratio; the one farthest from 1 is kept. */
void report_aa(struct report *report, double aa);

/*
 * The verdict on the whole: fail if any result failed; else unknown if any is
 * unknown or there is no result at all; else weaker, if any; else n/a if all are;
 * else ok. Figures that were withheld decide nothing, unless there is nothing else.
 */
enum verdict report_verdict(const struct report *report);

/*
 * Exit status: 0 ok, 1 fail or weaker, 2 unknown, and 4 when all is n/a, as
 * the kernel's selftests do for a skipped test.
 */
int report_status(const struct report *report);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Findings that somebody answers for: a file with one line each,
 *
 *   setting, reason, owner, expiry date
 *   CONFIG_USER_NS=n, "rootless containers", security@example.org, 2027-06-30
 *
 * as CSV (libcsv); '#' starts a line of comment. The setting is written as in a
 * report, with or without the wanted state. The date is the last day; it may not be
 * left out, nor may the reason or the owner.
 */
#ifndef AUDIT_WAIVERS_H
#define AUDIT_WAIVERS_H

#include <stdbool.h>
#include <stddef.h>

#include "judge.h"

struct waiver {
	char *setting, *reason, *owner, *expiry; /* expiry: "2027-06-30" */
	unsigned int line;
	bool expired;
	bool used; /* by some answer of any audit of this run */
};

struct waivers {
	const char *path;
	struct waiver *at;
	size_t size;
};

/*
 * NULL with *problem set (made by malloc: every mistake of the file, one per line, as
 * "file:line: cause; what to do") when there is any: a line with too few fields, an
 * empty reason or owner, no date, a setting that is not in the catalogue, a setting
 * waived twice. today is "YYYY-MM-DD".
 */
struct waivers *waivers_parse(const char *text, size_t size, const char *path, const char *today,
			      char **problem);
void waivers_free(struct waivers *waivers);

/* Makes fail, weaker and unknown answers that a waiver names waived; expired ones do nothing. */
void waivers_apply(struct waivers *waivers, struct answer *answers);

/*
 * The next thing to tell the user, as "file:line: ..." (made by malloc): a waiver that
 * has expired, or that nothing needed. Starts at *next = 0; NULL at the end.
 */
char *waivers_complaint(const struct waivers *waivers, size_t *next);

#endif

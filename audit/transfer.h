/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a worker's result becomes bytes, and is had from them again. Who receives trusts
 * no size in it: the worker has read what somebody else has made.
 */
#ifndef AUDIT_TRANSFER_H
#define AUDIT_TRANSFER_H

#include "gather.h"
#include "input.h"

/* What reading gave: the configs, or problem, if it is not NULL. */
void send_found(FILE *out, const char *problem, const struct found_list *found);

/* False: this is not what send_found() wrote. problem is made by malloc. */
bool receive_found(const char *bytes, size_t size, char **problem, struct found_list *found);

/* What is to be known of audits that are printed elsewhere; points into the bytes. */
struct outcome {
	int status;
	const char *problems; /* each a line */
	const char *text;
	size_t text_size;
};

/* All but the text, which is to be printed behind it. waivers may be NULL. */
void send_outcome(FILE *out, const struct audit_list *list, const struct waivers *waivers);

/* Marks the waivers that were used there. False: this is not what send_outcome() wrote. */
bool receive_outcome(const char *bytes, size_t size, struct outcome *outcome,
		     struct waivers *waivers);

#endif

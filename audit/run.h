/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run: every input is read, judged and printed.
 */
#ifndef AUDIT_RUN_H
#define AUDIT_RUN_H

#include "audit.h"
#include "options.h"

/*
 * Print the audits of all inputs to out, in their order. Problems are told on standard
 * error. Returns the exit status, the worst of all audits; and in error the errno of
 * the first thing that could not be written to out, or else 0.
 */
int run(const struct options *options, const struct terms *terms, FILE *out, int *error);

#endif

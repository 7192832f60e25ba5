/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A report as KTAP, JSON or a table. Each returns 0, or -1 with errno when
 * writing failed.
 */
#ifndef PROBES_OUTPUT_H
#define PROBES_OUTPUT_H

#include <stdio.h>

#include "report.h"

/*
 * KTAP version 1 (Documentation/dev-tools/ktap.rst), tests named "group.name":
 * ok and stronger are "ok", n/a is "ok ... # SKIP reason", waived is "ok ... # XFAIL
 * reason"; weaker and fail are "not ok", unknown is "not ok ... # ERROR reason", but a
 * figure that was withheld "ok ... # SKIP withheld: reason", since a busy machine must not
 * fail a test.
 * Before the result, lines with '#' tell outcome, reason and figures. A report without
 * results is one test that is not ok.
 */
int ktap_print(const struct report *report, FILE *out);

/*
 * {"probe": "...", "verdict": "ok", "kernel": "6.1.0", "machine": {facts},
 *  "results": [{"name": "...", "group": "...", "ns": 187.8, "ratio": 1.847,
 *               "ci95": [1.84, 1.86], "verdict": "ok", "reason": ""}],
 *  "aa": 0.9999, "summary": ["..."]}
 * "outcome", "ns", "ratio", "ci95" and "aa" are left out when there is none;
 * numbers of a result are keys of their own. A figure that was withheld, and so has
 * no say in the verdict, has "withheld": true.
 */
int json_print(const struct report *report, FILE *out);

/* For people: groups with headings, columns only for what the group has. */
int table_print(const struct report *report, FILE *out, bool colour);

#endif

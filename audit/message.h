/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the user is told on standard error, "hardened-audit: ...", and the status of a
 * run in which something went wrong.
 */
#ifndef AUDIT_MESSAGE_H
#define AUDIT_MESSAGE_H

#define EXIT_TROUBLE 2

/* One line; what it quotes cannot break it. Returns EXIT_TROUBLE. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A text of one or more lines, each as a message of its own. */
int complain_lines(const char *text);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Giving up what the program has no use for, before it reads anything that somebody
 * else may have made.
 */
#ifndef AUDIT_CONFINE_H
#define AUDIT_CONFINE_H

#include <stdbool.h>

/*
 * From now on: no new privileges; no file is written, created or removed but
 * for those that are open, and those in the folder that output is open on (-1: none);
 * no program is started, no socket, no look into other processes. forks: this process
 * still has workers to start. What the kernel cannot do is left out; it can be
 * called again with less.
 */
void confine(int output, bool forks);

#endif

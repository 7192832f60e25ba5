/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The boot menu of systems that have one file per kernel.
 */
#ifndef AUDIT_SYSTEM_ENTRIES_H
#define AUDIT_SYSTEM_ENTRIES_H

#include "system.h"

/* Set the kernel's command line, if an entry for its release says it. */
void system_read_entries(struct system_kernel *kernel, int root, const char *root_path);

#endif

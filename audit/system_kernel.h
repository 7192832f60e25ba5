/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What both ways to find kernels need.
 */
#ifndef AUDIT_SYSTEM_KERNEL_H
#define AUDIT_SYSTEM_KERNEL_H

#include "system.h"

#define SYSTEM_CMDLINE_MAX ((size_t)64 << 10)

/* A path with a release in it: what stands before and behind it. */
struct system_place {
	const char *before, *after;
};

/* The caller's to free. */
char *system_path(const struct system_place *place, const char *release);

/* One more kernel, with nothing but its release. */
struct system_kernel *system_add_kernel(struct system_kernels *kernels, const char *release);

/* One more sentence, made by malloc, which is freed. */
void system_add_note(struct system_kernel *kernel, char *sentence);
void system_clear_note(struct system_kernel *kernel);

#endif

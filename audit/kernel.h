/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What kind of kernel it is: version, architecture and compiler; and what entries
 * of the catalogue say of such kernels.
 */
#ifndef AUDIT_KERNEL_H
#define AUDIT_KERNEL_H

#include "catalogue.h"
#include "config.h"

struct kernel {
	struct version version;	   /* size 0: not known */
	const char *release;	   /* as the config's heading has it, "6.12.0-55.el10"; or NULL */
	unsigned int architecture; /* one bit; 0: not known or none of those in the catalogue */
	struct compiler compiler;  /* family COMPILER_UNKNOWN: not known */
};

/* What the config says of its kernel. The strings are the config's. */
struct kernel kernel_of(const struct config *config);

/* The version at the start of a release such as "6.13.0-rc1+"; false: there is none. */
bool version_parse(const char *text, struct version *version);
/* a is older than b; what b does not say does not count: 6.12.3 is not before 6.12. */
bool version_before(const struct version *a, const struct version *b);
bool version_in(const struct version *version, const struct ranges *ranges);

#define VERSION_TEXT_SIZE 40
void version_text(const struct version *version, char text[VERSION_TEXT_SIZE]); /* "6.12.117" */

/* "4.15 - 6.8, since 6.9": made by malloc. */
char *ranges_text(const struct ranges *ranges);

const char *architecture_text(unsigned int architecture); /* "x86_64"; "unknown" for 0 */
char *architectures_text(unsigned int bits);		  /* "i386, x86_64": made by malloc */
char *compiler_text(const struct compiler *compiler);	  /* "gcc 12.2.0", "unknown": malloc */
bool compiler_meets(const struct compiler *compiler, const struct compiler *condition);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From what the command line names to audits.
 */
#ifndef AUDIT_GATHER_H
#define AUDIT_GATHER_H

#include "audit.h"
#include "input.h"
#include "options.h"

struct audit_list {
	struct audit *at;
	size_t size;
};

/*
 * Append the audits of all configs at a path, with the command line and sysctls that
 * the options name; at least one, since what cannot be audited has an audit that says
 * so.
 */
void gather_path(const char *path, const struct options *options, const struct terms *terms,
		 struct audit_list *list);

/* The same, when it has been read already; takes over what input_read() gave. */
void gather_found(const char *path, char *problem, struct found_list *found,
		  const struct options *options, const struct terms *terms,
		  struct audit_list *list);

/*
 * The same without a path: the system at --root, or only the files of --cmdline and
 * --sysctl, or the running system.
 */
void gather_system(const struct options *options, const struct terms *terms,
		   struct audit_list *list);

void audit_list_add(struct audit_list *list, struct audit audit);

/* Free the audits, and leave the list empty. */
void audit_list_clear(struct audit_list *list);

#endif

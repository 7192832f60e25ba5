/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a system keeps what is to be audited: the one that runs here, or one whose
 * file system is mounted somewhere (--root).
 */
#ifndef AUDIT_SYSTEM_H
#define AUDIT_SYSTEM_H

#include "input.h"

/* What was found out about one kernel of a system; all strings made by malloc. */
struct system_kernel {
	struct found config; /* text NULL: none was readable */
	char *release;	     /* what `uname -r` says, or the name of its folder */
	/*
	 * About the config: which file was read, and whether its release matches the
	 * running kernel's; or, for each place, why there is none.
	 */
	char *note;
	char *cmdline;	      /* NULL: not known */
	char *cmdline_source; /* the path */
	char *sysctl; /* text of sysctl.d files, in the order in which they take effect; NULL */
	char *sysctl_source;
};

struct system_kernels {
	struct system_kernel *at;
	size_t size;
};

/*
 * The running kernel: /proc/config.gz, /boot/config-RELEASE,
 * /usr/lib/modules/RELEASE/config, /lib/modules/RELEASE/build/.config, the first that
 * can be read; /proc/cmdline. Sysctls are left to sysctls_read(). Never fails: what is
 * not there is told in the note.
 */
struct system_kernels *system_running(void);

/*
 * The kernels of another tree: boot/config-*, usr/lib/modules/<release>/config, and
 * images for those releases that have neither. No symbolic link leads out of the tree.
 * NULL and *problem when there is none.
 */
struct system_kernels *system_at(const char *root, char **problem);

void system_kernels_free(struct system_kernels *kernels);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * With what a kernel of another system will be booted, and which sysctls it will get.
 */
#ifndef AUDIT_SYSTEM_BOOT_H
#define AUDIT_SYSTEM_BOOT_H

#include <dirent.h>

#include "system.h"

/* Set its command line and sysctls, as far as they are known. */
void system_read_boot(struct system_kernel *kernel, int root, const char *root_path);

/* A folder there, which no symbolic link leads out of; NULL: it cannot be read. */
DIR *system_open_folder(int root, const char *path);

#endif

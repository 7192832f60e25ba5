/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The paths of kernels, their configs and configs.ko in the packages of Debian, Fedora,
 * openSUSE, Arch, Alpine, Clear Linux and OpenWrt; those of headers included.
 */
#include "kinds.h"

#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

/* Without "usr/" */
static const struct pattern {
	const char *path; /* for fnmatch() */
	enum member_kind kind;
} patterns[] = {
	{"boot/config-*", MEMBER_CONFIG},
	{"lib/modules/*/config", MEMBER_CONFIG},
	{"lib/modules/*/build/.config", MEMBER_CONFIG},
	{"lib/kernel/config-*", MEMBER_CONFIG},
	{"lib/linux/*/config", MEMBER_CONFIG},
	{"src/*/.config", MEMBER_CONFIG},
	{"src/kernels/*/.config", MEMBER_CONFIG},
	{"src/linux-config-*/config.*", MEMBER_CONFIG},
	{"boot/vmlinu[xz]*", MEMBER_IMAGE},
	{"boot/*Image*", MEMBER_IMAGE},
	{"lib/modules/*/vmlinu[xz]*", MEMBER_IMAGE},
	{"lib/modules/*/kernel/kernel/configs.ko*", MEMBER_IMAGE},
	{"data.tar*", MEMBER_PACKAGE},
};

enum member_kind member_kind(const char *path)
{
	while (strncmp(path, "./", 2) == 0 || *path == '/')
		path += *path == '/' ? 1 : 2;
	if (strncmp(path, "usr/", 4) == 0)
		path += 4;
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
		if (fnmatch(patterns[i].path, path, FNM_PATHNAME) == 0)
			return patterns[i].kind;
	return MEMBER_OTHER;
}

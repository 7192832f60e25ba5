/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where packages have kernels and their configs.
 */
#ifndef AUDIT_INPUT_KINDS_H
#define AUDIT_INPUT_KINDS_H

enum member_kind {
	MEMBER_OTHER,
	MEMBER_CONFIG,
	MEMBER_IMAGE,
	MEMBER_PACKAGE, /* around the package's files */
};

/* What a member of that path is. */
enum member_kind member_kind(const char *path);

#endif

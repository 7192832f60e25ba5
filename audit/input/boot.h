/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where in an image the compressed kernel is, for formats that say so.
 */
#ifndef AUDIT_INPUT_BOOT_H
#define AUDIT_INPUT_BOOT_H

#include <stdbool.h>
#include <stddef.h>

struct payload {
	const unsigned char *at;
	size_t size;
	bool cut; /* the image ends before it does */
};

/* False: it is an image of another format, or none at all. */
bool boot_payload(const unsigned char *bytes, size_t size, struct payload *payload);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a path to the text of a config, whatever it is wrapped in. All of it is
 * hostile: nothing read here is trusted to be well-formed, or to be small.
 */
#ifndef AUDIT_INPUT_H
#define AUDIT_INPUT_H

#include <stddef.h>
#include <stdint.h>

/* More than any kernel's config, and what unpacking one may take at most. */
#define INPUT_CONFIG_MAX ((size_t)16 << 20)
/* The largest file, and how much may be unpacked from it in search of a config. */
#define INPUT_UNPACKED_MAX ((uint64_t)2 << 30)

/* A config that was found. text has a spare byte behind it, for config_parse(). */
struct found {
	char *text;
	size_t size;
	char *source; /* "bzImage (IKCONFIG, zstd)", "linux-image.deb:./boot/config-6.1.0" */
};

struct found_list {
	struct found *at;
	size_t size;
};

/*
 * The configs at a path: a plain or compressed file, a kernel image, a package or
 * another archive (of which all configs count), "-" for standard input. What a file is
 * is told by its bytes, never by its name. Appends to the list. Returns NULL, or a
 * message that names the path, the cause and what to do (made by malloc); then the
 * list is as it was.
 */
char *input_read(const char *path, struct found_list *list);

/* The same relative to a folder, which no symbolic link leads out of (openat2). */
char *input_read_in(int folder, const char *path, struct found_list *list);

/*
 * The bytes of a small text file, a FIFO or "-", up to max, with a spare byte behind
 * them: for command lines, sysctls, waivers. Returns NULL or a message, as above.
 */
char *input_read_text(const char *path, size_t max, char **text, size_t *size);

/* The same relative to a folder, as above. */
char *input_read_text_in(int folder, const char *path, size_t max, char **text, size_t *size);

void found_list_free(struct found_list *list);

#endif

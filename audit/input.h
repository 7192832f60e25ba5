/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a path to the text of a config, whatever it is wrapped in. All of it is
 * hostile: nothing read here is trusted to be well-formed, or to be small.
 */
#ifndef AUDIT_INPUT_H
#define AUDIT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More than any kernel's config, and what unpacking one may take at most. */
#define INPUT_CONFIG_MAX ((size_t)16 << 20)
/* How much may be unpacked from an image or package in search of one. */
#define INPUT_UNPACKED_MAX ((uint64_t)4 << 30)

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

/*
 * The bytes of a small text file, a FIFO or "-", up to max, with a spare byte behind
 * them: for command lines, sysctls, waivers. Returns NULL or a message, as above.
 */
char *input_read_text(const char *path, size_t max, char **text, size_t *size);

/* The same relative to a folder, which no symbolic link leads out of (openat2). */
char *input_read_text_in(int folder, const char *path, size_t max, char **text, size_t *size);

void found_list_free(struct found_list *list);

/*
 * The parsers, one by one, as the fuzz targets call them. Bytes in, configs appended;
 * NULL or a message.
 */

/* gzip, bzip2, lzma, xz, zstd, lz4, lzop: at most max bytes; NULL and *kind on success. */
char *unpack(const unsigned char *bytes, size_t size, size_t max, char **text, size_t *text_size,
	     const char **kind);

/* IKCONFIG in an image, at any depth of compression that the kernel's build makes. */
char *image_read(const unsigned char *bytes, size_t size, const char *path,
		 struct found_list *list);

/* .deb, .rpm, tar: configs of kernels in it, or else of the images in it. */
char *package_read(const unsigned char *bytes, size_t size, const char *path,
		   struct found_list *list);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a probe quotes (the CPU's name, a command, a library's error) may hold
 * anything. It is made harmless once, when it enters the report.
 */
#include "text.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *text_memory(void *memory)
{
	if (memory)
		return memory;
	fputs("out of memory\n", stderr);
	exit(2);
}

/* Lead bytes of UTF-8 (RFC 3629), and the least code point that needs so many bytes. */
static const struct lead {
	unsigned char mask, bits;
	uint32_t least;
} leads[] = {
	{0x80, 0x00, 0},
	{0xe0, 0xc0, 0x80},
	{0xf0, 0xe0, 0x800},
	{0xf8, 0xf0, 0x10000},
};

/* The bytes of the printable character that text starts with; 0 when it is none. */
static size_t character_size(const char *text)
{
	const unsigned char *byte = (const unsigned char *)text;
	size_t more = 0;
	uint32_t code;

	while (more < 4 && (byte[0] & leads[more].mask) != leads[more].bits)
		more++;
	if (more == 4)
		return 0;
	code = byte[0] & (unsigned char)~leads[more].mask;
	for (size_t i = 1; i <= more; i++) {
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (byte[i] & 0x3f);
	}
	if (code < leads[more].least || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return 0;
	if (code < 0x20 || (code >= 0x7f && code < 0xa0))
		return 0;
	return more + 1;
}

static char *printable(const char *raw)
{
	char *text = text_memory(malloc(4 * strlen(raw) + 1)); /* "\xNN" for each byte */
	char *end = text;

	while (*raw) {
		size_t size = character_size(raw);

		if (size) {
			end = mempcpy(end, raw, size);
			raw += size;
		} else if (strchr("\t\n\r", *raw)) {
			*end++ = ' ';
			raw++;
		} else {
			end += sprintf(end, "\\x%02x", (unsigned char)*raw++);
		}
	}
	*end = '\0';
	return text;
}

/* Most texts are ASCII without control characters. */
static bool is_plain(const char *text)
{
	while (*text >= ' ' && *text <= '~')
		text++;
	return !*text;
}

char *text_vprintf(const char *format, va_list args)
{
	char *raw, *text;

	if (vasprintf(&raw, format, args) < 0)
		raw = text_memory(NULL);
	if (is_plain(raw))
		return raw;
	text = printable(raw);
	free(raw);
	return text;
}

char *text_printf(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = text_vprintf(format, args);
	va_end(args);
	return text;
}

char *text_joined(char *before, const char *separator, char *more)
{
	char *both;

	if (!before)
		return more;
	if (asprintf(&both, "%s%s%s", before, separator, more) < 0)
		text_memory(NULL);
	free(before);
	free(more);
	return both;
}

void text_number(double value, char text[TEXT_NUMBER_SIZE])
{
	snprintf(text, TEXT_NUMBER_SIZE, fabs(value) < 1e6 ? "%.6g" : "%.0f", value);
}

size_t text_width(const char *text, size_t size)
{
	size_t width = 0;

	for (size_t i = 0; i < size; i++)
		width += (text[i] & 0xc0) != 0x80;
	return width;
}

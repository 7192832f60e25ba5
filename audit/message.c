/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages. They quote paths and contents of files, which may hold anything.
 */
#include "message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

int complain(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = text_vprintf(format, args);
	va_end(args);
	fprintf(stderr, "hardened-audit: %s\n", text);
	free(text);
	return EXIT_TROUBLE;
}

int complain_lines(const char *text)
{
	while (*text) {
		size_t size = strcspn(text, "\n");

		complain("%.*s", (int)size, text);
		text += size;
		text += *text == '\n';
	}
	return EXIT_TROUBLE;
}

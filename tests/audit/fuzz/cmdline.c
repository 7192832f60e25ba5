/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A command line, and behind the first NUL a config that may have one built in.
 */
#include <stdlib.h>
#include <string.h>

#include "cmdline.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	const unsigned char *end = size ? memchr(bytes, '\0', size) : NULL;
	size_t line = end ? (size_t)(end - bytes) : size, rest = end ? size - line - 1 : 0;
	char *cmdline = text_memory(malloc(line + 1)), *text = text_memory(malloc(rest + 1));
	struct config *config;

	*(char *)mempcpy(cmdline, bytes, line) = '\0';
	memcpy(text, bytes + size - rest, rest);
	config = config_parse(text, rest);
	cmdline_free(cmdline_parse(cmdline, "it", config));
	cmdline_free(cmdline_parse(NULL, "it", config));
	config_free(config);
	free(text);
	free(cmdline);
	return 0;
}

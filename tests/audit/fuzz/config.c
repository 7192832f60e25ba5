/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Configs, and what is told from them of their kernel.
 */
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "kernel.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	char *text = text_memory(malloc(size + 1));
	struct config *config;
	struct kernel kernel;

	memcpy(text, bytes, size);
	config = config_parse(text, size);
	kernel = kernel_of(config);
	free(compiler_text(&kernel.compiler));
	config_free(config);
	free(text);
	return 0;
}

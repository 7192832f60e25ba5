/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Captures of sysctls.
 */
#include <stdlib.h>
#include <string.h>

#include "sysctl.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	char *text = text_memory(malloc(size + 1));

	memcpy(text, bytes, size);
	sysctls_free(sysctls_parse(text, size, "it"));
	free(text);
	return 0;
}

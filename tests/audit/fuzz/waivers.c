/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of waivers.
 */
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "waivers.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	char *text = text_memory(malloc(size + 1)), *problem = NULL;
	struct waivers *waivers;

	memcpy(text, bytes, size);
	waivers = waivers_parse(text, size, "it", "2026-12-01", &problem);
	if (!waivers == !problem)
		abort();
	waivers_free(waivers);
	free(problem);
	free(text);
	return 0;
}

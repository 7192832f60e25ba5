/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The search for IKCONFIG in images.
 */
#include "search.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	return fuzz_search(image_search, bytes, size);
}

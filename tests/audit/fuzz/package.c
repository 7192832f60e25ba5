/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Packages and what is in them.
 */
#include "search.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	return fuzz_search(package_search, bytes, size);
}

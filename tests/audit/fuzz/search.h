/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One search in bytes that are not trusted, as content_read() calls it.
 */
#ifndef TESTS_AUDIT_FUZZ_SEARCH_H
#define TESTS_AUDIT_FUZZ_SEARCH_H

#include <stdlib.h>

#include "input/content.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);

static inline int fuzz_search(char *(*search)(struct stream *, const struct input *),
			      const unsigned char *bytes, size_t size)
{
	struct found_list list = {};
	struct budget budget = {16 << 20};
	struct input input = {.name = "it", .list = &list, .budget = &budget};
	struct stream *stream = stream_of_memory(bytes, size);

	free(search(stream, &input));
	found_list_free(&list);
	stream_close(stream);
	return 0;
}

#endif

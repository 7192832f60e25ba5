/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The search for IKCONFIG in images.
 */
#include <stdlib.h>

#include "input/content.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	struct found_list list = {};
	struct budget budget = {16 << 20};
	struct input input = {.name = "it", .list = &list, .budget = &budget};
	struct stream *stream = stream_of_memory(bytes, size);

	free(image_search(stream, &input));
	found_list_free(&list);
	stream_close(stream);
	return 0;
}

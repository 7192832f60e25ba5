/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The decoders, and what they are built on.
 */
#include <stdlib.h>

#include "input/unpack.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	const struct compression *compression = compression_of(bytes, size);
	struct budget budget = {16 << 20};
	struct bytes text = {};
	struct stream *in, *out;

	if (!compression)
		return -1; /* not for the corpus */
	in = stream_of_memory(bytes, size);
	out = unpacker(compression, in, &budget);
	stream_rest(out, &text, 1 << 20);
	free(stream_problem(out, "it"));
	free(text.at);
	stream_close(out);
	stream_close(in);
	return 0;
}

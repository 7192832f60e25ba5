/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What all streams have in common, and the one that reads from memory.
 */
#include "stream.h"

#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "text.h"

void stream_init(struct stream *stream,
		 size_t (*more)(struct stream *stream, unsigned char *to, size_t room),
		 void (*close)(struct stream *stream))
{
	*stream = (struct stream){.more = more, .close = close};
	if (!more)
		return;
	stream->window = text_memory(malloc(STREAM_WINDOW));
	stream->at = stream->window;
}

void stream_close(struct stream *stream)
{
	if (!stream)
		return;
	if (stream->close)
		stream->close(stream);
	free(stream->window);
	free(stream);
}

struct stream *stream_of_memory(const unsigned char *bytes, size_t size)
{
	struct stream *stream = text_memory(malloc(sizeof(*stream)));

	stream_init(stream, NULL, NULL);
	stream->at = bytes;
	stream->left = size;
	return stream;
}

/* What is left moves to the start of the window, so that there is room behind it. */
static bool fill(struct stream *stream)
{
	size_t got;

	if (!stream->window || stream->ended || stream->trouble || stream->left == STREAM_WINDOW)
		return false;
	if (stream->at != stream->window)
		memmove(stream->window, stream->at, stream->left);
	stream->at = stream->window;
	got = stream->more(stream, stream->window + stream->left, STREAM_WINDOW - stream->left);
	stream->left += got;
	stream->ended = got == 0;
	return got > 0;
}

bool stream_ahead(struct stream *stream, size_t size)
{
	while (stream->left < size && fill(stream))
		;
	return stream->left >= size;
}

void stream_use(struct stream *stream, size_t size)
{
	stream->at += size;
	stream->left -= size;
}

bool stream_skip(struct stream *stream, uint64_t size)
{
	while (size > 0 && stream_ahead(stream, 1)) {
		size_t part = size < stream->left ? (size_t)size : stream->left;

		stream_use(stream, part);
		size -= part;
	}
	return size == 0;
}

void bytes_append(struct bytes *bytes, const unsigned char *at, size_t size)
{
	if (bytes->room - bytes->size <= size) {
		size_t room = bytes->size + size + 1;

		bytes->room = room > 2 * bytes->room ? room : 2 * bytes->room;
		bytes->at = text_memory(realloc(bytes->at, bytes->room));
	}
	memcpy(bytes->at + bytes->size, at, size);
	bytes->size += size;
}

bool stream_rest(struct stream *stream, struct bytes *bytes, size_t max)
{
	while (stream_ahead(stream, 1)) {
		if (stream->left > max - bytes->size)
			return false;
		bytes_append(bytes, stream->at, stream->left);
		stream_use(stream, stream->left);
	}
	return !stream->trouble;
}

char *stream_problem(const struct stream *stream, const char *name)
{
	unsigned long long max = INPUT_UNPACKED_MAX >> 20;

	switch (stream->trouble) {
	case TROUBLE_NONE:
		return NULL;
	case TROUBLE_READ:
		return text_printf("%s: cannot read it: %s; copy it elsewhere and give the copy",
				   name, strerror(stream->error));
	case TROUBLE_NOBODY:
		return text_printf("%s: nobody writes to this FIFO; start what writes to it first",
				   name);
	case TROUBLE_SILENCE:
		return text_printf("%s: what writes to it is silent for too long; "
				   "let it write to a file first and give that",
				   name);
	case TROUBLE_SHORT:
		return text_printf("%s: the %s data in it is cut short; copy or fetch it again",
				   name, stream->what);
	case TROUBLE_DAMAGED:
		return text_printf("%s: the %s data in it is damaged; copy or fetch it again", name,
				   stream->what);
	case TROUBLE_BEYOND:
		return text_printf(
			"%s: the %s data in it asks for more memory, or a newer library, "
			"than this program has; unpack it yourself and give what is in it",
			name, stream->what);
	case TROUBLE_LIMIT:
		return text_printf(
			"%s: the %s data in it unpacks to more than %llu MiB, more than "
			"any kernel has; unpack it yourself and give the kernel's config",
			name, stream->what, max);
	case TROUBLE_SIZE:
		return text_printf("%s: it is larger than %llu MiB, which no kernel is; "
				   "give the kernel's config",
				   name, max);
	}
	return NULL;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What something is, as its first bytes tell, and on to who can read it.
 */
#include "content.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "unpack.h"

/* vmlinuz.gz in data.tar.xz in a .deb is four; nobody packs deeper. */
#define DEPTH_MAX 6

/* A control character, other than blanks and ESC, is in no text that people wrote. */
static bool is_control(unsigned char byte)
{
	return byte < 0x20 && !strchr("\t\n\v\f\r\x1b", byte);
}

/* What starts as a config does is one, whatever comes later. */
bool text_starts(const struct stream *stream)
{
	static const char setting[] = "CONFIG_";
	const unsigned char *at = stream->at;
	size_t size = stream->left;
	size_t some = size < 512 ? size : 512;

	if (size && (*at == '#' || *at == '\n'))
		return true;
	if (size >= strlen(setting) && memcmp(at, setting, strlen(setting)) == 0)
		return true;
	for (size_t i = 0; i < some; i++)
		if (at[i] == '\0' || is_control(at[i]))
			return false;
	return size > 0;
}

static char *text_read(struct stream *stream, const struct input *input)
{
	struct bytes text = {};
	char *problem;

	if (stream_rest(stream, &text, INPUT_CONFIG_MAX)) {
		found_text(input->list, &text, text_printf("%s", input->name));
		return NULL;
	}
	free(text.at);
	problem = stream_problem(stream, input->name);
	if (!problem)
		problem = text_printf("%s: this text is larger than %zu MiB, and no config is; "
				      "give the config of a kernel",
				      input->name, INPUT_CONFIG_MAX >> 20);
	return problem;
}

/* NOLINTBEGIN(misc-no-recursion): no deeper than DEPTH_MAX */

static char *packed_read(const struct compression *compression, struct stream *packed,
			 const struct input *input)
{
	struct input within = *input;
	struct stream *plain = unpacker(compression, packed, input->budget);
	char *problem;

	within.depth++;
	problem = content_read(plain, &within);
	stream_close(plain);
	return problem;
}

char *content_read(struct stream *stream, const struct input *input)
{
	const struct compression *compression;

	stream_ahead(stream, STREAM_WINDOW);
	if (!stream->left && !stream->trouble)
		return text_printf("%s: it is empty; give a config, kernel image or package",
				   input->name);
	if (!stream->left)
		return stream_problem(stream, input->name);
	if (input->depth > DEPTH_MAX)
		return text_printf("%s: it is packed more than %d times; unpack it yourself and "
				   "give what is in it",
				   input->name, DEPTH_MAX);
	compression = compression_of(stream->at, stream->left);
	if (compression)
		return packed_read(compression, stream, input);
	if (package_starts(stream))
		return package_search(stream, input);
	if (text_starts(stream))
		return text_read(stream, input);
	return image_search(stream, input);
}

/* NOLINTEND(misc-no-recursion) */

void found_add(struct found_list *list, struct found found)
{
	list->at = text_memory(realloc(list->at, (list->size + 1) * sizeof(*list->at)));
	list->at[list->size++] = found;
}

void found_text(struct found_list *list, const struct bytes *text, char *source)
{
	found_add(list, (struct found){(char *)text->at, text->size, source});
}

void found_cut(struct found_list *list, size_t size)
{
	while (list->size > size) {
		list->size--;
		free(list->at[list->size].text);
		free(list->at[list->size].source);
	}
}

void found_list_free(struct found_list *list)
{
	found_cut(list, 0);
	free(list->at);
	*list = (struct found_list){};
}

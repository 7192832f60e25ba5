/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From what was named to what was found.
 *
 * Nothing is mapped into memory: a file that shrinks meanwhile would end the program.
 */
#include "../input.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "content.h"
#include "open.h"
#include "text.h"
#include "unpack.h"

/*
 * A plain config takes one read(): if a regular file gives less than was asked for, that
 * was the end. text is left NULL for what is not like that.
 */
static void read_at_once(const struct opened *opened, struct bytes *text)
{
	const struct stat *status = &opened->status;
	ssize_t got;

	if (!S_ISREG(status->st_mode) || status->st_size <= 0 ||
	    (uint64_t)status->st_size > INPUT_CONFIG_MAX)
		return;
	text->room = (size_t)status->st_size + 1;
	text->at = text_memory(malloc(text->room));
	got = read(opened->file, text->at, text->room);
	text->size = got > 0 ? (size_t)got : 0;
	if (text->size == text->room) {
		/* It has grown since. */
		lseek(opened->file, -(off_t)text->size, SEEK_CUR);
		text->size = 0;
	}
}

/* As content_read() would find, for which it would make a copy. */
static bool is_plain(const struct bytes *text)
{
	const struct stream stream = {.at = text->at, .left = text->size};

	return text->size && !compression_of(stream.at, stream.left) && !package_starts(&stream) &&
	       text_starts(&stream);
}

/* Everything from an open file, whatever it is. */
static char *read_opened(const struct opened *opened, const char *name, struct found_list *list)
{
	struct budget budget = {INPUT_UNPACKED_MAX};
	struct input input = {.name = name, .list = list, .budget = &budget};
	struct bytes text = {};
	struct stream *stream;
	char *problem;

	read_at_once(opened, &text);
	if (is_plain(&text)) {
		found_text(list, &text, text_printf("%s", name));
		return NULL;
	}
	stream = text.size ? stream_of_memory(text.at, text.size) : stream_of_file(opened->file);
	problem = content_read(stream, &input);
	stream_close(stream);
	free(text.at);
	return problem;
}

static char *read_and_close(const struct opened *opened, const char *path, struct found_list *list)
{
	size_t before = list->size;
	char *problem = read_opened(opened, path, list);

	if (problem)
		found_cut(list, before);
	close(opened->file);
	return problem;
}

char *input_read(const char *path, struct found_list *list)
{
	struct opened opened;
	char *problem = open_named(path, &opened);

	return problem ? problem : read_and_close(&opened, path, list);
}

char *input_read_in(int folder, const char *path, struct found_list *list)
{
	struct opened opened;
	char *problem = open_in(folder, path, &opened);

	return problem ? problem : read_and_close(&opened, path, list);
}

static char *text_and_close(const struct opened *opened, const char *path, size_t max, char **text,
			    size_t *size)
{
	struct stream *stream = stream_of_file(opened->file);
	struct bytes bytes = {};
	char *problem = NULL;

	if (!stream_rest(stream, &bytes, max)) {
		problem = stream_problem(stream, path);
		if (!problem)
			problem = text_printf("%s: it is larger than %zu KiB, which is more than "
					      "such a file has; is it the right one?",
					      path, max >> 10);
	}
	stream_close(stream);
	close(opened->file);
	if (problem) {
		free(bytes.at);
		return problem;
	}
	bytes_append(&bytes, (const unsigned char *)"", 0);
	*text = (char *)bytes.at;
	*size = bytes.size;
	return NULL;
}

char *input_read_text(const char *path, size_t max, char **text, size_t *size)
{
	struct opened opened;
	char *problem = open_named(path, &opened);

	return problem ? problem : text_and_close(&opened, path, max, text, size);
}

char *input_read_text_in(int folder, const char *path, size_t max, char **text, size_t *size)
{
	struct opened opened;
	char *problem = open_in(folder, path, &opened);

	return problem ? problem : text_and_close(&opened, path, max, text, size);
}

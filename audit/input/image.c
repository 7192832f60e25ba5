/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * IKCONFIG: a kernel's own config, gzipped, behind the bytes IKCFG_ST (kernel/configs.c
 * of the kernel's tree), in the kernel proper or in configs.ko.
 *
 * The kernel proper is compressed in most images. Where, some formats say (boot.c);
 * for the others every place is tried that looks like the start of compressed data, as
 * scripts/extract-ikconfig of the kernel's tree does. What is unpacked is searched as
 * it comes, and kept only to be searched for compressed data in turn.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "boot.h"
#include "content.h"
#include "text.h"
#include "unpack.h"

/* An image in which the kernel is compressed is never larger; zImage in uImage is two. */
#define COPY_MAX  ((size_t)128 << 20)
#define DEPTH_MAX 2
/* A real image has some dozen places that look like compressed data. */
#define TRIES_MAX 4096
/* What we look for must not be missed where it lies across two windows. */
#define OVERLAP 128

#define START  "IKCFG_ST"
#define BANNER "Linux version "

struct search {
	const struct input *input;
	unsigned int tries;
	char banner[OVERLAP / 2]; /* "Linux version 6.1.0" of the kernel that was met last */
	bool kernel;		  /* the kernel proper was searched: there is no second one */
	const char *compression;  /* in which the search is now; NULL: none */
	char *problem;		  /* the first that was met where a kernel has to be */
};

/* What a stream gave, to be searched once more; nothing if that is too much. */
struct copy {
	struct bytes bytes;
	bool over;
};

static void note_banner(struct search *search, const unsigned char *bytes, size_t size)
{
	const char *at = memmem(bytes, size, BANNER, strlen(BANNER));
	size_t length = strlen(BANNER);

	if (!at || (size_t)((const char *)bytes + size - at) < OVERLAP / 2 ||
	    !isdigit((unsigned char)at[length]))
		return;
	while (length < sizeof(search->banner) - 1 && isgraph((unsigned char)at[length]))
		length++;
	memcpy(search->banner, at, length);
	search->banner[length] = '\0';
	search->kernel = true;
}

/* The stream is where IKCONFIG's gzip starts. */
static bool unwrap(struct search *search, struct stream *stream)
{
	const struct input *input = search->input;
	const struct compression *gzip = compression_of(stream->at, stream->left);
	struct stream *config;
	struct bytes text = {};
	bool whole;

	if (!gzip)
		return false;
	config = unpacker(gzip, stream, input->budget);
	whole = stream_rest(config, &text, INPUT_CONFIG_MAX);
	stream_close(config);
	if (!whole && !search->problem)
		search->problem =
			text_printf("%s: its IKCONFIG is damaged, or larger than %zu MiB; "
				    "give the config file of this kernel",
				    input->name, INPUT_CONFIG_MAX >> 20);
	if (!whole || !text.size) {
		free(text.at);
		return false;
	}
	found_text(input->list, &text,
		   search->compression
			   ? text_printf("%s (IKCONFIG, %s)", input->name, search->compression)
			   : text_printf("%s (IKCONFIG)", input->name));
	return true;
}

/* Moves on, keeping what is left behind in copy, if there is one. */
static void pass(struct stream *stream, size_t size, struct copy *copy)
{
	if (copy && !copy->over) {
		copy->over = copy->bytes.size + size > COPY_MAX;
		if (copy->over) {
			free(copy->bytes.at);
			copy->bytes = (struct bytes){};
		} else {
			bytes_append(&copy->bytes, stream->at, size);
		}
	}
	stream_use(stream, size);
}

/* Looks for IKCONFIG in all that comes. copy may be NULL. */
static bool scan(struct search *search, struct stream *stream, struct copy *copy)
{
	for (;;) {
		bool more = stream_ahead(stream, STREAM_WINDOW);
		const unsigned char *at = memmem(stream->at, stream->left, START, strlen(START));
		size_t size = at ? (size_t)(at - stream->at) + strlen(START) : stream->left;

		note_banner(search, stream->at, size);
		if (at && search->tries == 0)
			return false;
		if (at) {
			search->tries--;
			pass(stream, size, copy);
			stream_ahead(stream, COMPRESSION_START);
			if (unwrap(search, stream))
				return true;
		} else if (more) {
			pass(stream, size - OVERLAP, copy);
		} else {
			pass(stream, size, copy);
			return false;
		}
	}
}

/* NOLINTBEGIN(misc-no-recursion): no deeper than DEPTH_MAX */

static bool search_packed(struct search *search, const unsigned char *bytes, size_t size,
			  unsigned int depth);

/*
 * Looks in what is compressed at the start of bytes. sure: the image's format says
 * that the kernel is there, so that trouble is to be told.
 */
static bool try(struct search *search, const unsigned char *bytes, size_t size, unsigned int depth,
		bool sure)
{
	const struct compression *compression = compression_of(bytes, size);
	struct stream *packed, *plain;
	struct copy copy = {};
	bool found, kernel;

	if (!compression || search->tries == 0)
		return false;
	search->tries--;
	packed = stream_of_memory(bytes, size);
	plain = unpacker(compression, packed, search->input->budget);
	search->compression = compression->name;
	found = scan(search, plain, depth < DEPTH_MAX ? &copy : NULL);
	if (!found && sure && !search->problem)
		search->problem = stream_problem(plain, search->input->name);
	stream_close(plain);
	stream_close(packed);
	kernel = search->kernel;
	if (!found && copy.bytes.size)
		found = search_packed(search, copy.bytes.at, copy.bytes.size, depth + 1);
	search->kernel |= kernel;
	free(copy.bytes.at);
	return found;
}

/* Looks in everything that is compressed within bytes. Ends at the first kernel. */
static bool search_packed(struct search *search, const unsigned char *bytes, size_t size,
			  unsigned int depth)
{
	const unsigned char *end = bytes + size, *at = bytes;
	struct payload payload;

	/* A banner may stand plainly in data that lz4 or lzo has compressed. */
	search->kernel = false;
	if (boot_payload(bytes, size, &payload)) {
		if (try(search, payload.at, payload.size, depth, true))
			return true;
		if (payload.cut && !search->problem)
			search->problem = text_printf("%s: this kernel image is cut short; "
						      "copy or fetch it again",
						      search->input->name);
	}
	while (!search->kernel && search->tries && search->input->budget->left &&
	       (at = compression_next(at, end))) {
		if (try(search, at, (size_t)(end - at), depth, false))
			return true;
		at++;
	}
	return false;
}

/* NOLINTEND(misc-no-recursion) */

/* Why nothing was found */
static char *problem_of(struct search *search, const struct stream *stream)
{
	const char *name = search->input->name;
	char *problem = stream_problem(stream, name);

	if (!problem && search->problem) {
		problem = search->problem;
		search->problem = NULL;
	} else if (!problem && search->banner[0]) {
		problem = text_printf("%s: %s was built without IKCONFIG; give its config file",
				      name, search->banner);
	} else if (!problem && search->input->budget->left == 0) {
		problem =
			text_printf("%s: what is compressed in it is more than %llu MiB, which is "
				    "too much to search; give the kernel's config file",
				    name, (unsigned long long)(INPUT_UNPACKED_MAX >> 20));
	} else if (!problem && search->tries == 0) {
		problem = text_printf("%s: more than %d places in it look like compressed data, "
				      "too many to search; give the kernel's config file",
				      name, TRIES_MAX);
	} else if (!problem) {
		problem = text_printf("%s: neither a config, nor a kernel image that has one in it "
				      "(IKCONFIG), nor a package; give one of these",
				      name);
	}
	free(search->problem);
	return problem;
}

char *image_search(struct stream *stream, const struct input *input)
{
	struct search search = {.input = input, .tries = TRIES_MAX};
	/* What is in memory already needs no copy. */
	const unsigned char *bytes = stream->window ? NULL : stream->at;
	size_t size = stream->left;
	struct copy copy = {};
	char *problem = NULL;
	bool found = scan(&search, stream, bytes ? NULL : &copy);

	if (!bytes) {
		bytes = copy.bytes.at;
		size = copy.bytes.size;
	}
	if (!found && size)
		found = search_packed(&search, bytes, size, 0);
	if (found)
		free(search.problem);
	else
		problem = problem_of(&search, stream);
	free(copy.bytes.at);
	return problem;
}

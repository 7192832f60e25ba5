/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Packages with kernels in them: Debian's, RPMs, and those that are tar archives
 * (Arch, Alpine, OpenWrt, anybody's).
 *
 * Nothing is written or followed. A link is told if it is all there is.
 */
#include <stdlib.h>
#include <string.h>

#include "content.h"
#include "kinds.h"
#include "members.h"
#include "text.h"
#include "unpack.h"

/* Headers packages have some 30,000 files; a package with all of Debian's configs 200. */
#define MEMBERS_MAX	500000
#define CONFIGS_MAX	512
#define CONFIG_TEXT_MAX ((size_t)128 << 20)
#define IMAGES_MAX	64

struct package {
	const struct input *input;
	struct members *members;
	size_t first;		  /* of the list that is of this package */
	struct found_list images; /* only used when there is no config */
	unsigned int image_count;
	char *image_problem, *link_problem; /* the first of each */
};

/* Is the config that was added last one that the package has twice? Then it goes. */
static void drop_twin(struct package *package)
{
	struct found_list *list = package->input->list;
	const struct found *last = &list->at[list->size - 1];

	for (const struct found *other = list->at + package->first; other < last; other++)
		if (other->size == last->size && memcmp(other->text, last->text, last->size) == 0) {
			found_cut(list, list->size - 1);
			return;
		}
}

static char *too_many(const struct package *package)
{
	const struct found_list *list = package->input->list;
	size_t size = 0;

	for (size_t i = package->first; i < list->size; i++)
		size += list->at[i].size;
	if (list->size - package->first <= CONFIGS_MAX && size <= CONFIG_TEXT_MAX)
		return NULL;
	return text_printf("%s: more than %d configs in it, or %zu MiB of them; "
			   "unpack it yourself and give them in several runs",
			   package->input->name, CONFIGS_MAX, CONFIG_TEXT_MAX >> 20);
}

static char *config_read(struct package *package, struct stream *member, const struct input *input)
{
	size_t before = input->list->size;
	char *problem = content_read(member, input);

	if (problem)
		return problem;
	if (input->list->size == before + 1)
		drop_twin(package);
	return too_many(package);
}

/* An image's problem is of interest only when there is no config. */
static void image_look(struct package *package, struct stream *member, struct input *input)
{
	char *problem;

	if (package->input->list->size > package->first || package->image_count == IMAGES_MAX)
		return;
	package->image_count++;
	input->list = &package->images;
	problem = image_search(member, input);
	if (package->image_problem)
		free(problem);
	else
		package->image_problem = problem;
}

static char *member_read(struct package *package, enum member_kind kind, const char *path)
{
	char *name = text_printf("%s:%s", package->input->name, path);
	struct stream *member = member_stream(package->members, package->input->budget);
	struct input input = *package->input;
	char *problem = NULL;

	input.depth++;
	if (kind != MEMBER_PACKAGE)
		input.name = name;
	if (kind == MEMBER_IMAGE) {
		image_look(package, member, &input);
	} else if (kind == MEMBER_CONFIG) {
		problem = config_read(package, member, &input);
	} else {
		problem = content_read(member, &input);
	}
	stream_close(member);
	free(name);
	return problem;
}

static void link_note(struct package *package, const struct member *member)
{
	if (!package->link_problem)
		package->link_problem =
			text_printf("%s: %s in it is a link to %s, which is not followed; "
				    "give the package or file that has the config itself",
				    package->input->name, member->path, member->link);
}

static char *damaged(const struct package *package)
{
	char *problem = stream_problem(package->members->in, package->input->name);

	return problem ? problem
		       : text_printf("%s: this package is damaged or cut short; fetch it again",
				     package->input->name);
}

static char *members_read(struct package *package)
{
	struct member member;
	char *problem = NULL;

	for (unsigned int i = 0; i < MEMBERS_MAX && !problem; i++) {
		enum next next = package->members->next(package->members, &member);
		enum member_kind kind;

		if (next == NEXT_DAMAGED || package->members->in->trouble)
			return damaged(package);
		if (next == NEXT_END)
			return NULL;
		kind = member.regular ? member_kind(member.path) : MEMBER_OTHER;
		if (kind != MEMBER_OTHER && member.link)
			link_note(package, &member);
		else if (kind != MEMBER_OTHER)
			problem = member_read(package, kind, member.path);
	}
	if (!problem)
		problem = text_printf("%s: more than %d files in it; unpack it yourself and give "
				      "the kernel's config",
				      package->input->name, MEMBERS_MAX);
	return problem;
}

/* Configs, or else images, or else why there is nothing. */
static char *settle(struct package *package)
{
	struct found_list *list = package->input->list, *images = &package->images;
	char *problem = NULL;

	if (list->size > package->first)
		return NULL;
	for (size_t i = 0; i < images->size; i++)
		found_add(list, images->at[i]);
	if (images->size) {
		images->size = 0;
		return NULL;
	}
	if (package->image_problem) {
		problem = package->image_problem;
		package->image_problem = NULL;
	} else if (package->link_problem) {
		problem = package->link_problem;
		package->link_problem = NULL;
	} else {
		problem =
			text_printf("%s: no kernel's config (boot/config-*, lib/modules/*/config) "
				    "in it, and no kernel image; give the package that has them",
				    package->input->name);
	}
	return problem;
}

static char *walk(struct members *members, const struct input *input)
{
	struct package package = {.input = input, .members = members, .first = input->list->size};
	char *problem = members_read(&package);

	if (!problem)
		problem = settle(&package);
	members_close(members);
	found_list_free(&package.images);
	free(package.image_problem);
	free(package.link_problem);
	return problem;
}

static char *rpm_read(struct stream *in, const struct input *input)
{
	const struct compression *compression;
	struct stream *plain;
	char *problem;

	if (!rpm_pass(in)) {
		problem = stream_problem(in, input->name);
		return problem ? problem
			       : text_printf("%s: this RPM is damaged or cut short; fetch it again",
					     input->name);
	}
	stream_ahead(in, COMPRESSION_START);
	compression = compression_of(in->at, in->left);
	if (!compression)
		return walk(cpio_members(in), input);
	plain = unpacker(compression, in, input->budget);
	problem = walk(cpio_members(plain), input);
	stream_close(plain);
	return problem;
}

static bool has(const struct stream *stream, size_t offset, const char *magic)
{
	size_t length = strlen(magic);

	return stream->left >= offset + length && memcmp(stream->at + offset, magic, length) == 0;
}

static bool is_ar(const struct stream *stream)
{
	return has(stream, 0, "!<arch>\n");
}

static bool is_rpm(const struct stream *stream)
{
	return has(stream, 0, "\xed\xab\xee\xdb");
}

bool package_starts(const struct stream *stream)
{
	return is_ar(stream) || is_rpm(stream) || has(stream, 257, "ustar");
}

char *package_search(struct stream *stream, const struct input *input)
{
	if (is_rpm(stream))
		return rpm_read(stream, input);
	return walk(is_ar(stream) ? ar_members(stream) : tar_members(stream), input);
}

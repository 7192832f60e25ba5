/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * RPMs, and the cpio archives in them: "new ASCII" headers of a magic and 13 numbers of
 * eight hexadecimal digits, a name, and the data, both padded to four bytes.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "members.h"
#include "text.h"

#define HEADER_SIZE 110

enum field { FIELD_MODE = 1, FIELD_LINKS = 4, FIELD_SIZE = 6, FIELD_NAME_SIZE = 11 };

static bool hexadecimal(const unsigned char *header, enum field field, uint32_t *value)
{
	const unsigned char *at = header + 6 + (size_t)8 * field;

	*value = 0;
	for (size_t i = 0; i < 8; i++) {
		if (!isxdigit(at[i]))
			return false;
		*value = *value << 4 |
			 (uint32_t)(isdigit(at[i]) ? at[i] - '0' : tolower(at[i]) - 'a' + 10);
	}
	return true;
}

/* size bytes, and a NUL behind them */
static bool text(struct stream *in, size_t size, char to[MEMBER_PATH_SIZE])
{
	if (size >= MEMBER_PATH_SIZE || !stream_ahead(in, size))
		return false;
	memcpy(to, in->at, size);
	to[size] = '\0';
	stream_use(in, size);
	return true;
}

/* What comes behind a header and its name */
static enum next settle(struct members *members, struct member *member, uint32_t mode,
			uint32_t links)
{
	*member = (struct member){.path = members->path};
	if (S_ISLNK(mode)) {
		if (!text(members->in, members->left, members->link))
			return NEXT_DAMAGED;
		members->left = 0;
		member->link = members->link;
	} else if (S_ISREG(mode) && links > 1 && members->left == 0) {
		member->link = "another file in it"; /* which has the data of all of them */
	}
	member->regular = S_ISREG(mode) || S_ISLNK(mode);
	return NEXT_MEMBER;
}

static enum next cpio_next(struct members *members, struct member *member)
{
	struct stream *in = members->in;
	uint32_t mode, links, size, name_size;

	if (!members_pass(members) || !stream_ahead(in, HEADER_SIZE) ||
	    memcmp(in->at, "07070", 5) != 0 || (in->at[5] != '1' && in->at[5] != '2') ||
	    !hexadecimal(in->at, FIELD_MODE, &mode) || !hexadecimal(in->at, FIELD_LINKS, &links) ||
	    !hexadecimal(in->at, FIELD_SIZE, &size) ||
	    !hexadecimal(in->at, FIELD_NAME_SIZE, &name_size))
		return NEXT_DAMAGED;
	stream_use(in, HEADER_SIZE);
	if (!text(in, name_size, members->path) ||
	    !stream_skip(in, -(HEADER_SIZE + (uint64_t)name_size) & 3))
		return NEXT_DAMAGED;
	if (strcmp(members->path, "TRAILER!!!") == 0)
		return NEXT_END;
	members->left = size;
	members->padding = -(uint64_t)size & 3;
	return settle(members, member, mode, links);
}

struct members *cpio_members(struct stream *in)
{
	struct members *members = text_memory(calloc(1, sizeof(*members)));

	members->in = in;
	members->next = cpio_next;
	return members;
}

/*
 * A header of an RPM: magic, version and reserved in 8 bytes, how many index entries
 * of 16 bytes, how many bytes behind them.
 */
static bool rpm_header(struct stream *in, bool padded)
{
	uint64_t size;

	if (!stream_ahead(in, 16) || memcmp(in->at, "\x8e\xad\xe8\x01", 4) != 0)
		return false;
	size = 16 * ((uint64_t)in->at[8] << 24 | in->at[9] << 16 | in->at[10] << 8 | in->at[11]);
	size += (uint64_t)in->at[12] << 24 | in->at[13] << 16 | in->at[14] << 8 | in->at[15];
	return stream_skip(in, 16 + size + (padded ? -size & 7 : 0));
}

/* A lead of 96 bytes, and two headers: the signature's, and the package's. */
bool rpm_pass(struct stream *in)
{
	return stream_skip(in, 96) && rpm_header(in, true) && rpm_header(in, false);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ar archives, as far as Debian's packages need them (deb(5)): short names.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "members.h"
#include "text.h"

#define MAGIC_SIZE  8
#define HEADER_SIZE 60
#define NAME_SIZE   16
#define SIZE_AT	    48
#define SIZE_SIZE   10

/* Decimal, filled up with blanks; false: it is not. */
static bool decimal(const unsigned char *at, size_t size, uint64_t *value)
{
	size_t i = 0;

	*value = 0;
	for (; i < size && isdigit(at[i]); i++)
		*value = *value * 10 + (uint64_t)(at[i] - '0');
	if (i == 0)
		return false;
	while (i < size && at[i] == ' ')
		i++;
	return i == size;
}

static enum next ar_next(struct members *members, struct member *member)
{
	struct stream *in = members->in;
	size_t length = NAME_SIZE;

	if (!members_pass(members))
		return NEXT_DAMAGED;
	if (!stream_ahead(in, 1))
		return NEXT_END;
	if (!stream_ahead(in, HEADER_SIZE) || memcmp(in->at + HEADER_SIZE - 2, "`\n", 2) != 0 ||
	    !decimal(in->at + SIZE_AT, SIZE_SIZE, &members->left))
		return NEXT_DAMAGED;
	memcpy(members->path, in->at, NAME_SIZE);
	while (length && (members->path[length - 1] == ' ' || members->path[length - 1] == '/'))
		length--;
	members->path[length] = '\0';
	members->padding = members->left & 1;
	stream_use(in, HEADER_SIZE);
	*member = (struct member){.path = members->path, .regular = true};
	return NEXT_MEMBER;
}

struct members *ar_members(struct stream *in)
{
	struct members *members = text_memory(calloc(1, sizeof(*members)));

	members->in = in;
	members->next = ar_next;
	stream_skip(in, MAGIC_SIZE);
	return members;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What archives have in common: the data of their members.
 */
#include "members.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

struct member_data {
	struct stream stream;
	struct members *members;
	struct budget *budget;
};

bool members_pass(struct members *members)
{
	bool whole = stream_skip(members->in, members->left) &&
		     stream_skip(members->in, members->padding);

	members->left = members->padding = 0;
	return whole;
}

static size_t plain_more(struct members *members, struct stream *stream, unsigned char *to,
			 size_t room)
{
	struct stream *in = members->in;

	if (members->left == 0)
		return 0;
	if (!stream_ahead(in, 1)) {
		stream->trouble = in->trouble ? in->trouble : TROUBLE_SHORT;
		stream->error = in->error;
		stream->what = in->trouble ? in->what : "archive";
		return 0;
	}
	room = room < in->left ? room : in->left;
	room = room < members->left ? room : (size_t)members->left;
	memcpy(to, in->at, room);
	stream_use(in, room);
	members->left -= room;
	return room;
}

static size_t data_more(struct stream *stream, unsigned char *to, size_t room)
{
	struct member_data *data = (struct member_data *)stream;
	struct members *members = data->members;
	size_t got = members->more ? members->more(members, stream, to, room)
				   : plain_more(members, stream, to, room);

	/* A sparse file is as large as it says. */
	if (got > data->budget->left) {
		stream->trouble = TROUBLE_LIMIT;
		stream->what = "archive";
		return 0;
	}
	data->budget->left -= got;
	return got;
}

struct stream *member_stream(struct members *members, struct budget *budget)
{
	struct member_data *data = text_memory(malloc(sizeof(*data)));

	stream_init(&data->stream, data_more, NULL);
	data->members = members;
	data->budget = budget;
	return &data->stream;
}

void members_close(struct members *members)
{
	if (members->close)
		members->close(members);
	free(members);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tar archives, with libarchive. It gets them without their compression: unpack.c
 * knows when to stop, and libarchive would start programs for what it does not know.
 */
#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>

#include "members.h"
#include "text.h"

struct tar {
	struct members members;
	struct archive *archive;
	bool opened;
};

static enum next tar_next(struct members *members, struct member *member)
{
	struct tar *tar = (struct tar *)members;
	struct archive_entry *entry;
	int result = tar->opened ? archive_read_next_header(tar->archive, &entry) : ARCHIVE_FATAL;

	if (result == ARCHIVE_EOF)
		return NEXT_END;
	if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
		return NEXT_DAMAGED;
	*member = (struct member){
		.path = archive_entry_pathname(entry),
		.link = archive_entry_symlink(entry),
	};
	if (!member->path)
		member->path = archive_entry_pathname_utf8(entry);
	if (!member->path)
		member->path = "";
	if (!member->link && archive_entry_size(entry) == 0)
		member->link = archive_entry_hardlink(entry);
	member->regular = member->link || archive_entry_filetype(entry) == AE_IFREG;
	return NEXT_MEMBER;
}

static size_t tar_more(struct members *members, struct stream *stream, unsigned char *to,
		       size_t room)
{
	la_ssize_t got = archive_read_data(((struct tar *)members)->archive, to, room);

	if (got >= 0)
		return (size_t)got;
	stream->trouble = members->in->trouble ? members->in->trouble : TROUBLE_DAMAGED;
	stream->error = members->in->error;
	stream->what = members->in->trouble ? members->in->what : "archive";
	return 0;
}

static void tar_close(struct members *members)
{
	archive_read_free(((struct tar *)members)->archive);
}

static la_ssize_t give(struct archive *archive, void *stream, const void **bytes)
{
	struct stream *in = stream;
	size_t size;

	(void)archive;
	stream_ahead(in, 1);
	*bytes = in->at;
	size = in->left;
	stream_use(in, size);
	return (la_ssize_t)size;
}

struct members *tar_members(struct stream *in)
{
	struct tar *tar = text_memory(calloc(1, sizeof(*tar)));

	tar->members.in = in;
	tar->members.next = tar_next;
	tar->members.more = tar_more;
	tar->members.close = tar_close;
	tar->archive = text_memory(archive_read_new());
	tar->opened = archive_read_support_format_tar(tar->archive) == ARCHIVE_OK &&
		      archive_read_open(tar->archive, in, NULL, give, NULL) == ARCHIVE_OK;
	return &tar->members;
}

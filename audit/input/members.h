/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is in an archive, one after the other, whatever kind of archive it is.
 *
 * ar and cpio are read here: libarchive, which reads tar, gets as much memory for a
 * name as a header says, be it gigabytes.
 */
#ifndef AUDIT_INPUT_MEMBERS_H
#define AUDIT_INPUT_MEMBERS_H

#include "stream.h"

/* The longest path, and what a symbolic link may lead to. */
#define MEMBER_PATH_SIZE 4096

struct member {
	const char *path;
	const char *link; /* NULL: it is no link */
	bool regular;	  /* a file, or a link that might as well be one */
};

enum next { NEXT_MEMBER, NEXT_END, NEXT_DAMAGED };

struct members {
	struct stream *in;
	enum next (*next)(struct members *members, struct member *member);
	/* As the more() of a stream: what is in the member. NULL: the next left bytes of in. */
	size_t (*more)(struct members *members, struct stream *stream, unsigned char *to,
		       size_t room);
	void (*close)(struct members *members);
	uint64_t left, padding; /* of the member, and behind it */
	char path[MEMBER_PATH_SIZE], link[MEMBER_PATH_SIZE];
};

struct members *ar_members(struct stream *in);
struct members *cpio_members(struct stream *in);
struct members *tar_members(struct stream *in);
void members_close(struct members *members);

/* Beyond what was not read of a member; false: the archive ends within it. */
bool members_pass(struct members *members);

/* The data of the member at hand; until the next one. */
struct stream *member_stream(struct members *members, struct budget *budget);

/* An RPM up to where its cpio archive begins; false: damaged. */
bool rpm_pass(struct stream *in);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a stream to the configs in it.
 */
#ifndef AUDIT_INPUT_CONTENT_H
#define AUDIT_INPUT_CONTENT_H

#include "../input.h"
#include "stream.h"

/* What is read, and where what is found goes. */
struct input {
	const char *name; /* of a file, or "linux-image.deb:./boot/vmlinuz-6.1.0" */
	struct found_list *list;
	struct budget *budget;
	unsigned int depth; /* how many packages and compressions are around it */
};

/*
 * These return NULL, or a message; they may add to the list before that, and who
 * began it all takes that back.
 */

/* Whatever it is, as its bytes tell. */
char *content_read(struct stream *stream, const struct input *input);
/* IKCONFIG */
char *image_search(struct stream *stream, const struct input *input);
/* ar, RPM, or else tar */
char *package_search(struct stream *stream, const struct input *input);
/* Of what can be seen of a stream: is this the start of one? */
bool package_starts(const struct stream *stream);
bool text_starts(const struct stream *stream);

/* These take over all that they get. */
void found_add(struct found_list *list, struct found found);
void found_text(struct found_list *list, const struct bytes *text, char *source);
/* Forgets all but the first size. */
void found_cut(struct found_list *list, size_t size);

#endif

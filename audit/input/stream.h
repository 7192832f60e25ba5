/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bytes that come one after the other: from memory, from a file or pipe, out of a
 * decoder, or out of a member of a package. Streams read from each other, so that
 * whatever a config is wrapped in, little of it is in memory at a time.
 */
#ifndef AUDIT_INPUT_STREAM_H
#define AUDIT_INPUT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How far one can look ahead in a stream. */
#define STREAM_WINDOW ((size_t)64 << 10)

/* Why a stream ended. */
enum trouble {
	TROUBLE_NONE,	 /* where it should */
	TROUBLE_READ,	 /* see error */
	TROUBLE_NOBODY,	 /* a FIFO that nobody writes to */
	TROUBLE_SILENCE, /* somebody has it open, and writes nothing */
	TROUBLE_SHORT,	 /* within the compressed data */
	TROUBLE_DAMAGED, /* the compressed data is not as it was written */
	TROUBLE_BEYOND,	 /* unpacking takes more memory or a newer library */
	TROUBLE_LIMIT,	 /* more was unpacked than any kernel needs */
	TROUBLE_SIZE,	 /* the same of a file or pipe */
};

struct stream {
	/* What is there and was not used yet. Who uses n bytes moves both. */
	const unsigned char *at;
	size_t left;
	enum trouble trouble;
	int error;	  /* an errno, for TROUBLE_READ */
	const char *what; /* the name of the compression or package it comes from, or NULL */
	bool ended;
	/* At most room bytes more, room > 0; 0 at the end, with trouble set or not: the last call.
	 */
	size_t (*more)(struct stream *stream, unsigned char *to, size_t room);
	void (*close)(struct stream *stream);
	unsigned char *window; /* NULL: all there is of it is in memory already */
};

/* How much may still come: of one input, what all its decoders give together. */
struct budget {
	uint64_t left;
};

/* Are size bytes there, which may be STREAM_WINDOW at most? If not, the rest is. */
bool stream_ahead(struct stream *stream, size_t size);
void stream_use(struct stream *stream, size_t size);
/* Like stream_use() for any number of bytes; false: there were not so many. */
bool stream_skip(struct stream *stream, uint64_t size);

/* The first members of a stream; more is NULL for one that is in memory. */
void stream_init(struct stream *stream,
		 size_t (*more)(struct stream *stream, unsigned char *to, size_t room),
		 void (*close)(struct stream *stream));
void stream_close(struct stream *stream); /* also frees it; not what it reads from */

struct stream *stream_of_memory(const unsigned char *bytes, size_t size);
/*
 * At most INPUT_UNPACKED_MAX bytes, with poll() where that is needed. The descriptor
 * stays the caller's.
 */
struct stream *stream_of_file(int file);

/* A text that grows; one byte behind it is always free. */
struct bytes {
	unsigned char *at;
	size_t size, room;
};

void bytes_append(struct bytes *bytes, const unsigned char *at, size_t size);
/* All that is left, but not more than max bytes: false if there is more, or trouble. */
bool stream_rest(struct stream *stream, struct bytes *bytes, size_t max);

/* A message, "NAME: what happened; what to do"; NULL: there was no trouble. */
char *stream_problem(const struct stream *stream, const char *name);

#endif

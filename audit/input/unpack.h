/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The compressions of kernels and their packages, as streams. What follows the
 * compressed data (kernels have its size there) is left alone.
 */
#ifndef AUDIT_INPUT_UNPACK_H
#define AUDIT_INPUT_UNPACK_H

#include "stream.h"

/* Enough of the start of compressed data to know it by. */
#define COMPRESSION_START 16

struct compression {
	const char *name; /* "zstd" */
	bool (*starts)(const unsigned char *at, size_t size);
	struct stream *(*open)(const struct compression *compression, struct stream *in,
			       struct budget *budget);
	const struct codec *codec;
};

/* That of data which starts so; NULL: none. */
const struct compression *compression_of(const unsigned char *at, size_t size);

/* The next place where compressed data may start; NULL: there is none. */
const unsigned char *compression_next(const unsigned char *at, const unsigned char *end);

/* What is compressed in a stream, which must stay until this one is closed. */
struct stream *unpacker(const struct compression *compression, struct stream *in,
			struct budget *budget);

/* For those that write a decoder. */

struct decoder {
	struct stream stream;
	const struct compression *compression;
	struct stream *in;
	struct budget *budget;
	bool between; /* frames: the last has ended, another may follow */
	void *state;
};

/* Part of the compressed data, and where what it unpacks to goes. */
struct piece {
	const unsigned char *in;
	size_t in_left;
	unsigned char *out;
	size_t out_left;
};

enum step { STEP_MORE, STEP_ENDS, STEP_DAMAGED, STEP_BEYOND };

/* A library that takes and gives bytes in pieces of any size. */
struct codec {
	void *(*begin)(void);
	enum step (*step)(void *state, struct piece *piece);
	/* NULL: whatever follows the first frame is something else */
	bool (*again)(void *state);
	void (*end)(void *state);
};

struct stream *unpacker_of_codec(const struct compression *compression, struct stream *in,
				 struct budget *budget);
extern const struct codec codec_gzip, codec_bzip2, codec_lzma, codec_xz, codec_zstd, codec_lz4;

/* Formats of whole blocks (blocks.c) */
struct stream *open_lz4_legacy(const struct compression *compression, struct stream *in,
			       struct budget *budget);
struct stream *open_lzop(const struct compression *compression, struct stream *in,
			 struct budget *budget);

/* Notes how much was taken and given; with trouble set when that was too much. */
void decoder_charge(struct decoder *decoder, size_t size);
/* With trouble set: that of what it reads from, if any, else this. */
void decoder_ends(struct decoder *decoder, enum trouble trouble);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which compression it is, told by how the data starts; and what the decoders share.
 *
 * Numbers at the start: RFC 1952 (gzip), bzip2's BZh and first block, the xz file
 * format, LZMA_Alone (what XZ Utils' own check of its header asks), RFC 8878 (zstd),
 * lz4's frame format (with its legacy one), and lzop's. Kernels are compressed by
 * scripts/Makefile.lib of the kernel's tree.
 */
#include "unpack.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

static bool begins(const unsigned char *at, size_t size, const char *with, size_t length)
{
	return size >= length && memcmp(at, with, length) == 0;
}
#define BEGINS(with) begins(at, size, with, sizeof(with) - 1)

static bool gzip_starts(const unsigned char *at, size_t size)
{
	return BEGINS("\x1f\x8b\x08") && size > 3 && !(at[3] & 0xe0); /* reserved flags */
}

static bool bzip2_starts(const unsigned char *at, size_t size)
{
	return BEGINS("BZh") && size >= 10 && at[3] >= '1' && at[3] <= '9' &&
	       (memcmp(at + 4, "\x31\x41\x59\x26\x53\x59", 6) == 0 ||
		memcmp(at + 4, "\x17\x72\x45\x38\x50\x90", 6) == 0); /* there is nothing in it */
}

static bool xz_starts(const unsigned char *at, size_t size)
{
	return BEGINS("\xfd"
		      "7zXZ\0");
}

/*
 * lc=3 lp=0 pb=2, a dictionary of 2^n or 2^n + 2^(n-1) bytes, and a size that is not
 * known or below 256 GiB.
 */
static bool lzma_starts(const unsigned char *at, size_t size)
{
	uint32_t dictionary, low;

	if (!BEGINS("\x5d") || size < 13)
		return false;
	dictionary = at[1] | at[2] << 8 | at[3] << 16 | (uint32_t)at[4] << 24;
	if (dictionary < 4096)
		return false;
	low = dictionary & -dictionary;
	if (dictionary != low && dictionary != low * 3)
		return false;
	return memcmp(at + 5, "\xff\xff\xff\xff\xff\xff\xff\xff", 8) == 0 ||
	       (at[9] < 0x40 && !at[10] && !at[11] && !at[12]);
}

static bool zstd_starts(const unsigned char *at, size_t size)
{
	return BEGINS("\x28\xb5\x2f\xfd");
}

static bool lz4_starts(const unsigned char *at, size_t size)
{
	return BEGINS("\x04\x22\x4d\x18");
}

static bool lz4_legacy_starts(const unsigned char *at, size_t size)
{
	return BEGINS("\x02\x21\x4c\x18");
}

static bool lzop_starts(const unsigned char *at, size_t size)
{
	return BEGINS("\x89LZO\0\r\n\x1a\n");
}

static const struct compression compressions[] = {
	{"gzip", gzip_starts, unpacker_of_codec, &codec_gzip},
	{"bzip2", bzip2_starts, unpacker_of_codec, &codec_bzip2},
	{"xz", xz_starts, unpacker_of_codec, &codec_xz},
	{"lzma", lzma_starts, unpacker_of_codec, &codec_lzma},
	{"zstd", zstd_starts, unpacker_of_codec, &codec_zstd},
	{"lz4", lz4_starts, unpacker_of_codec, &codec_lz4},
	{"lz4", lz4_legacy_starts, open_lz4_legacy, NULL},
	{"lzo", lzop_starts, open_lzop, NULL},
};

const struct compression *compression_of(const unsigned char *at, size_t size)
{
	for (size_t i = 0; i < sizeof(compressions) / sizeof(*compressions); i++)
		if (compressions[i].starts(at, size))
			return &compressions[i];
	return NULL;
}

const unsigned char *compression_next(const unsigned char *at, const unsigned char *end)
{
	/* The bytes that compressed data may start with. Few others do. */
	static const bool first[256] = {
		[0x1f] = true, ['B'] = true,  [0xfd] = true, [0x5d] = true,
		[0x28] = true, [0x04] = true, [0x02] = true, [0x89] = true,
	};

	for (; at < end; at++)
		if (first[*at] && compression_of(at, (size_t)(end - at)))
			return at;
	return NULL;
}

struct stream *unpacker(const struct compression *compression, struct stream *in,
			struct budget *budget)
{
	return compression->open(compression, in, budget);
}

void decoder_charge(struct decoder *decoder, size_t size)
{
	if (decoder->budget->left >= size) {
		decoder->budget->left -= size;
		return;
	}
	decoder->budget->left = 0;
	decoder->stream.trouble = TROUBLE_LIMIT;
}

void decoder_ends(struct decoder *decoder, enum trouble trouble)
{
	struct stream *in = decoder->in;

	decoder->stream.trouble = in->trouble ? in->trouble : trouble;
	decoder->stream.error = in->error;
}

static void codec_close(struct stream *stream)
{
	struct decoder *decoder = (struct decoder *)stream;

	decoder->compression->codec->end(decoder->state);
}

/* Does another frame follow? */
static bool next_frame(struct decoder *decoder)
{
	const struct compression *compression = decoder->compression;
	struct stream *in = decoder->in;

	if (!compression->codec->again)
		return false;
	stream_ahead(in, COMPRESSION_START);
	if (!compression->starts(in->at, in->left))
		return false;
	decoder->between = false;
	return compression->codec->again(decoder->state);
}

/* One call of the library; false when nothing more will come. */
static bool codec_step(struct decoder *decoder, struct piece *piece)
{
	struct stream *in = decoder->in;
	size_t room = piece->out_left;
	enum step step;

	if (decoder->between && !next_frame(decoder))
		return false;
	stream_ahead(in, 1);
	piece->in = in->at;
	piece->in_left = in->left;
	step = decoder->compression->codec->step(decoder->state, piece);
	decoder->between = step == STEP_ENDS;
	room -= piece->out_left;
	if (step == STEP_MORE && !room && piece->in_left == in->left)
		decoder_ends(decoder, in->left ? TROUBLE_DAMAGED : TROUBLE_SHORT);
	else if (step == STEP_DAMAGED)
		decoder_ends(decoder, TROUBLE_DAMAGED);
	else if (step == STEP_BEYOND)
		decoder_ends(decoder, TROUBLE_BEYOND);
	decoder_charge(decoder, in->left - piece->in_left + room);
	stream_use(in, in->left - piece->in_left);
	return !decoder->stream.trouble;
}

static size_t codec_more(struct stream *stream, unsigned char *to, size_t room)
{
	struct decoder *decoder = (struct decoder *)stream;
	struct piece piece = {.out_left = room};

	piece.out = to;
	while (piece.out_left == room && codec_step(decoder, &piece))
		;
	return room - piece.out_left;
}

struct stream *unpacker_of_codec(const struct compression *compression, struct stream *in,
				 struct budget *budget)
{
	struct decoder *decoder = text_memory(calloc(1, sizeof(*decoder)));

	stream_init(&decoder->stream, codec_more, codec_close);
	decoder->stream.what = compression->name;
	decoder->compression = compression;
	decoder->in = in;
	decoder->budget = budget;
	decoder->state = compression->codec->begin();
	return &decoder->stream;
}

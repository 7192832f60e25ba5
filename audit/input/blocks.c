/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The compressions that are read in whole blocks: lz4's legacy format, in which
 * kernels are (lz4 -l), and lzop's, whose library unpacks nothing else.
 */
#include <lz4.h>
#include <lzo/lzo1x.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "text.h"
#include "unpack.h"

#define LZ4_LEGACY_BLOCK ((size_t)8 << 20)
/* lzop's own are of 256 KiB, its limit is 64 MiB */
#define LZOP_BLOCK_MAX ((size_t)16 << 20)

/* Bits of lzop's flags: checksums of the block as it is and as it was, and more. */
enum {
	LZOP_ADLER32 = 1 << 0,
	LZOP_ADLER32_PACKED = 1 << 1,
	LZOP_EXTRA_FIELD = 1 << 6,
	LZOP_CRC32 = 1 << 8,
	LZOP_CRC32_PACKED = 1 << 9,
	LZOP_FILTER = 1 << 11,
};

struct blocks {
	struct decoder decoder;
	/* Unpacks one; false at the end, with trouble set or not. */
	bool (*read_block)(struct blocks *blocks);
	struct bytes packed, block;
	size_t used; /* of the block */
	bool last;
	uint32_t flags; /* lzop's */
};

static bool damaged(struct blocks *blocks)
{
	decoder_ends(&blocks->decoder, TROUBLE_DAMAGED);
	return false;
}

static bool skip(struct blocks *blocks, size_t size)
{
	decoder_charge(&blocks->decoder, size);
	if (!stream_skip(blocks->decoder.in, size))
		decoder_ends(&blocks->decoder, TROUBLE_SHORT);
	return !blocks->decoder.stream.trouble;
}

/* Reads a number of size bytes, the highest first. */
static bool number(struct blocks *blocks, size_t size, uint32_t *value)
{
	struct stream *in = blocks->decoder.in;

	*value = 0;
	if (stream_ahead(in, size))
		for (size_t i = 0; i < size; i++)
			*value = *value << 8 | in->at[i];
	return skip(blocks, size);
}

/* Reads packed_size bytes into packed, and makes room for a block. */
static bool take(struct blocks *blocks, size_t packed_size, size_t block_size)
{
	struct stream *in = blocks->decoder.in;

	blocks->packed.size = 0;
	while (blocks->packed.size < packed_size && stream_ahead(in, 1)) {
		size_t part = packed_size - blocks->packed.size;

		part = part < in->left ? part : in->left;
		bytes_append(&blocks->packed, in->at, part);
		stream_use(in, part);
	}
	if (blocks->packed.size < packed_size) {
		decoder_ends(&blocks->decoder, TROUBLE_SHORT);
		return false;
	}
	decoder_charge(&blocks->decoder, packed_size + block_size);
	if (blocks->decoder.stream.trouble)
		return false;
	if (blocks->block.room < block_size) {
		free(blocks->block.at);
		blocks->block.at = text_memory(malloc(block_size));
		blocks->block.room = block_size;
	}
	return true;
}

static size_t blocks_more(struct stream *stream, unsigned char *to, size_t room)
{
	struct blocks *blocks = (struct blocks *)stream;
	size_t left = blocks->block.size - blocks->used;

	if (!left) {
		blocks->block.size = blocks->used = 0;
		if (blocks->last || !blocks->read_block(blocks))
			return 0;
		left = blocks->block.size;
	}
	room = left < room ? left : room;
	memcpy(to, blocks->block.at + blocks->used, room);
	blocks->used += room;
	return room;
}

static void blocks_close(struct stream *stream)
{
	struct blocks *blocks = (struct blocks *)stream;

	free(blocks->packed.at);
	free(blocks->block.at);
}

static struct blocks *blocks_open(const struct compression *compression, struct stream *in,
				  struct budget *budget, bool (*read_block)(struct blocks *blocks))
{
	struct blocks *blocks = text_memory(calloc(1, sizeof(*blocks)));

	stream_init(&blocks->decoder.stream, blocks_more, blocks_close);
	blocks->decoder.stream.what = compression->name;
	blocks->decoder.compression = compression;
	blocks->decoder.in = in;
	blocks->decoder.budget = budget;
	blocks->read_block = read_block;
	return blocks;
}

/*
 * The size of the compressed block, the lowest byte first, and the block. All but the
 * last are of 8 MiB; what follows a shorter one, or is no size, is something else.
 */
static bool lz4_legacy_block(struct blocks *blocks)
{
	struct stream *in = blocks->decoder.in;
	uint32_t size;
	int got;

	if (!stream_ahead(in, 4))
		return false;
	size = in->at[0] | in->at[1] << 8 | in->at[2] << 16 | (uint32_t)in->at[3] << 24;
	if (size == 0 || size > LZ4_COMPRESSBOUND(LZ4_LEGACY_BLOCK))
		return false;
	if (!skip(blocks, 4) || !take(blocks, size, LZ4_LEGACY_BLOCK))
		return false;
	got = LZ4_decompress_safe((char *)blocks->packed.at, (char *)blocks->block.at, (int)size,
				  LZ4_LEGACY_BLOCK);
	if (got <= 0)
		return damaged(blocks);
	blocks->block.size = (size_t)got;
	blocks->last = blocks->block.size < LZ4_LEGACY_BLOCK;
	return true;
}

struct stream *open_lz4_legacy(const struct compression *compression, struct stream *in,
			       struct budget *budget)
{
	struct blocks *blocks = blocks_open(compression, in, budget, lz4_legacy_block);

	skip(blocks, 4);
	return &blocks->decoder.stream;
}

/* Is the block what these checksums say? */
static bool lzop_intact(const struct blocks *blocks, uint32_t adler, uint32_t crc)
{
	const struct bytes *block = &blocks->block;

	return (!(blocks->flags & LZOP_ADLER32) || adler32_z(1, block->at, block->size) == adler) &&
	       (!(blocks->flags & LZOP_CRC32) || crc32_z(0, block->at, block->size) == crc);
}

/* A block that would not get smaller is stored as it is, without a second checksum. */
static bool lzop_unpack(struct blocks *blocks, uint32_t size)
{
	lzo_uint got = size;

	if (blocks->packed.size == size)
		memcpy(blocks->block.at, blocks->packed.at, size);
	else if (lzo1x_decompress_safe(blocks->packed.at, blocks->packed.size, blocks->block.at,
				       &got, NULL) != LZO_E_OK)
		return false;
	blocks->block.size = got;
	return got == size;
}

static bool lzop_block(struct blocks *blocks)
{
	uint32_t size, packed, adler = 0, crc = 0, flags = blocks->flags;
	size_t more;

	if (!number(blocks, 4, &size) || size == 0)
		return false;
	if (!number(blocks, 4, &packed))
		return false;
	if (size > LZOP_BLOCK_MAX || packed > size || packed == 0)
		return damaged(blocks);
	if ((flags & LZOP_ADLER32 && !number(blocks, 4, &adler)) ||
	    (flags & LZOP_CRC32 && !number(blocks, 4, &crc)))
		return false;
	more = packed == size ? 0
			      : (flags & LZOP_ADLER32_PACKED ? 4 : 0) +
					(flags & LZOP_CRC32_PACKED ? 4 : 0);
	if (!skip(blocks, more) || !take(blocks, packed, size))
		return false;
	if (!lzop_unpack(blocks, size) || !lzop_intact(blocks, adler, crc)) {
		blocks->block.size = 0;
		return damaged(blocks);
	}
	return true;
}

/*
 * The header behind the magic: version, library's version, [version needed], method,
 * [level], flags, [filter], mode, time, [its upper half], the length of the name, the
 * name, a checksum, [an extra field]. Those in brackets are not always there.
 */
static bool lzop_header(struct blocks *blocks)
{
	uint32_t version, method, length;
	bool newer;

	if (!skip(blocks, 9) || !number(blocks, 2, &version))
		return false;
	newer = version >= 0x0940;
	if (!skip(blocks, newer ? 4 : 2) || !number(blocks, 1, &method))
		return false;
	if (method < 1 || method > 3) /* lzo1x-1, lzo1x-1-15, lzo1x-999 */
		return damaged(blocks);
	if (!skip(blocks, newer ? 1 : 0) || !number(blocks, 4, &blocks->flags))
		return false;
	if (blocks->flags & LZOP_FILTER) /* lzop itself never sets it */
		return damaged(blocks);
	if (!skip(blocks, newer ? 12 : 8) || !number(blocks, 1, &length))
		return false;
	if (!skip(blocks, length + 4))
		return false;
	if (!(blocks->flags & LZOP_EXTRA_FIELD))
		return true;
	return number(blocks, 4, &length) && skip(blocks, (size_t)length + 4);
}

struct stream *open_lzop(const struct compression *compression, struct stream *in,
			 struct budget *budget)
{
	struct blocks *blocks = blocks_open(compression, in, budget, lzop_block);

	lzop_header(blocks);
	return &blocks->decoder.stream;
}

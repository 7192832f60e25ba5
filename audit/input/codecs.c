/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The compressions whose libraries take and give bytes in pieces of any size: gzip,
 * bzip2, lzma, xz, zstd and lz4's frames.
 */
#include <bzlib.h>
#include <limits.h>
#include <lz4frame.h>
#include <lzma.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "text.h"
#include "unpack.h"

/* The kernel's build asks for dictionaries of at most 128 MiB (scripts/xz_wrap.sh). */
#define XZ_MEMORY_MAX ((uint64_t)192 << 20)
/* zstd --ultra -22 has windows of 128 MiB: two to the power of 27. */
#define ZSTD_WINDOW_LOG_MAX 27

static unsigned int at_most_int(size_t size)
{
	return size < INT_MAX ? (unsigned int)size : INT_MAX;
}

static void *gzip_begin(void)
{
	z_stream *z = text_memory(calloc(1, sizeof(*z)));

	if (inflateInit2(z, MAX_WBITS + 16) != Z_OK) /* 16: the header of gzip */
		text_memory(NULL);
	return z;
}

static enum step gzip_step(void *state, struct piece *piece)
{
	z_stream *z = state;
	unsigned int in = at_most_int(piece->in_left), out = at_most_int(piece->out_left);
	int result;

	z->next_in = (unsigned char *)piece->in;
	z->avail_in = in;
	z->next_out = piece->out;
	z->avail_out = out;
	result = inflate(z, Z_NO_FLUSH);
	piece->in_left -= in - z->avail_in;
	piece->out_left -= out - z->avail_out;
	if (result == Z_STREAM_END)
		return STEP_ENDS;
	return result == Z_OK || result == Z_BUF_ERROR ? STEP_MORE : STEP_DAMAGED;
}

static bool gzip_again(void *state)
{
	return inflateReset(state) == Z_OK;
}

static void gzip_end(void *state)
{
	inflateEnd(state);
	free(state);
}

static void *bzip2_begin(void)
{
	bz_stream *bz = text_memory(calloc(1, sizeof(*bz)));

	if (BZ2_bzDecompressInit(bz, 0, 0) != BZ_OK)
		text_memory(NULL);
	return bz;
}

static enum step bzip2_step(void *state, struct piece *piece)
{
	bz_stream *bz = state;
	unsigned int in = at_most_int(piece->in_left), out = at_most_int(piece->out_left);
	int result;

	bz->next_in = (char *)piece->in;
	bz->avail_in = in;
	bz->next_out = (char *)piece->out;
	bz->avail_out = out;
	result = BZ2_bzDecompress(bz);
	piece->in_left -= in - bz->avail_in;
	piece->out_left -= out - bz->avail_out;
	if (result == BZ_MEM_ERROR)
		text_memory(NULL);
	if (result == BZ_STREAM_END)
		return STEP_ENDS;
	return result == BZ_OK ? STEP_MORE : STEP_DAMAGED;
}

static bool bzip2_again(void *state)
{
	BZ2_bzDecompressEnd(state);
	return BZ2_bzDecompressInit(state, 0, 0) == BZ_OK;
}

static void bzip2_end(void *state)
{
	BZ2_bzDecompressEnd(state);
	free(state);
}

static void *lzma_state(lzma_ret (*init)(lzma_stream *lzma))
{
	lzma_stream *lzma = text_memory(malloc(sizeof(*lzma)));

	*lzma = (lzma_stream)LZMA_STREAM_INIT;
	if (init(lzma) != LZMA_OK)
		text_memory(NULL);
	return lzma;
}

static lzma_ret lzma_init(lzma_stream *lzma)
{
	return lzma_alone_decoder(lzma, XZ_MEMORY_MAX);
}

static void *lzma_begin(void)
{
	return lzma_state(lzma_init);
}

static lzma_ret xz_init(lzma_stream *lzma)
{
	return lzma_stream_decoder(lzma, XZ_MEMORY_MAX, 0);
}

static void *xz_begin(void)
{
	return lzma_state(xz_init);
}

static enum step lzma_step(void *state, struct piece *piece)
{
	lzma_stream *lzma = state;
	lzma_ret result;

	lzma->next_in = piece->in;
	lzma->avail_in = piece->in_left;
	lzma->next_out = piece->out;
	lzma->avail_out = piece->out_left;
	result = lzma_code(lzma, LZMA_RUN);
	piece->in_left = lzma->avail_in;
	piece->out_left = lzma->avail_out;
	switch (result) {
	case LZMA_OK:
	case LZMA_BUF_ERROR:
		return STEP_MORE;
	case LZMA_STREAM_END:
		return STEP_ENDS;
	case LZMA_MEM_ERROR:
	case LZMA_MEMLIMIT_ERROR:
	case LZMA_OPTIONS_ERROR:
		return STEP_BEYOND;
	default:
		return STEP_DAMAGED;
	}
}

static bool xz_again(void *state)
{
	return xz_init(state) == LZMA_OK;
}

static void xz_end(void *state)
{
	lzma_end(state);
	free(state);
}

static void *zstd_begin(void)
{
	ZSTD_DCtx *zstd = text_memory(ZSTD_createDCtx());

	ZSTD_DCtx_setParameter(zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG_MAX);
	return zstd;
}

static enum step zstd_step(void *state, struct piece *piece)
{
	ZSTD_inBuffer in = {piece->in, piece->in_left, 0};
	ZSTD_outBuffer out = {piece->out, piece->out_left, 0};
	size_t result = ZSTD_decompressStream(state, &out, &in);

	piece->in_left -= in.pos;
	piece->out_left -= out.pos;
	if (!ZSTD_isError(result))
		return result ? STEP_MORE : STEP_ENDS;
	switch (ZSTD_getErrorCode(result)) {
	case ZSTD_error_memory_allocation:
	case ZSTD_error_frameParameter_windowTooLarge:
		return STEP_BEYOND;
	default:
		return STEP_DAMAGED;
	}
}

static bool zstd_again(void *state)
{
	return !ZSTD_isError(ZSTD_DCtx_reset(state, ZSTD_reset_session_only));
}

static void zstd_end(void *state)
{
	ZSTD_freeDCtx(state);
}

static void *lz4_begin(void)
{
	LZ4F_dctx *lz4;

	if (LZ4F_isError(LZ4F_createDecompressionContext(&lz4, LZ4F_VERSION)))
		text_memory(NULL);
	return lz4;
}

static enum step lz4_step(void *state, struct piece *piece)
{
	size_t in = piece->in_left, out = piece->out_left;
	size_t result = LZ4F_decompress(state, piece->out, &out, piece->in, &in, NULL);

	if (LZ4F_isError(result))
		return STEP_DAMAGED;
	piece->in_left -= in;
	piece->out_left -= out;
	return result ? STEP_MORE : STEP_ENDS;
}

static bool lz4_again(void *state)
{
	LZ4F_resetDecompressionContext(state);
	return true;
}

static void lz4_end(void *state)
{
	LZ4F_freeDecompressionContext(state);
}

const struct codec codec_gzip = {gzip_begin, gzip_step, gzip_again, gzip_end};
const struct codec codec_bzip2 = {bzip2_begin, bzip2_step, bzip2_again, bzip2_end};
const struct codec codec_lzma = {lzma_begin, lzma_step, NULL, xz_end};
const struct codec codec_xz = {xz_begin, lzma_step, xz_again, xz_end};
const struct codec codec_zstd = {zstd_begin, zstd_step, zstd_again, zstd_end};
const struct codec codec_lz4 = {lz4_begin, lz4_step, lz4_again, lz4_end};

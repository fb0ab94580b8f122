#include "io/decompress_format.h"

#ifdef HAVE_ZSTD
#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

/* WINDOW_LOG_MAX is the binary logarithm of the largest window that a frame may use, the default of zstd -d. */
enum { WINDOW_LOG_MAX = 27, BLOCK_HEADER = 3 };

struct decoder {
	ZSTD_DCtx *ctx;
	size_t wanted; /* number of bytes of input that libzstd requested last */
};

static void reset_zstd(void *state)
{
	struct decoder *z = state;

	z->wanted = ZSTD_initDStream(z->ctx);
}

static void *new_zstd(int bits)
{
	struct decoder *z = mem_zero(1, sizeof *z);

	(void)bits;
	z->ctx = ZSTD_createDCtx();
	if (!z->ctx || ZSTD_isError(ZSTD_DCtx_setParameter(z->ctx, ZSTD_d_windowLogMax, WINDOW_LOG_MAX)))
		mem_exhausted("zstd");
	reset_zstd(z);
	return z;
}

static struct fault fault_of(size_t error)
{
	switch (ZSTD_getErrorCode(error)) {
	case ZSTD_error_memory_allocation:
		return (struct fault){.what = "zstd", .error = ENOMEM};
	case ZSTD_error_frameParameter_windowTooLarge:
		return (struct fault){.error = FAULT_REFUSED,
		    .what = "zstd data needs a window larger than 128 MiB; run: zstd -dc --long=31 FILE | ..."};
	case ZSTD_error_dictionary_wrong:
		return (struct fault){.error = FAULT_REFUSED,
		    .what = "zstd data needs a dictionary; run: zstd -dc -D DICTIONARY FILE | ..."};
	default:
		return (struct fault){.what = "zstd data is damaged; only the data before the damage was read"};
	}
}

/*
 * If a call of libzstd fails, it does not report what it wrote before the error. So each call gets at most one unit of
 * input (a header, a block or a checksum), and no input as long as output is pending. Before a block, libzstd requests
 * as many bytes as the block and the header after it have together.
 */
static enum decompress_step decode_zstd(void *state, struct decompress_data *d, struct fault *f)
{
	struct decoder *z = state;
	size_t one = z->wanted > BLOCK_HEADER ? z->wanted - BLOCK_HEADER : z->wanted;
	ZSTD_inBuffer in = {d->in, d->full ? 0 : one < d->n ? one : d->n, 0};
	ZSTD_outBuffer out = {d->out, d->room, 0};

	z->wanted = ZSTD_decompressStream(z->ctx, &out, &in);
	d->in += in.pos;
	d->n -= in.pos;
	d->out += out.pos;
	d->room -= out.pos;
	if (ZSTD_isError(z->wanted)) {
		*f = fault_of(z->wanted);
		return DECOMPRESS_FAILED;
	}
	return z->wanted ? DECOMPRESS_MORE : DECOMPRESS_END;
}

static void free_zstd(void *state)
{
	struct decoder *z = state;

	ZSTD_freeDCtx(z->ctx);
	free(z);
}
#endif

/* The magics of a frame and of a skippable frame, which some writers put at the beginning. */
const struct decompress_format decompress_zstd = {
    .magics = {{"\x28\xb5\x2f\xfd", 4, 0xff}, {"\x50\x2a\x4d\x18", 4, 0xf0}},
#ifdef HAVE_ZSTD
    .new = new_zstd,
    .reset = reset_zstd,
    .decode = decode_zstd,
    .free = free_zstd,
#endif
    .lacking = "this build cannot read zstd data (no libzstd); run: zstd -dc FILE | ...",
    .cut = "zstd data is cut short; only the data before the cut was read",
    .garbage = "garbage after the zstd data; only the data before it was read",
};

#include "io/decompress_format.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

static void *new_gzip(int bits)
{
	z_stream *z = mem_zero(1, sizeof *z);

	if (inflateInit2(z, bits) != Z_OK)
		mem_exhausted("inflate");
	return z;
}

static void reset_gzip(void *state)
{
	(void)inflateReset(state);
}

static enum decompress_step decode_gzip(void *state, struct decompress_data *d, struct fault *f)
{
	z_stream *z = state;
	int r;

	z->next_in = d->in;
	z->avail_in = (unsigned)d->n;
	z->next_out = d->out;
	z->avail_out = (unsigned)d->room;
	r = inflate(z, Z_NO_FLUSH);
	d->in = z->next_in;
	d->n = z->avail_in;
	d->out = z->next_out;
	d->room = z->avail_out;
	switch (r) {
	case Z_OK:
	case Z_BUF_ERROR:
		return DECOMPRESS_MORE;
	case Z_STREAM_END:
		return DECOMPRESS_END;
	case Z_MEM_ERROR:
		*f = (struct fault){.what = "inflate", .error = ENOMEM};
		return DECOMPRESS_FAILED;
	default:
		*f = (struct fault){.what = "gzip data is damaged; only the data before the damage was read"};
		return DECOMPRESS_FAILED;
	}
}

static void free_gzip(void *state)
{
	inflateEnd(state);
	free(state);
}

/* `bits` is the binary logarithm of the window; zlib adds 16 to it for gzip, and negates it for data without header. */
const struct decompress_format decompress_gzip = {
    .bits = 15 + 16,
    .magics = {{"\x1f\x8b", 2, 0xff}},
    .new = new_gzip,
    .reset = reset_gzip,
    .decode = decode_gzip,
    .free = free_gzip,
    .cut = "gzip data is cut short; only the data before the cut was read",
    .garbage = "garbage after the gzip data; ignored",
    .padded = true,
};

const struct decompress_format decompress_zlib = {
    .bits = 15,
    .new = new_gzip,
    .decode = decode_gzip,
    .free = free_gzip,
};

const struct decompress_format decompress_deflate = {
    .bits = -15,
    .new = new_gzip,
    .decode = decode_gzip,
    .free = free_gzip,
};

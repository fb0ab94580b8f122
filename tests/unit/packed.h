/*
 * packed: writes and reads gzip and zstd data with only zlib and libzstd. It reads one byte at a time: slow, but
 * simple.
 */
#ifndef PACKED_H
#define PACKED_H

#include "test.h"

#include "base/mem.h"
#include "samples.h"

#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

/* How packed data ends. */
enum packed_end {
	PACKED_PADDED = 1,
	PACKED_WHOLE = 0,
	PACKED_CUT = -1,
	PACKED_DAMAGED = -2,
	PACKED_REFUSED = -3,
	PACKED_GARBAGE = -4,
};

struct packer {
	const char *name;
	size_t magic; /* number of bytes that identify the format */
	size_t loose; /* if an uncompressed block is damaged, up to this many bytes before the damage may be missing */
	void (*add)(struct buf *to, struct str s); /* appends one more member */
	int (*slow)(struct str s, struct buf *to); /* gets all content up to the first fault; returns a packed_end */
};

/* Appends the compressed form of s. `bits` is the window of zlib, as for deflateInit2(). */
static inline void deflate_add(struct buf *to, struct str s, int level, int bits)
{
	z_stream z = {0};
	size_t room = s.n + 1000;

	CHECK(deflateInit2(&z, level, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY) == Z_OK);
	z.next_in = (unsigned char *)s.p;
	z.avail_in = (unsigned)s.n;
	z.next_out = (unsigned char *)buf_room(to, room);
	z.avail_out = (unsigned)room;
	CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
	to->n += z.total_out;
	deflateEnd(&z);
}

static inline void gzip_add(struct buf *to, struct str s)
{
	deflate_add(to, s, (int)(1 + random_below(9)), 15 + 16);
}

static inline int gzip_slow(struct str s, struct buf *to)
{
	z_stream z = {0};
	bool between = false;
	size_t i;
	int r = Z_OK;

	CHECK(inflateInit2(&z, 15 + 16) == Z_OK);
	to->n = 0;
	for (i = 0; i < s.n && (r == Z_OK || r == Z_BUF_ERROR); i++) {
		if (between && (i + 1 >= s.n || s.p[i] != '\x1f' || s.p[i + 1] != '\x8b')) {
			inflateEnd(&z);
			return PACKED_PADDED;
		}
		between = false;
		z.next_in = (unsigned char *)s.p + i;
		z.avail_in = 1;
		do {
			z.next_out = (unsigned char *)buf_room(to, 70000);
			z.avail_out = 70000;
			r = inflate(&z, Z_NO_FLUSH);
			to->n += 70000 - z.avail_out;
		} while (r == Z_OK && !z.avail_out);
		if (r == Z_STREAM_END) {
			between = true;
			r = inflateReset(&z);
		}
	}
	inflateEnd(&z);
	return r != Z_OK && r != Z_BUF_ERROR ? PACKED_DAMAGED : between ? PACKED_WHOLE : PACKED_CUT;
}

#ifdef HAVE_ZSTD
static inline void zstd_add(struct buf *to, struct str s)
{
	ZSTD_CCtx *c = ZSTD_createCCtx();
	size_t room = ZSTD_compressBound(s.n), n;

	ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
	ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, (int)(1 + random_below(9)));
	n = ZSTD_compress2(c, buf_room(to, room), room, s.p, s.n);
	CHECK(!ZSTD_isError(n));
	to->n += n;
	ZSTD_freeCCtx(c);
}

/* Returns how many of the n bytes at p (at most 4) match the beginning of a frame, skippable or not. */
static inline size_t zstd_magic(const char *p, size_t n)
{
	size_t frame = 0, skipped = 0;

	while (frame < 4 && frame < n && p[frame] == "\x28\xb5\x2f\xfd"[frame])
		frame++;
	if (n && p[0] >= 0x50 && p[0] < 0x60)
		skipped = 1;
	while (skipped && skipped < 4 && skipped < n && p[skipped] == "\x50\x2a\x4d\x18"[skipped])
		skipped++;
	return frame > skipped ? frame : skipped;
}

static inline int zstd_slow(struct str s, struct buf *to)
{
	ZSTD_DCtx *d = ZSTD_createDCtx();
	bool between = false;
	size_t i, n, r = 1;
	int end = PACKED_WHOLE;

	to->n = 0;
	for (i = 0; i < s.n && end == PACKED_WHOLE; i++) {
		ZSTD_inBuffer in = {s.p + i, 1, 0};
		ZSTD_outBuffer out = {buf_room(to, 200000), 200000, 0};

		n = s.n - i < 4 ? s.n - i : 4;
		if (between && zstd_magic(s.p + i, n) < n) {
			end = PACKED_GARBAGE;
		} else if (between && n < 4) {
			end = PACKED_CUT;
		} else {
			/* One byte of input can complete at most one block of up to 128 KiB; `out` has room for it. */
			r = ZSTD_decompressStream(d, &out, &in);
			if (!ZSTD_isError(r))
				to->n += out.pos;
			else if (ZSTD_getErrorCode(r) == ZSTD_error_frameParameter_windowTooLarge ||
				 ZSTD_getErrorCode(r) == ZSTD_error_dictionary_wrong)
				end = PACKED_REFUSED;
			else
				end = PACKED_DAMAGED;
			between = r == 0;
		}
	}
	ZSTD_freeDCtx(d);
	return end != PACKED_WHOLE ? end : between ? PACKED_WHOLE : PACKED_CUT;
}
#endif

static const struct packer packers[] = {
    {"gzip", 2, 0, gzip_add, gzip_slow},
#ifdef HAVE_ZSTD
    {"zstd", 4, 14, zstd_add, zstd_slow},
#endif
};

enum { PACKERS = sizeof packers / sizeof *packers };

#endif

/*
 * gzip_reading: reads gzip data in two ways, with the inflater of this build and with zlib alone. Without ISA-L, both
 * are zlib.
 */
#ifndef GZIP_READING_H
#define GZIP_READING_H

#include "base/mem.h"
#include "base/str.h"
#include "io/decompress_format.h"

#include <zlib.h>

enum gzip_end { GZIP_WHOLE, GZIP_CUT, GZIP_DAMAGED };

/* The result: the content, how it ended, and the number of input bytes after the last member, or after the damage. */
struct gzip_got {
	struct buf content;
	enum gzip_end end;
	size_t left;
};

static inline bool gzip_begins(struct str s)
{
	return str_starts(s, STR("\x1f\x8b"));
}

/* The input is passed in pieces, and the output has this room, in each call. */
static inline void gzip_read(struct str s, size_t piece, size_t room, struct gzip_got *got)
{
	static void *state; /* it is large, so it is used again */
	struct decompress_data d = {0};
	enum decompress_step step = DECOMPRESS_MORE;
	struct fault f;

	if (!state)
		state = decompress_gzip.new(decompress_gzip.bits);
	else
		decompress_gzip.reset(state);
	got->content.n = 0;
	while (step != DECOMPRESS_FAILED) {
		if (!d.n && !d.full) {
			d.in = (unsigned char *)s.p;
			d.n = s.n < piece ? s.n : piece;
			d.last = !d.n;
			s = str_from(s, d.n);
		}
		d.room = room;
		d.out = (unsigned char *)buf_room(&got->content, room);
		step = decompress_gzip.decode(state, &d, &f);
		got->content.n += room - d.room;
		d.full = !d.room;
		got->left = s.n + d.n;
		if (step == DECOMPRESS_MORE && d.last && !d.full)
			break;
		if (step == DECOMPRESS_END && !gzip_begins((struct str){s.p - d.n, got->left}))
			break;
		if (step == DECOMPRESS_END) {
			decompress_gzip.reset(state);
			d.full = false;
		}
	}
	got->end = step == DECOMPRESS_END ? GZIP_WHOLE : step == DECOMPRESS_MORE ? GZIP_CUT : GZIP_DAMAGED;
}

static inline void gzip_read_with_zlib(struct str s, struct gzip_got *got)
{
	enum { ROOM = 1 << 16 };
	z_stream z = {0};
	int r;

	(void)inflateInit2(&z, 15 + 16);
	z.next_in = (unsigned char *)s.p;
	z.avail_in = (unsigned)s.n;
	got->content.n = 0;
	do {
		z.next_out = (unsigned char *)buf_room(&got->content, ROOM);
		z.avail_out = ROOM;
		r = inflate(&z, Z_NO_FLUSH);
		got->content.n += ROOM - z.avail_out;
		if (r == Z_STREAM_END && gzip_begins(str_from(s, s.n - z.avail_in)))
			r = inflateReset(&z);
	} while (r == Z_OK);
	got->left = z.avail_in;
	got->end = r == Z_STREAM_END ? GZIP_WHOLE : r == Z_BUF_ERROR ? GZIP_CUT : GZIP_DAMAGED;
	inflateEnd(&z);
}

/*
 * Returns whether both ways of reading gave the same. The place of damage may differ by the bytes that zlib reads
 * ahead.
 */
static inline bool gzip_same(const struct gzip_got *a, const struct gzip_got *b)
{
	const size_t slack = a->end == GZIP_DAMAGED ? 8 : 0;

	return a->end == b->end && a->left <= b->left + slack && b->left <= a->left + slack &&
	       a->content.n == b->content.n && (!a->content.n || memcmp(a->content.p, b->content.p, a->content.n) == 0);
}

#endif

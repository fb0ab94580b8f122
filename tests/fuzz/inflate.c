/*
 * fuzz target: the inflaters of this build agree with the libraries zlib and libzstd, called directly. The first byte
 * selects the format, the header, the pieces of input, and the room for output (fuzz.h describes how to run it).
 */
#include "fuzz.h"

#include "gzip_reading.h"
#include "io/decompress.h"

#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

enum { HEADER = 1, PIECE = 1, ROOM = 3, FORMAT = 5 }; /* HEADER is a bit; the others are the lowest bits of numbers */
enum format { GZIP, ZSTD, ZLIB, DEFLATE };
enum { CONTENT_MOST = 1 << 22, STEP = 4096, WINDOW_LOG_MAX = 27 };

static const size_t pieces[] = {1, 3, 100, SIZE_MAX}, rooms[] = {10, 1000, 65536, 1 << 18};

static void try_gzip(struct str s, uint8_t how)
{
	struct gzip_got got = {0}, want = {0};

	gzip_read(s, pieces[how >> PIECE & 3], rooms[how >> ROOM & 3], &got);
	gzip_read_with_zlib(s, &want);
	HOLD(gzip_same(&got, &want));
	buf_free(&got.content);
	buf_free(&want.content);
}

/* Reads a block with zlib alone. Returns whether it is whole and not too large. */
static bool inflate_block(struct str s, int bits, struct buf *to)
{
	z_stream z = {.next_in = (unsigned char *)(uintptr_t)s.p, .avail_in = (unsigned)s.n};
	int r;

	HOLD(inflateInit2(&z, bits) == Z_OK);
	do {
		z.next_out = (unsigned char *)buf_room(to, STEP);
		z.avail_out = STEP;
		r = inflate(&z, Z_NO_FLUSH);
		to->n += STEP - z.avail_out;
	} while (r == Z_OK && to->n <= CONTENT_MOST);
	inflateEnd(&z);
	return r == Z_STREAM_END && to->n <= CONTENT_MOST;
}

/* Before damage, the contents are equal; how much of it each library has written then depends on its pieces. */
static void compare(bool read, const struct buf *got, bool good, const struct buf *want)
{
	const size_t n = got->n < want->n ? got->n : want->n;

	HOLD(read == good);
	HOLD(!read || got->n == want->n);
	HOLD(!n || memcmp(got->p, want->p, n) == 0);
}

static void check_block(enum decompress_block kind, struct str s, bool good, const struct buf *want)
{
	struct buf got = {0};
	struct fault f = {0};
	const bool read = decompress_block(kind, s, CONTENT_MOST, &got, &f);

	HOLD((read || f.what) && got.n <= CONTENT_MOST);
	compare(read, &got, good, want);
	buf_free(&got);
}

static void try_deflated_block(struct str s, enum decompress_block kind, int bits)
{
	struct buf want = {0};

	check_block(kind, s, inflate_block(s, bits, &want), &want);
	buf_free(&want);
}

#ifdef HAVE_ZSTD

/*
 * Reads frames with libzstd alone, or only the first one, byte by byte: a whole frame in one call takes another way
 * through libzstd, which rejects some damaged frames that this way accepts. Returns whether all are whole and not too
 * large.
 */
static bool unpack_zstd(struct str s, bool one, struct buf *to)
{
	ZSTD_DCtx *ctx = ZSTD_createDCtx();
	ZSTD_inBuffer in = {s.p, 0, 0};
	ZSTD_outBuffer out;
	size_t left = 1;

	HOLD(ctx && !ZSTD_isError(ZSTD_DCtx_setParameter(ctx, ZSTD_d_windowLogMax, WINDOW_LOG_MAX)));
	do {
		in.size += in.pos == in.size && in.size < s.n;
		out = (ZSTD_outBuffer){buf_room(to, STEP), STEP, 0};
		left = ZSTD_decompressStream(ctx, &out, &in);
		to->n += ZSTD_isError(left) ? 0 : out.pos;
	} while (
	    !ZSTD_isError(left) && to->n <= CONTENT_MOST && (left ? in.pos < s.n || out.pos : !one && in.pos < s.n));
	ZSTD_freeDCtx(ctx);
	return left == 0 && to->n <= CONTENT_MOST;
}

/* Reads frames as lib/io/decompress does. Returns whether all are whole and not too large. */
static bool read_zstd(struct str s, size_t piece, size_t room, struct buf *to)
{
	static void *state;
	struct decompress_data d = {0};
	enum decompress_step step = DECOMPRESS_END;
	struct fault f = {0};

	if (!state)
		state = decompress_zstd.new(decompress_zstd.bits);
	while (step != DECOMPRESS_FAILED && to->n <= CONTENT_MOST) {
		if (!d.n && !d.full) {
			d.in = (unsigned char *)(uintptr_t)s.p;
			d.n = s.n < piece ? s.n : piece;
			s = str_from(s, d.n);
			if (!d.n)
				break;
		}
		if (step == DECOMPRESS_END)
			decompress_zstd.reset(state);
		d.room = room;
		d.out = (unsigned char *)buf_room(to, room);
		step = decompress_zstd.decode(state, &d, &f);
		to->n += room - d.room;
		d.full = !d.room && step == DECOMPRESS_MORE;
	}
	HOLD(step != DECOMPRESS_FAILED || f.what);
	return step == DECOMPRESS_END && to->n <= CONTENT_MOST;
}

static void try_zstd(struct str s, uint8_t how)
{
	struct buf got = {0}, want = {0};
	const bool good = unpack_zstd(s, false, &want);

	compare(read_zstd(s, pieces[how >> PIECE & 3], rooms[how >> ROOM & 3], &got), &got, good, &want);
	want.n = 0;
	check_block(DECOMPRESS_BLOCK_ZSTD, s, unpack_zstd(s, true, &want), &want);
	buf_free(&got);
	buf_free(&want);
}

#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t how = size ? data[0] : 0;
	const enum format format = how >> FORMAT & 3;
	struct buf b = {0};
	struct str s;

	if (how & HEADER && format == GZIP)
		buf_lit(&b, "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03");
	if (how & HEADER && format == ZSTD)
		buf_lit(&b, "\x28\xb5\x2f\xfd");
	if (size > 1)
		buf_add(&b, data + 1, size - 1);
	s = buf_str(&b);
	if (s.n && format == GZIP)
		try_gzip(s, how);
	if (s.n && format == ZLIB)
		try_deflated_block(s, DECOMPRESS_BLOCK_ZLIB, 15);
	if (s.n && format == DEFLATE)
		try_deflated_block(s, DECOMPRESS_BLOCK_DEFLATE, -15);
#ifdef HAVE_ZSTD
	if (s.n && format == ZSTD)
		try_zstd(s, how);
#endif
	buf_free(&b);
	return 0;
}

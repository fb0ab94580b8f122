/*
 * decompress_gzip: the inflater of this build, which may be ISA-L, gives the same content and the same end as zlib: for
 * all kinds of blocks and headers, for every cut, and for flipped bits, in pieces of every size.
 */
#include "test.h"

#include "gzip_reading.h"
#include "samples.h"

/* How a sample is compressed. */
struct way {
	const char *name;
	int level, memory, strategy;
	int flush; /* after each quarter of the content */
	enum kind { RECORDS, DENSE, LETTERS } kind;
	bool header;
	size_t content;
};

static const struct way ways[] = {
    {"level 1", 1, 8, Z_DEFAULT_STRATEGY, Z_NO_FLUSH, RECORDS, false, 1500},
    {"level 6", 6, 8, Z_DEFAULT_STRATEGY, Z_NO_FLUSH, RECORDS, false, 1500},
    {"level 9", 9, 9, Z_DEFAULT_STRATEGY, Z_NO_FLUSH, RECORDS, true, 1500},
    {"stored", 0, 8, Z_DEFAULT_STRATEGY, Z_NO_FLUSH, RECORDS, false, 300},
    {"fixed codes", 6, 8, Z_FIXED, Z_NO_FLUSH, RECORDS, false, 1500},
    {"no distances", 6, 8, Z_HUFFMAN_ONLY, Z_NO_FLUSH, RECORDS, true, 700},
    {"distance 1", 6, 8, Z_RLE, Z_NO_FLUSH, DENSE, false, 7000},
    {"short blocks", 6, 1, Z_DEFAULT_STRATEGY, Z_NO_FLUSH, RECORDS, false, 8000},
    {"empty stored blocks", 6, 8, Z_DEFAULT_STRATEGY, Z_SYNC_FLUSH, RECORDS, true, 1500},
    {"empty fixed blocks", 6, 8, Z_DEFAULT_STRATEGY, Z_PARTIAL_FLUSH, RECORDS, false, 1500},
    {"independent blocks", 6, 8, Z_DEFAULT_STRATEGY, Z_FULL_FLUSH, RECORDS, false, 1500},
    {"empty", 6, 8, Z_DEFAULT_STRATEGY, Z_NO_FLUSH, RECORDS, true, 0},
    /* codes of two bits, of which ISA-L decodes several at once if more than 2 KiB of input follow */
    {"short codes", 6, 8, Z_HUFFMAN_ONLY, Z_NO_FLUSH, LETTERS, false, 12000},
    /* larger than the window of 32 KiB and the buffers of ISA-L; cut and damaged at random places only */
    {"large", 6, 8, Z_DEFAULT_STRATEGY, Z_NO_FLUSH, RECORDS, false, 300000},
    {"large, short blocks", 6, 1, Z_DEFAULT_STRATEGY, Z_NO_FLUSH, RECORDS, false, 200000},
    {"large, fixed codes", 6, 8, Z_FIXED, Z_NO_FLUSH, RECORDS, false, 150000},
    {"large, stored", 0, 8, Z_DEFAULT_STRATEGY, Z_NO_FLUSH, RECORDS, false, 200000},
    {"large, dense", 9, 9, Z_RLE, Z_SYNC_FLUSH, DENSE, false, 300000},
};

static const size_t pieces[] = {SIZE_MAX, 1, 7, 64, 1000};
static const size_t rooms[] = {1 << 18, 1000, 1 << 16, 77};

static struct buf content;
static struct gzip_got got, want;

/* Records with a few random bytes, so that some symbols are rare; long runs of one byte; or four letters. */
static void make_content(const struct way *w)
{
	size_t n;

	content.n = 0;
	while (content.n < w->content) {
		n = random_below(5000);
		if (w->kind == LETTERS)
			n = 0;
		else if (w->kind == DENSE)
			memset(buf_room(&content, n), 'a', n);
		else
			buf_add(&content, samples[0] + random_below(40), n = 50 + n % 200);
		content.n += w->kind == DENSE ? n : 0;
		buf_char(&content, w->kind == LETTERS ? "abcd"[random_below(4)] : random_byte());
	}
	content.n = w->content;
}

static void pack(const struct way *w, struct buf *to)
{
	gz_header header = {.extra = (unsigned char *)"extra field",
	    .extra_len = 11,
	    .name = (unsigned char *)"trace.json",
	    .comment = (unsigned char *)"a comment",
	    .hcrc = 1,
	    .text = 1};
	const size_t room = w->content + w->content / 2 + 1000;
	z_stream z = {0};
	int i;

	make_content(w);
	CHECK(deflateInit2(&z, w->level, Z_DEFLATED, 15 + 16, w->memory, w->strategy) == Z_OK);
	CHECK(!w->header || deflateSetHeader(&z, &header) == Z_OK);
	z.next_out = (unsigned char *)buf_room(to, room);
	z.avail_out = (unsigned)room;
	z.next_in = (unsigned char *)content.p;
	for (i = 0; i < 4; i++) {
		z.avail_in = (unsigned)(content.n * ((size_t)i + 1) / 4 - z.total_in);
		CHECK(deflate(&z, i < 3 ? w->flush : Z_FINISH) == (i < 3 ? Z_OK : Z_STREAM_END) || !content.n);
	}
	CHECK(!content.n || z.avail_out > 0);
	to->n += room - z.avail_out;
	deflateEnd(&z);
}

static bool is_large(const struct way *w)
{
	return w->content > 10000;
}

static void compare(const struct way *w, struct str s, size_t piece, size_t room)
{
	gzip_read_with_zlib(s, &want);
	gzip_read(s, piece, room, &got);
	CHECK_SHOW(gzip_same(&got, &want),
	    "%s, %zu bytes in pieces of %zu, room %zu: end %d at %zu, %zu left; zlib: end %d at %zu, %zu left", w->name,
	    s.n, piece, room, (int)got.end, got.content.n, got.left, (int)want.end, want.content.n, want.left);
}

/* Compares with pieces and room of all sizes, or of one random size. */
static void compare_sizes(const struct way *w, struct str s, bool all)
{
	const size_t n = sizeof pieces / sizeof *pieces * (sizeof rooms / sizeof *rooms), only = random_below(n);
	size_t i, piece;

	for (i = 0; i < n; i++) {
		piece = pieces[i % (sizeof pieces / sizeof *pieces)];
		/* ISA-L moves the window in each call, so tiny pieces of large samples take long. */
		if (piece < 64 && is_large(w))
			piece *= 499;
		if (all || i == only)
			compare(w, s, piece, rooms[i % (sizeof rooms / sizeof *rooms)]);
	}
}

static void test_way(const struct way *w)
{
	struct buf packed = {0};
	struct str s;
	size_t i, bit;

	pack(w, &packed);
	s = (struct str){packed.p, packed.n};
	compare_sizes(w, s, true);
	CHECK(got.end == GZIP_WHOLE && got.content.n == content.n && !got.left);
	CHECK(!content.n || memcmp(got.content.p, content.p, content.n) == 0);
	for (i = 2; i < s.n; i += is_large(w) ? 1 + random_below(s.n / 20) : 1)
		compare_sizes(w, str_head(s, i), false);
	for (i = 0; i < (is_large(w) ? 20 : 250); i++) {
		bit = 16 + random_below(8 * (packed.n - 2));
		packed.p[bit / 8] ^= (char)(1 << bit % 8);
		compare_sizes(w, s, false);
		packed.p[bit / 8] ^= (char)(1 << bit % 8);
	}
	buf_free(&packed);
}

/* Members one after the other, some empty; cut near each border, and with garbage at the end. */
static void test_members(void)
{
	struct buf packed = {0};
	size_t borders[12], n, i, at;

	for (n = 0; n < 12; n++) {
		pack(&ways[n], &packed);
		borders[n] = packed.n;
		compare(&ways[n], (struct str){packed.p, packed.n}, 1, 1000);
		CHECK_INT(want.end, GZIP_WHOLE);
	}
	for (i = 0; i + 1 < n; i++) {
		for (at = borders[i] - 10; at < borders[i] + 30; at++)
			compare_sizes(&ways[i], (struct str){packed.p, at}, false);
	}
	for (i = 0; i < 40; i++) {
		buf_char(&packed, i < 20 ? '\0' : random_byte());
		compare_sizes(&ways[0], (struct str){packed.p, packed.n}, false);
	}
	CHECK_INT(want.left, 40);
	buf_free(&packed);
}

/* Damage that ISA-L finds while decoded content does not fit in the room of the caller. */
static void test_full(void)
{
	const struct way w = {"large, full", 6, 8, Z_FIXED, Z_NO_FLUSH, RECORDS, false, 150000};
	struct buf packed = {0};
	size_t i, at;

	pack(&w, &packed);
	for (i = 0; i < 60; i++) {
		at = packed.n / 2 + random_below(packed.n / 2);
		packed.p[at] ^= 0x10;
		compare(&w, (struct str){packed.p, packed.n}, SIZE_MAX, 3000);
		packed.p[at] ^= 0x10;
	}
	buf_free(&packed);
}

/* Headers that zlib refuses: another method, unknown flags, a wrong CRC. */
static void test_headers(void)
{
	struct buf packed = {0};
	size_t i;
	char byte;

	pack(&ways[2], &packed);
	for (i = 0; i < 8 * 50; i++) {
		byte = packed.p[2 + i / 8];
		packed.p[2 + i / 8] ^= (char)(1 << i % 8);
		compare_sizes(&ways[2], (struct str){packed.p, packed.n}, false);
		packed.p[2 + i / 8] = byte;
	}
	buf_free(&packed);
}

/* Bits in their order in deflate data: the lowest bit of each byte first. */
static void add_bits(struct buf *b, size_t *at, unsigned bits, unsigned n)
{
	for (; n; n--, bits >>= 1, ++*at) {
		if (*at % 8 == 0)
			buf_char(b, '\0');
		b->p[b->n - 1] |= (char)((bits & 1) << *at % 8);
	}
}

/* Blocks that no compressor writes: random bits, after the header of a block of each type. */
static void test_random_blocks(void)
{
	struct buf b = {0};
	size_t i, j, at;

	for (i = 0; i < 600; i++) {
		b.n = 0;
		at = 0;
		buf_lit(&b, "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03");
		for (j = random_below(3); j; j--) { /* literals with fixed codes, and the end of the block */
			add_bits(&b, &at, 2, 3);
			add_bits(&b, &at, 0x2b5d & (0xffu >> 1 << 7), 14);
			add_bits(&b, &at, 0, 7);
		}
		add_bits(&b, &at, (unsigned)(i % 6), 3);
		for (j = 5 + random_below(100); j; j--)
			add_bits(&b, &at, random_byte() & 0xff, 8);
		compare_sizes(&ways[0], (struct str){b.p, b.n}, false);
	}
	buf_free(&b);
}

void unit_test(void)
{
	size_t i;

	for (i = 0; i < sizeof ways / sizeof *ways; i++)
		test_way(&ways[i]);
	test_members();
	test_full();
	test_headers();
	test_random_blocks();
	buf_free(&content);
	buf_free(&got.content);
	buf_free(&want.content);
}

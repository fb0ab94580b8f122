/*
 * decompress_block: content of every size up to the limit, and content that is cut short, damaged, or larger than the
 * limit.
 */
#include "test.h"

#include "packed.h"
#include "io/decompress.h"

/* One kind of compressed data, and a function that appends the compressed form of s. */
struct kind {
	const char *name;
	enum decompress_block kind;
	void (*add)(struct buf *to, struct str s);
};

static void add_zlib(struct buf *to, struct str s)
{
	deflate_add(to, s, 6, 15);
}

static void add_deflate(struct buf *to, struct str s)
{
	deflate_add(to, s, 6, -15);
}

static const struct kind kinds[] = {
    {"zlib", DECOMPRESS_BLOCK_ZLIB, add_zlib},
    {"deflate", DECOMPRESS_BLOCK_DEFLATE, add_deflate},
#ifdef HAVE_ZSTD
    {"zstd", DECOMPRESS_BLOCK_ZSTD, zstd_add},
#endif
};

/* Text that compresses well; `dense` text compresses to almost nothing. */
static void make_content(struct buf *b, size_t n, bool dense)
{
	size_t i;

	b->n = 0;
	for (i = 0; i < n; i++)
		buf_char(b, dense ? 'a' : (char)('a' + random_below(3)));
}

static struct buf packed, content, out;

/* Decompresses the first n bytes of the packed data to `out`, after two bytes that are there already. */
static bool unpack(const struct kind *k, size_t n, size_t max, struct fault *f)
{
	*f = (struct fault){0};
	out.n = 0;
	buf_lit(&out, "->");
	return decompress_block(k->kind, (struct str){packed.p, n}, max, &out, f);
}

/* Whether `out` has the first n bytes of the content after its first two bytes. */
static bool has(size_t n)
{
	return out.n == n + 2 && memcmp(out.p, "->", 2) == 0 && (!n || memcmp(out.p + 2, content.p, n) == 0);
}

/* Content of exactly `max` bytes is whole; of larger content, `max` bytes are returned. */
static void check_limit(const struct kind *k, size_t n, bool dense)
{
	struct fault f;

	make_content(&content, n, dense);
	packed.n = 0;
	k->add(&packed, (struct str){content.n ? content.p : "", content.n});
	CHECK_SHOW(unpack(k, packed.n, n, &f) && has(n), "%s, %zu bytes: %s", k->name, n, f.what ? f.what : "");
	CHECK_SHOW(unpack(k, packed.n, SIZE_MAX, &f) && has(n), "%s, %zu bytes", k->name, n);
	CHECK_SHOW(unpack(k, packed.n, n + 1, &f) && has(n), "%s, %zu bytes", k->name, n);
	if (!n)
		return;
	CHECK_SHOW(!unpack(k, packed.n, n - 1, &f) && has(n - 1), "%s, %zu bytes", k->name, n);
	CHECK_STR(str_of(f.what), "content of compressed data is larger than --max-record");
	CHECK_SHOW(!unpack(k, packed.n, 0, &f) && has(0), "%s, %zu bytes", k->name, n);
}

static void check_limits(const struct kind *k)
{
	static const size_t sizes[] = {0, 1, 2, 100, 65535, 65536, 65537, 131072, 200000};
	size_t i;

	for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		check_limit(k, sizes[i], false);
		check_limit(k, sizes[i], true);
	}
}

/* Every prefix gives a prefix of the content, and the last of them nearly all of it. */
static void check_cuts(const struct kind *k)
{
	struct fault f;
	size_t i, most = 0;

	make_content(&content, 3000, false);
	packed.n = 0;
	k->add(&packed, (struct str){content.p, content.n});
	for (i = 0; i < packed.n; i++) {
		CHECK_SHOW(
		    !unpack(k, i, 1 << 20, &f) && has(out.n - 2) && out.n - 2 >= most, "%s, cut at %zu", k->name, i);
		CHECK_STR(str_of(f.what), "compressed data is cut short");
		most = out.n - 2;
	}
	CHECK_SHOW(k->kind == DECOMPRESS_BLOCK_ZSTD || most > 2900, "%s: %zu bytes", k->name, most);
}

/* Damage never gives more than `max` bytes, and a failure has a reason. */
static void check_damage(const struct kind *k)
{
	struct fault f;
	size_t i, damaged = 0;
	char *p;

	make_content(&content, 3000, false);
	packed.n = 0;
	k->add(&packed, (struct str){content.p, content.n});
	for (i = 0; i < 8 * packed.n; i++) {
		p = packed.p + i / 8;
		*p = (char)(*p ^ 1 << i % 8);
		if (!unpack(k, packed.n, 4000, &f)) {
			damaged++;
			CHECK(f.what && !f.error);
		}
		CHECK(out.n <= 4002);
		*p = (char)(*p ^ 1 << i % 8);
	}
	/* Without a checksum, most damage of deflated data gives other content. */
	CHECK_SHOW(damaged > packed.n / 10, "%s: %zu of %zu", k->name, damaged, 8 * packed.n);
}

/* A few bytes that expand to 20 MB take memory in proportion to the limit only. */
static void check_bomb(const struct kind *k)
{
	struct fault f;

	make_content(&content, 20 * 1000 * 1000, true);
	packed.n = 0;
	k->add(&packed, (struct str){content.p, content.n});
	buf_free(&content);
	buf_free(&out);
	make_content(&content, 1000, true);
	CHECK_SHOW(!unpack(k, packed.n, 1000, &f) && has(1000), "%s", k->name);
	CHECK_SHOW(out.cap < 1 << 20, "%s: %zu", k->name, out.cap);
}

#ifdef HAVE_ZSTD
/* A frame whose header claims a content or a window of 2^60 bytes is refused without allocating them. */
static void check_claims(void)
{
	static const struct str frames[] = {
	    {"\x28\xb5\x2f\xfd\xe0\0\0\0\0\0\0\0\x10\x01\0\0", 16}, /* a single segment of 2^60 bytes */
	    {"\x28\xb5\x2f\xfd\x00\xf8\x01\0\0", 9},                /* a window of 2 TiB */
	};
	struct fault f;
	size_t i;

	for (i = 0; i < 2; i++) {
		packed.n = out.n = 0;
		buf_add(&packed, frames[i].p, frames[i].n);
		CHECK(!decompress_block(DECOMPRESS_BLOCK_ZSTD, (struct str){packed.p, packed.n}, 1000, &out, &f));
		CHECK_STR(str_of(f.what), "compressed data is damaged");
		CHECK_INT(out.n, 0);
	}
}
#endif

void unit_test(void)
{
	size_t i;

	for (i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		check_limits(&kinds[i]);
		check_cuts(&kinds[i]);
		check_damage(&kinds[i]);
		check_bomb(&kinds[i]);
	}
#ifdef HAVE_ZSTD
	check_claims();
#endif
	buf_free(&packed);
	buf_free(&content);
	buf_free(&out);
}

/* source: for all kinds of files, every byte preceding a fault is returned, and no byte after it. */
#include "packed.h"
#include "source_reading.h"

#include <errno.h>
#include <unistd.h>

/* --- gzip and zstd */

static void compare(const struct packer *packer, struct str s)
{
	static const char *const wording[] = {[-PACKED_CUT] = "cut short",
	    [-PACKED_DAMAGED] = "damaged",
	    [-PACKED_REFUSED] = "needs",
	    [-PACKED_GARBAGE] = "garbage"};
	struct buf want = {0};
	struct got g = read_bytes(s);
	int end = packer->slow(s, &want);

	CHECK_INT(g.r, end < 0 ? -1 : 0);
	CHECK(str_starts((struct str){want.p, want.n}, (struct str){g.b.p, g.b.n}));
	CHECK(g.b.n + (end == PACKED_DAMAGED ? packer->loose : 0) >= want.n);
	CHECK_INT(g.note.what != NULL, end == PACKED_PADDED);
	CHECK_INT(g.fault.error, end == PACKED_REFUSED ? FAULT_REFUSED : 0);
	CHECK(end >= 0 || (g.fault.what && strstr(g.fault.what, packer->name) && strstr(g.fault.what, wording[-end])));
	CHECK(g.fault.at.byte <= s.n && g.note.at.byte <= s.n);
	if (end == PACKED_CUT && g.fault.at.byte != s.n) /* the cut may also be in the magic of a frame */
		CHECK(g.fault.at.byte + packer->magic > s.n);
	free_got(&g);
	buf_free(&want);
}

static void make_members(const struct packer *packer, struct buf *to)
{
	to->n = 0;
	packer->add(to, text);
	packer->add(to, STR(""));
	packer->add(to, STR("second member\n"));
}

static void test_packed(const struct packer *packer)
{
	struct buf packed = {0}, big = {0}, all = {0};
	struct got g;
	size_t i;

	make_members(packer, &packed);
	/* cut after each byte in turn, but not within the magic: such data would not be recognised as packed */
	for (i = packer->magic; i <= packed.n; i++)
		compare(packer, (struct str){packed.p, i});
	/* with each byte damaged in turn: header, codes, checksum, length, the following members */
	for (i = packer->magic; i < packed.n; i++) {
		char bit = (char)(1 << random_below(8));

		packed.p[i] ^= bit;
		compare(packer, (struct str){packed.p, packed.n});
		packed.p[i] ^= bit;
	}
	/* followed by zeros, and then also by other bytes */
	for (i = 1; i < 40; i += 6) {
		buf_add(&packed, "\0\0\0\0\0\0", i == 1 ? 1 : 6);
		compare(packer, (struct str){packed.p, packed.n});
	}
	buf_add(&packed, "download failed", 15);
	compare(packer, (struct str){packed.p, packed.n});
	packed.n = 0;
	packer->add(&packed, STR(""));
	compare(packer, (struct str){packed.p, packed.n});
	/* larger than every buffer, in many members */
	for (i = 0; i < 60; i++) {
		big.n = 0;
		while (big.n < 20000 + i * 3000)
			buf_add(&big, text.p + random_below(40), random_below(text.n - 40));
		packer->add(&all, (struct str){big.p, big.n});
	}
	compare(packer, (struct str){all.p, all.n});
	for (i = 0; i < 30; i++) {
		compare(packer, (struct str){all.p, random_below(all.n)});
		all.p[10 + random_below(all.n - 10)] ^= 0x40;
		compare(packer, (struct str){all.p, all.n});
	}
	for (i = 1; i < packer->magic; i++) {
		g = read_bytes((struct str){all.p, i});
		CHECK(g.r == 0 && str_eq((struct str){g.b.p, g.b.n}, (struct str){all.p, i}));
		free_got(&g);
	}
	buf_free(&packed);
	buf_free(&big);
	buf_free(&all);
}

/* --- files */

static void test_files(void)
{
	struct buf b = {0};
	struct got g;
	size_t i;

	g = read_file("no/such/file");
	CHECK(g.r == -2 && g.fault.error == ENOENT && g.fault.what);
	g = read_file(".");
	CHECK(g.r == -2 && g.fault.error == EISDIR);
	g = read_bytes(STR(""));
	CHECK(g.r == 0 && g.b.n == 0);
	g = read_bytes(STR("x"));
	CHECK(g.r == 0 && g.b.n == 1);
	free_got(&g);
	/* files of random sizes, and files as large as the window, its parts or its multiples */
	for (i = 0; i < 1000000; i++)
		buf_char(&b, random_byte());
	for (i = 0; i < 40; i++) {
		static const size_t sizes[] = {2, 65536, 131072, 262144, 524288, 1000000};
		size_t n = i < 6 ? sizes[i] : random_below(b.n);

		g = read_bytes((struct str){b.p, n});
		CHECK(g.r == 0 && g.b.n == n && memcmp(g.b.p, b.p, n) == 0);
		free_got(&g);
	}
	buf_free(&b);
}

/* --- the window */

/* A window that is never consumed grows and stores all of the input. */
static void test_window(void)
{
	struct buf b = {0};
	struct fault f;
	struct source *s;
	char second;
	int r;

	while (b.n < 3000000)
		buf_char(&b, random_byte());
	write_file("src.tmp", (struct str){b.p, b.n});
	s = source_open("src.tmp", &f);
	CHECK_INT(source_descriptor(s), -1); /* nothing is read yet, so the file may be compressed */
	while ((r = source_more(s)) > 0)
		CHECK(s->offset == 0);
	CHECK_INT(r, 0);
	CHECK(s->n == b.n && memcmp(s->p, b.p, b.n) == 0);
	CHECK_INT(s->read, b.n);
	CHECK_INT(s->size, b.n);
	CHECK(pread(source_descriptor(s), &second, 1, 1) == 1 && second == s->p[1]);
	source_skip(s, 1000);
	CHECK_INT(s->offset, 1000);
	CHECK_INT(source_more(s), 0);
	CHECK_INT(s->n, b.n - 1000);
	source_close(s);
	b.n = 0;
	make_members(&packers[0], &b);
	write_file("src.tmp", (struct str){b.p, b.n});
	s = source_open("src.tmp", &f);
	CHECK_INT(source_more(s), 1);
	CHECK_INT(source_descriptor(s), -1);
	source_close(s);
	buf_free(&b);
}

void unit_test(void)
{
	size_t i;

	alarm(300); /* if the test hangs, this signal ends it, and the test fails */
	test_files();
	for (i = 0; i < PACKERS; i++) {
		alarm(300);
		test_packed(&packers[i]);
	}
	test_window();
	remove("src.tmp");
}

/* decompress: tests the formats with bytes in memory as input; source.c and source_pipe.c test files and pipes. */
#include "test.h"

#include "packed.h"
#include "io/decompress.h"

#include <errno.h>
#include <unistd.h>

enum { BLOCK = 128 * 1024 };

/* An input in memory, which is read in pieces. After its last byte, read_memory() returns 0, or fails with `error`. */
struct memory {
	struct str rest;
	size_t piece;
	int error;
};

static ssize_t read_memory(void *arg, void *p, size_t n)
{
	struct memory *m = arg;

	if (!m->rest.n && m->error) {
		errno = m->error;
		return -1;
	}
	n = n < m->piece ? n : m->piece;
	n = n < m->rest.n ? n : m->rest.n;
	memcpy(p, m->rest.p, n);
	m->rest = str_from(m->rest, n);
	return (ssize_t)n;
}

static bool wait_always(void *arg)
{
	(void)arg;
	return true;
}

/* The result of decompressing an input to its end. */
struct got {
	struct buf b;
	ssize_t r;
	struct fault fault, note;
};

/* Decompresses s. Its first `head` bytes are passed to decompress_open(); the following bytes are read from m. */
static struct got unpack(struct str s, size_t head, struct memory m)
{
	struct decompress_input input = {read_memory, wait_always, &m, -1};
	struct fault f = {0};
	struct decompress *u;
	struct got g = {.r = -2};
	size_t room;

	m.rest = str_from(s, head);
	u = decompress_open(s.p, head, &input, &f);
	if (!u) {
		g.fault = f;
		return g;
	}
	do {
		room = 1 + random_below(random_below(4) ? 300000 : 100);
		g.r = decompress_take(u, buf_room(&g.b, room), room, &g.fault, &g.note);
		CHECK(g.r <= (ssize_t)room);
		g.b.n += g.r > 0 ? (size_t)g.r : 0;
	} while (g.r > 0);
	CHECK_INT(decompress_take(u, buf_room(&g.b, 1), 1, &g.fault, &g.note), g.r);
	CHECK_INT(g.r < 0, g.fault.what != NULL);
	decompress_close(u);
	return g;
}

static void test_begins(void)
{
	static const struct {
		const char *head;
		size_t n;
		int begins;
	} rows[] = {
	    {"", 0, -1},
	    {"\x1f", 1, -1},
	    {"\x1f\x8b", 2, 1},
	    {"\x1f\x8b\x08\x00", 4, 1},
	    {"\x1f\x8c", 2, 0},
	    {"\x28", 1, -1},
	    {"\x28\xb5", 2, -1},
	    {"\x28\xb5\x2f", 3, -1},
	    {"\x28\xb5\x2f\xfd", 4, 1},
	    {"\x28\xb5\x2f\xfd{", 5, 1},
	    {"\x28\xb5\x2f\xfe", 4, 0},
	    {"(1)", 3, 0},
	    {"\x50\x2a\x4d\x18", 4, 1},
	    {"\x5f\x2a\x4d\x18", 4, 1},
	    {"\x60\x2a\x4d\x18", 4, 0},
	    {"\x4f\x2a\x4d\x18", 4, 0},
	    {"\x57\x2a\x4d", 3, -1},
	    {"P*", 2, -1},
	    {"P*\n", 3, 0},
	    {"{", 1, 0},
	    {"\0", 1, 0},
	};
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (decompress_begins(rows[i].head, rows[i].n) != rows[i].begins) {
			CHECK_INT(i, -1);
			CHECK_INT(decompress_begins(rows[i].head, rows[i].n), rows[i].begins);
		}
	}
}

/* When the content is much larger than its packed form, output that is pending at the end of the input is not lost. */
static void test_dense(const struct packer *packer)
{
	struct buf packed = {0}, content = {0}, want = {0};
	struct got g;
	size_t i, first;
	int end;

	memset(buf_room(&content, 3 * BLOCK), 'a', 3 * BLOCK);
	content.n = 3 * BLOCK;
	for (first = 0; first < 3; first++) {
		packed.n = 0;
		packer->add(&packed, (struct str){content.p, first * 70});
		packer->add(&packed, (struct str){content.p, content.n});
		for (i = packer->magic; i <= packed.n; i++) {
			g = unpack((struct str){packed.p, i}, packer->magic, (struct memory){.piece = SIZE_MAX});
			end = packer->slow((struct str){packed.p, i}, &want);
			CHECK_INT(g.b.n, want.n);
			CHECK_INT(g.r, end < 0 ? -1 : 0);
			CHECK_INT(g.note.what != NULL, end == PACKED_PADDED);
			buf_free(&g.b);
		}
	}
	buf_free(&packed);
	buf_free(&content);
	buf_free(&want);
}

/* Content preceding a read error is returned, and the error is reported. */
static void test_read_error(const struct packer *packer)
{
	struct buf packed = {0}, want = {0};
	struct got g;
	size_t i;

	for (i = 0; i < 50; i++)
		packer->add(&packed, STR("{\"ts\":1,\"dur\":2,\"kind\":\"kernel\",\"name\":\"a\"}\n"));
	for (i = packer->magic; i <= packed.n; i += 1 + random_below(packed.n / 20)) {
		struct str s = {packed.p, i};

		g = unpack(s, packer->magic, (struct memory){.piece = 1 + random_below(100), .error = EIO});
		packer->slow(s, &want);
		CHECK_INT(g.r, -1);
		CHECK_INT(g.fault.error, EIO);
		CHECK(str_eq((struct str){g.b.p, g.b.n}, (struct str){want.p, want.n}));
		buf_free(&g.b);
	}
	buf_free(&packed);
	buf_free(&want);
}

static bool wait_on(void *arg)
{
	unsigned *left = arg;

	return *left && (*left)--;
}

static ssize_t read_fd(void *arg, void *p, size_t n)
{
	(void)arg;
	return read(STDIN_FILENO, p, n);
}

/*
 * Available content is returned while the rest is awaited; wait() can end this wait; decompress_close() does not wait.
 */
static void test_silence(const struct packer *packer)
{
	struct buf packed = {0};
	struct fault fault = {0}, note = {0};
	unsigned left = 1000;
	struct decompress_input input = {read_fd, wait_on, &left, STDIN_FILENO};
	struct decompress *u;
	char p[100];
	int fd[2], i;

	packer->add(&packed, STR("whole"));
	packer->add(&packed, STR("cut"));
	for (i = 0; i < 2; i++) {
		CHECK(pipe(fd) == 0 && dup2(fd[0], STDIN_FILENO) == STDIN_FILENO);
		close(fd[0]);
		CHECK(write(fd[1], packed.p + packer->magic, packed.n - packer->magic - 14) > 0);
		u = decompress_open(packed.p, packer->magic, &input, &fault);
		if (i == 0) {
			CHECK_INT(decompress_take(u, p, sizeof p, &fault, &note), 5);
			CHECK(memcmp(p, "whole", 5) == 0);
			left = 2;
			CHECK_INT(decompress_take(u, p, sizeof p, &fault, &note), 0);
			CHECK_INT(left, 0);
			CHECK(!fault.what && !note.what);
		}
		decompress_close(u);
		close(fd[1]);
	}
	buf_free(&packed);
}

#ifdef HAVE_ZSTD
static void compare_zstd(struct str s, size_t want_n, const char *why, int error)
{
	size_t head = 4 + random_below(s.n < DECOMPRESS_HEAD ? s.n - 3 : DECOMPRESS_HEAD - 3);
	struct got g = unpack(s, head, (struct memory){.piece = 1 + random_below(400000)});

	CHECK_INT(g.b.n, want_n);
	CHECK_INT(g.r, why ? -1 : 0);
	CHECK_INT(g.fault.error, error);
	CHECK(!why || (g.fault.what && strstr(g.fault.what, why)));
	buf_free(&g.b);
}

/* Makes a frame (RFC 8878) of three uncompressed blocks of 128 KiB. `type` is the type of the third block. */
static void make_blocks(struct buf *to, unsigned char type)
{
	unsigned char header[3];
	uint32_t i;

	buf_lit(to, "\x28\xb5\x2f\xfd\x00\x38"); /* no size, no checksum, a window of 128 KiB */
	for (i = 0; i < 3; i++) {
		uint32_t h = (uint32_t)BLOCK << 3 | (i == 2 ? 1u | (uint32_t)type << 1 : 0);

		header[0] = h & 0xff;
		header[1] = h >> 8 & 0xff;
		header[2] = h >> 16 & 0xff;
		buf_add(to, header, 3);
		memset(buf_room(to, BLOCK), 'x', BLOCK);
		to->n += BLOCK;
	}
}

/* Frame headers made by hand: some are rejected, but the content preceding them is returned. */
static void test_zstd(void)
{
	struct buf b = {0};
	size_t i;

	for (i = 0; i < 20; i++) {
		b.n = 0;
		make_blocks(&b, 0);
		compare_zstd((struct str){b.p, b.n}, 3 * BLOCK, NULL, 0);
		b.n = 0;
		make_blocks(&b, 3); /* an undefined type: the two blocks preceding it are valid */
		compare_zstd((struct str){b.p, b.n}, 2 * BLOCK, "damaged", 0);
		/* the undefined type after another frame, so that blocks do not fill the slots of the ring exactly */
		b.n = 0;
		zstd_add(&b, STR("before"));
		make_blocks(&b, 3);
		compare_zstd((struct str){b.p, b.n}, 6 + 2 * BLOCK, "damaged", 0);
	}
	/* a frame with a single block of one byte, 'x', and a window of 128 MiB, 144 MiB, 2 GiB or 3.75 TiB */
	for (i = 0; i < 4; i++) {
		static const char windows[] = {(char)(17 << 3), (char)(17 << 3 | 1), (char)(21 << 3), (char)0xff};

		b.n = 0;
		zstd_add(&b, STR("before"));
		buf_lit(&b, "\x28\xb5\x2f\xfd\x00");
		buf_char(&b, windows[i]);
		buf_lit(&b, "\x09\x00\x00x");
		compare_zstd((struct str){b.p, b.n}, i ? 6 : 7, i ? "window" : NULL, i ? FAULT_REFUSED : 0);
	}
	/* two frames: one needs dictionary 7; in the other, a bit of the descriptor that must be 0 is 1 */
	b.n = 0;
	zstd_add(&b, STR("before"));
	buf_lit(&b, "\x28\xb5\x2f\xfd\x01\x38\x07\x09\x00\x00x");
	compare_zstd((struct str){b.p, b.n}, 6, "dictionary", FAULT_REFUSED);
	b.n = 0;
	buf_lit(&b, "\x28\xb5\x2f\xfd\x08\x38\x09\x00\x00x");
	compare_zstd((struct str){b.p, b.n}, 0, "damaged", 0);
	/* skippable frames: empty, first, between others, last, long, truncated */
	b.n = 0;
	buf_lit(&b, "\x50\x2a\x4d\x18\x00\x00\x00\x00");
	compare_zstd((struct str){b.p, b.n}, 0, NULL, 0);
	zstd_add(&b, STR("one"));
	/* a skippable frame of 512 KiB, which contains only repetitions of the magic of a frame */
	buf_lit(&b, "\x5f\x2a\x4d\x18\x00\x00\x08\x00");
	for (i = 0; i < 4 * BLOCK; i += 4)
		buf_lit(&b, "\x28\xb5\x2f\xfd");
	zstd_add(&b, STR("two"));
	compare_zstd((struct str){b.p, b.n}, 6, NULL, 0);
	buf_lit(&b, "\x51\x2a\x4d\x18\x01\x00\x00\x00");
	compare_zstd((struct str){b.p, b.n}, 6, "cut", 0);
	buf_char(&b, 'x');
	compare_zstd((struct str){b.p, b.n}, 6, NULL, 0);
	buf_free(&b);
}
#else
static void test_zstd(void)
{
	struct got g = unpack(STR("\x28\xb5\x2f\xfd\x00"), 5, (struct memory){.piece = 1});

	CHECK_INT(g.r, -2);
	CHECK_INT(g.fault.error, FAULT_REFUSED);
	CHECK(g.fault.what && strstr(g.fault.what, "zstd -dc FILE | ..."));
}
#endif

void unit_test(void)
{
	size_t i;

	alarm(300); /* if the test hangs, this signal ends it, and the test fails */
	test_begins();
	for (i = 0; i < PACKERS; i++) {
		test_dense(&packers[i]);
		test_read_error(&packers[i]);
		test_silence(&packers[i]);
	}
	test_zstd();
}

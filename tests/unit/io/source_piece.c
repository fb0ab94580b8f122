/* source_piece: the pieces of a file are its lines, each exactly once, in pieces of about the same size. */
#include "packed.h"
#include "source_reading.h"

#include <fcntl.h>
#include <unistd.h>

/* Reads a piece of a file; g->r is -3 if the file cannot be divided. */
static struct got read_piece(const char *path, uint64_t number, uint64_t of, uint64_t *begin)
{
	struct got g = {.r = -3};
	struct source *s = source_open(path, &g.fault);
	int r;

	CHECK(s != NULL);
	if (!source_set_piece(s, (struct source_piece){number, of}, &g.fault)) {
		source_close(s);
		return g;
	}
	*begin = s->offset;
	while ((r = source_more(s)) > 0)
		take(&g, s, s->n < 3 ? s->n : random_below(s->n + 1));
	take(&g, s, s->n);
	g.r = r;
	source_close(s);
	return g;
}

/* Checks that the pieces are the file, and that each line is in the piece in which its first byte is. */
static void check_pieces(struct str file, uint64_t of)
{
	uint64_t begin, at = 0, i, longest = 0, line = 0;
	struct got g;

	for (i = 0; i < file.n; i++) {
		if (file.p[i] == '\n' || i + 1 == file.n) {
			longest = i + 1 - line > longest ? i + 1 - line : longest;
			line = i + 1;
		}
	}
	write_file("src.tmp", file);
	for (i = 1; i <= of; i++) {
		g = read_piece("src.tmp", i, of, &begin);
		CHECK_INT(g.r, 0);
		CHECK_INT(begin, at);
		CHECK(at + g.b.n <= file.n && (!g.b.n || memcmp(g.b.p, file.p + at, g.b.n) == 0));
		CHECK(g.b.n <= file.n / of + 1 + longest);
		/* the first line begins in the piece, and the line after the last one does not */
		CHECK(!g.b.n || (begin >= file.n * (i - 1) / of && begin < file.n * i / of));
		CHECK(begin + g.b.n >= file.n * i / of);
		at += g.b.n;
		CHECK(at == 0 || at == file.n || file.p[at - 1] == '\n');
		free_got(&g);
	}
	CHECK_INT(at, file.n);
}

static void test_lines(void)
{
	struct buf file = {0};
	size_t round, i, n;

	for (round = 0; round < 300; round++) {
		file.n = 0;
		for (n = random_below(20); n > 0; n--) {
			for (i = random_below(random_below(10) ? 30 : 400000 / (round + 1)); i > 0; i--)
				buf_lit(&file, "x");
			if (n > 1 || random_below(2))
				buf_lit(&file, "\n");
		}
		check_pieces((struct str){file.p, file.n}, 1 + random_below(12));
	}
	buf_free(&file);
}

/* Standard input is divided from where it is. */
static void test_standard_input(void)
{
	uint64_t begin = 0;
	struct got g;
	int fd;

	write_file("src.tmp", STR("first\na\nb\nc\nd\n"));
	fd = open("src.tmp", O_RDONLY);
	CHECK(fd >= 0 && dup2(fd, STDIN_FILENO) == 0 && lseek(fd, 6, SEEK_SET) == 6);
	g = read_piece("-", 2, 2, &begin);
	CHECK_INT(begin, 4);
	CHECK_STR(((struct str){g.b.p, g.b.n}), "c\nd\n");
	free_got(&g);
	CHECK(close(fd) == 0 && freopen("/dev/null", "r", stdin) != NULL);
}

static void test_refused(void)
{
	struct buf packed = {0};
	uint64_t begin;
	size_t i;
	struct got g;

	for (i = 0; i < PACKERS; i++) {
		packed.n = 0;
		packers[i].add(&packed, text);
		write_file("src.tmp", (struct str){packed.p, packed.n});
		g = read_piece("src.tmp", 1, 2, &begin);
		CHECK_INT(g.r, -3);
		CHECK(strstr(g.fault.what, "compressed") && g.fault.error == FAULT_REFUSED);
	}
	g = read_piece("/dev/null", 1, 2, &begin);
	CHECK_INT(g.r, -3);
	CHECK(strstr(g.fault.what, "not a regular file") && g.fault.error == FAULT_REFUSED);
	buf_free(&packed);
}

void unit_test(void)
{
	check_pieces(STR(""), 3);
	check_pieces(STR("\n"), 3);
	check_pieces(STR("one line without an end"), 3);
	test_lines();
	test_standard_input();
	test_refused();
}

/* lines: the lines and values do not depend on the sizes of the pieces in which a text is read. */
#include "test.h"

#include "samples.h"
#include "slow_scan.h"
#include "json/lines.h"

#include <unistd.h>

static void write_file(const char *path, struct str s)
{
	FILE *f = fopen(path, "wb");

	CHECK(f && fwrite(s.p, 1, s.n, f) == s.n);
	CHECK(f && fclose(f) == 0);
}

static struct source *source_of(struct str s)
{
	struct fault f;

	write_file("unit.tmp", s);
	return source_open("unit.tmp", &f);
}

/* A text's lines, as lines_next() must return them. */
struct want {
	struct line *lines;
	size_t n, over, over_at, over_line;
};

static struct want slow_lines(struct str s, size_t max)
{
	struct want w = {.lines = malloc((s.n + 1) * sizeof *w.lines)};
	size_t at = 0, end, line = 0, n_found, k = 0;
	struct scan_unit *found = slow_units(s, SCAN_LINES, &n_found);
	bool cut, clean;
	struct str one;

	for (; at < s.n; at = end) {
		const char *hit = memchr(s.p + at, '\n', s.n - at);

		line++;
		cut = !hit;
		end = hit ? (size_t)(hit - s.p) + 1 : s.n;
		clean = !cut && found[k++].clean;
		one = (struct str){s.p + at, end - at - !cut};
		if (one.n > max) {
			if (w.over++ == 0) {
				w.over_at = at;
				w.over_line = line;
			}
			continue;
		}
		one.n -= one.n && one.p[one.n - 1] == '\r';
		if (str_trim(one).n)
			w.lines[w.n++] =
			    (struct line){.text = one, .clean = clean, .cut = cut, .offset = at, .line = line};
	}
	free(found);
	return w;
}

static void compare_lines(struct str s, size_t max)
{
	struct want w = slow_lines(s, max);
	struct source *src = source_of(s);
	struct lines u;
	struct line line;
	size_t i = 0;
	bool same = true;

	lines_begin(&u, src, SCAN_LINES, max);
	for (; lines_next(&u, &line) > 0; i++) {
		same = same && i < w.n && str_eq(line.text, w.lines[i].text) && line.clean == w.lines[i].clean &&
		       line.cut == w.lines[i].cut && line.offset == w.lines[i].offset && line.line == w.lines[i].line &&
		       !line.partial;
	}
	CHECK_SHOW(same && i == w.n, "%zu of %zu lines of '%.*s', at most %zu", i, w.n, STR_FMT(s), max);
	CHECK_INT(u.over, w.over);
	if (w.over) {
		CHECK_INT(u.over_at, w.over_at);
		CHECK_INT(u.over_line, w.over_line);
	}
	CHECK_INT(lines_next(&u, &line), 0);
	source_close(src);
	free(w.lines);
}

static void put_lines(struct buf *b)
{
	static const char *const lines[] = {"{\"ts\":1}", "{}", "", " ", "\r", "[1,2,\"x\"]", "{\"a\":\"open", "}",
	    "\\\"", "\xc3\xa9", "x", "{\"a\":\"b\\\\\"}", "\t \r",
	    "{\"ts\":1,\"name\":\"0123456789012345678901234567890123456789012345678901234567890123456789\"}"};
	size_t n = random_below(12);

	for (b->n = 0; n--;) {
		const char *z = lines[random_below(sizeof lines / sizeof *lines)];

		buf_add(b, z, strlen(z));
		if (random_below(3) == 0)
			buf_char(b, '\r');
		if (n || random_below(2))
			buf_char(b, '\n');
	}
}

static void test_lines(void)
{
	static const char *const reads[] = {"1", "2", "7", "64", "1000", "999999"};
	struct buf b = {0};
	size_t i, max;

	for (i = 0; i < 1500; i++) {
		setenv("TRACEFILTERS_READ", reads[i % 6], 1);
		put_lines(&b);
		compare_lines((struct str){b.p, b.n}, random_below(2) ? 1000 : 1 + random_below(100));
	}
	/* a record of exactly the maximum size is accepted, with every line ending and every size of reads */
	for (i = 0; i < 6; i++) {
		setenv("TRACEFILTERS_READ", reads[i], 1);
		for (max = 3; max < 12; max++) {
			compare_lines(STR("1234567890\n\r\n12345678\n123456789\r\n12345678901\n1234567890"), max);
			compare_lines(STR("12345\r\n1234567890123456789012345678901234567890\n12345"), max);
		}
	}
	unsetenv("TRACEFILTERS_READ");
	/* records that are larger than the window or exceed the limit */
	for (i = 0; i < 3; i++) {
		static const size_t sizes[] = {300000, 1500000, 700000};
		size_t j;

		b.n = 0;
		for (j = 0; j < 3; j++) {
			memset(buf_room(&b, sizes[j]), 'x', sizes[j]);
			b.n += sizes[j];
			buf_char(&b, '\n');
			buf_add(&b, "{}\n", 3);
		}
		compare_lines((struct str){b.p, b.n}, sizes[i]);
		compare_lines((struct str){b.p, b.n}, sizes[i] - 1);
	}
	buf_free(&b);
}

static void test_values(void)
{
	static const char *const reads[] = {"1", "3", "64", "999999"};
	struct scan_unit *found;
	struct lines u;
	struct line line;
	struct source *src;
	size_t i, j, n, at, k;

	for (k = 0; k < 4; k++) {
		setenv("TRACEFILTERS_READ", reads[k], 1);
		for (i = 0; i < SAMPLES; i++) {
			struct buf b = {0};

			for (j = 0; j < 20; j++) {
				buf_add(&b, ",\n  ", random_below(5));
				buf_add(&b, samples[(i + j) % SAMPLES], strlen(samples[(i + j) % SAMPLES]));
			}
			buf_add(&b, "\n]}rest", 7);
			found = slow_units((struct str){b.p, b.n}, SCAN_VALUES, &n);
			src = source_of((struct str){b.p, b.n});
			lines_begin(&u, src, SCAN_VALUES, 1 << 20);
			for (at = j = 0; j < n; j++, at = found[j - 1].end) {
				CHECK_INT(lines_next(&u, &line), 1);
				CHECK(str_eq(line.text, (struct str){b.p + at, found[j].end - at}));
				CHECK(line.clean == found[j].clean && !line.cut && !line.partial && line.offset == at);
			}
			/* after lines_end(), the window begins directly after the last value */
			lines_end(&u);
			CHECK_INT(src->offset, at);
			while (source_more(src) > 0)
				;
			CHECK(str_eq((struct str){src->p, src->n}, (struct str){b.p + at, b.n - at}));
			source_close(src);
			free(found);
			buf_free(&b);
		}
	}
	unsetenv("TRACEFILTERS_READ");
	/* a text whose last value is not closed */
	src = source_of(STR("{\"a\":1},{\"b\":[2"));
	lines_begin(&u, src, SCAN_VALUES, 100);
	CHECK_INT(lines_next(&u, &line), 1);
	CHECK_INT(lines_next(&u, &line), 1);
	CHECK_STR(line.text, ",{\"b\":[2");
	CHECK(line.cut && !line.clean && line.offset == 7);
	CHECK_INT(lines_next(&u, &line), 0);
	source_close(src);
}

/*
 * An unclosed string includes all following text. This incomplete value is returned when it is long, and again each
 * time its length has doubled, until lines_restart() is called.
 */
static void test_patience(void)
{
	struct buf b = {0};
	struct lines u;
	struct line line;
	struct source *src;
	size_t partial = 0, last = 0, n = 0;

	buf_add(&b, "{\"a\":1}{\"open:0}", 16);
	while (b.n < (5 << 20))
		buf_add(&b, "{\"ts\":1}", 8);
	src = source_of((struct str){b.p, b.n});
	lines_begin(&u, src, SCAN_VALUES, 64 << 20);
	CHECK_INT(lines_next(&u, &line), 1);
	CHECK_STR(line.text, "{\"a\":1}");
	while (lines_next(&u, &line) > 0 && line.partial) {
		CHECK_INT(line.text.n, LINES_PATIENCE << partial);
		CHECK_INT(line.offset, 7);
		last = line.text.n;
		if (++partial == 2)
			break;
	}
	CHECK_INT(partial, 2);
	lines_restart(&u, 16);
	while (lines_next(&u, &line) > 0) {
		CHECK(!line.partial && line.clean && str_eq(line.text, STR("{\"ts\":1}")) && line.offset == 16 + 8 * n);
		n++;
	}
	CHECK_INT(n, (b.n - 16) / 8);
	source_close(src);
	/*
	 * a reader that does not restart gets all the text as one value with `cut` set, or nothing if the text is over
	 * the limit
	 */
	src = source_of((struct str){b.p, b.n});
	lines_begin(&u, src, SCAN_VALUES, 64 << 20);
	for (n = 0; lines_next(&u, &line) > 0; n++)
		last = line.text.n;
	CHECK_INT(n, 5); /* 1, 2 and 4 MiB of it, then all of it */
	CHECK(line.cut && last == b.n - 7);
	source_close(src);
	/* a value that is closed is returned in the same way, and `whole` stops before values that are not closed */
	b.p[b.n - 1] = '"';
	buf_char(&b, '}');
	src = source_of((struct str){b.p, b.n});
	while (source_more(src) > 0)
		;
	lines_begin(&u, src, SCAN_VALUES, 64 << 20);
	for (n = 0; lines_next(&u, &line) > 0; n++)
		last = line.text.n;
	CHECK_INT(n, 5);
	CHECK(!line.partial && !line.cut && last == b.n - 7);
	source_close(src);
	src = source_of(STR("{\"a\":1} {\"b\":2"));
	source_more(src);
	lines_begin(&u, src, SCAN_VALUES, 64 << 20);
	u.whole = true;
	CHECK_INT(lines_next(&u, &line), 1);
	CHECK_STR(line.text, "{\"a\":1}");
	CHECK_INT(lines_next(&u, &line), 0);
	CHECK_INT(u.start, 7);
	source_close(src);
	src = source_of((struct str){b.p, b.n});
	lines_begin(&u, src, SCAN_VALUES, 3 << 20);
	while (lines_next(&u, &line) > 0)
		CHECK(line.text.n <= (3 << 20));
	CHECK_INT(u.over, 1);
	CHECK_INT(u.over_at, 7);
	source_close(src);
	buf_free(&b);
}

void unit_test(void)
{
	test_lines();
	test_values();
	test_patience();
	remove("unit.tmp");
}

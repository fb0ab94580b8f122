/* scan_texts: records, damaged texts and random bytes for the tests of json/scan, which run once for each kernel. */
#ifndef SCAN_TEXTS_H
#define SCAN_TEXTS_H

#include "json/scan.h"
#include "samples.h"
#include "test.h"

#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 16384 };

static char room[MOST + 256];

/* Copies `text` to an address that is `align` bytes after a multiple of 64. Misleading bytes follow it. */
static struct str place(struct str text, size_t align)
{
	static const char tail[] = "\"}]\\\n,{:";
	char *p = room + (64 - (uintptr_t)room % 64) % 64 + align;
	size_t i;

	memmove(p, text.p, text.n);
	for (i = 0; i < SCAN_PAD; i++)
		p[text.n + i] = tail[(i + align) % (sizeof tail - 1)];
	return (struct str){p, text.n};
}

/* Describes a text for messages: the kernel, the position in memory and the beginning of the text. */
static const char *show(struct str s)
{
	static struct buf shown;
	char part[100];
	size_t i;

	shown.n = 0;
	snprintf(part, sizeof part, "%s, %zu bytes at %zu: ", getenv("TRACEFILTERS_SIMD"), s.n,
	    (size_t)((uintptr_t)s.p % 64));
	buf_add(&shown, part, strlen(part));
	for (i = 0; i < s.n && i < 400; i++) {
		snprintf(part, sizeof part, s.p[i] >= ' ' && s.p[i] < 127 && s.p[i] != '\\' ? "%c" : "\\x%02x",
		    (unsigned char)s.p[i]);
		buf_add(&shown, part, strlen(part));
	}
	buf_add(&shown, "", 1);
	return shown.p;
}

#define SAME(text, cond) CHECK_SHOW(cond, "%s", show(text))

static void put_value(struct buf *b, size_t depth)
{
	static const char *const scalars[] = {"0", "-0", "1", "-12.5", "0.001", "1234567890123456789", "\"\"",
	    "\"a b\"", "\"{[,:]}\"", "\"x\\\"y\\\\\"", "\"\xc3\xa9\"", "true", "null", "1e5",
	    "\"0123456789012345678901234567890123456789\""};
	static const char *const spaces[] = {
	    "", "", "", " ", "\n    ", "\r\n\t", "                                     "};
	size_t i, n = random_below(4);
	bool object = random_below(2);
	const char *z;

#define PUT(s) (z = (s), buf_add(b, z, strlen(z)))
#define SPACE() PUT(spaces[random_below(sizeof spaces / sizeof *spaces)])
	if (depth == 0) {
		PUT(scalars[random_below(random_below(3) ? 9 : sizeof scalars / sizeof *scalars)]);
		return;
	}
	buf_char(b, object ? '{' : '[');
	for (i = 0; i < n; i++) {
		SPACE();
		if (i) {
			buf_char(b, ',');
			SPACE();
		}
		if (object) {
			PUT(scalars[6 + random_below(3)]);
			SPACE();
			buf_char(b, ':');
			SPACE();
		}
		put_value(b, random_below(depth));
	}
	SPACE();
	buf_char(b, object ? '}' : ']');
#undef PUT
#undef SPACE
}

static void put_soup(struct buf *b, size_t n)
{
	static const char alphabet[] = "{}[]\":,\\ \n0-9.eEtfn1{\"\"}[]  ,,";

	while (n--)
		buf_char(b, random_below(30) ? alphabet[random_below(sizeof alphabet - 1)] : random_byte());
}

/* Sets *b to a text of at most MOST bytes; `kind` (0 to 9) selects how it is made. */
static void put_text(struct buf *b, size_t kind)
{
	struct buf whole = {0};
	size_t i;

	b->n = 0;
	switch (kind) {
	case 0:
	case 1:
		put_value(b, 1 + random_below(6));
		break;
	case 2:
	case 3:
	case 4:
		put_value(&whole, 1 + random_below(6));
		mutate(b, (struct str){whole.p, whole.n}, 3);
		break;
	case 5:
		mutate(b, str_of(samples[random_below(SAMPLES)]), 4);
		break;
	case 6:
		buf_char(b, "{["[random_below(2)]);
		put_soup(b, random_below(12));
		buf_char(b, "}]"[random_below(2)]);
		break;
	case 7: /* lines */
		for (i = random_below(8); i--;) {
			put_value(b, random_below(4));
			buf_char(b, random_below(9) ? '\n' : '"');
		}
		break;
	case 8: /* runs of backslashes */
		for (i = random_below(6); i--;) {
			size_t run = random_below(random_below(2) ? 5 : 140);

			memset(buf_room(b, run), '\\', run);
			b->n += run;
			put_soup(b, random_below(70));
		}
		break;
	default:
		put_soup(b, random_below(random_below(10) ? 200 : 3000));
	}
	b->n = b->n < MOST ? b->n : MOST;
	buf_free(&whole);
}

/* Sets *b to `text`, with each '_' replaced by n spaces. */
static void put_widened(struct buf *b, const char *text, size_t n)
{
	for (b->n = 0; *text; text++) {
		if (*text != '_')
			buf_char(b, *text);
		else
			b->n += (size_t)(memset(buf_room(b, n), ' ', n) != NULL) * n;
	}
}

/* Calls compare() with texts of all kinds, at each position in a block. */
static void compare_texts(void (*compare)(struct str s))
{
	struct buf b = {0};
	size_t i, j, n;

	for (i = 0; i < SAMPLES; i++) {
		for (j = 0; j < 64; j++)
			compare(place(str_of(samples[i]), j));
	}
	for (i = 0; i < 40000; i++) {
		put_text(&b, i % 10);
		compare(place((struct str){b.p, b.n}, random_below(64)));
	}
	/* more units than one call of scan_run() can return, so that it fills the whole array */
	for (i = 1; i < 1500; i += 1 + i / 8) {
		for (b.n = 0; b.n < i;)
			buf_add(&b, "{}\n[\n", 1 + random_below(5));
		compare(place((struct str){b.p, b.n}, i % 64));
		memset(b.p, '\n', b.n);
		compare(place((struct str){b.p, b.n}, i % 64));
	}
	/* numbers and strings across block boundaries: values of every size, with their parts at every position */
	for (n = 0; n < 140; n++) {
		static const char *const parts[] = {"[_-1.5]", "[1_,22.25]", "[\"_\", \"\"]", "{_\"a\":0}", "[0_.5]",
		    "[-_]", "[1._]", "[01,_1]", "[1.2_.3]", "[00_]", "[1,_,2]", "[\"a\"_\"b\"]", "[1_2]", "[_,1]",
		    "{_1:2}", "{\"a\":_}", "[1_}", "{\"a\"_,1}", "[-0_0]", "[1_-]", "[{}_{}]", "[{}_:1]"};

		for (i = 0; i < sizeof parts / sizeof *parts; i++) {
			put_widened(&b, parts[i], n);
			compare(place((struct str){b.p, b.n}, 0));
			for (j = 0; j < b.n; j++) { /* zeros instead of white space: one long token */
				if (b.p[j] == ' ')
					b.p[j] = '0';
			}
			compare(place((struct str){b.p, b.n}, 0));
		}
	}
	buf_free(&b);
}

/* Runs the test with that kernel in a child process, because a process can choose its kernel only once. */
static void fork_kernel(const char *name, void (*test)(void))
{
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		setenv("TRACEFILTERS_SIMD", name, 1);
		if (!scan_choose())
			_exit(2);
		test();
		fflush(stdout);
		_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	if (status == 2 << 8) {
		printf("skip: this machine lacks %s\n", name);
		return;
	}
	CHECK_INT(status, 0);
}

static void for_kernels(void (*test)(void))
{
	fork_kernel("scalar", test);
	fork_kernel("avx2", test);
	fork_kernel("avx512", test);
}

#endif

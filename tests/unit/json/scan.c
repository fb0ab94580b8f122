/* scan: each kernel that this machine has, compared with slow_scan.h on records, damage and byte soup. */
#include "test.h"

#include "json/check.h"
#include "samples.h"
#include "json/scan.h"
#include "slow_json.h"
#include "slow_scan.h"
#include "json/iter.h"

#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 16384 };

static char room[MOST + 256];

/* `text` at an address that is `align` beyond a multiple of 64, with bytes behind it that mislead. */
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

static void show(struct str s, const char *what)
{
	size_t i;

	printf("%s %s of %zu bytes at %zu: ", getenv("TRACEFILTERS_SIMD"), what, s.n, (size_t)((uintptr_t)s.p % 64));
	for (i = 0; i < s.n && i < 400; i++)
		printf(s.p[i] >= ' ' && s.p[i] < 127 && s.p[i] != '\\' ? "%c" : "\\x%02x", (unsigned char)s.p[i]);
	printf("\n");
}

#define SAME(text, cond)                                                                                               \
	do {                                                                                                           \
		if (!(cond))                                                                                           \
			show(text, #cond);                                                                             \
		CHECK(cond);                                                                                           \
	} while (0)

static bool same_units(const struct scan_unit *a, const struct scan_unit *b, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (a[i].end != b[i].end || a[i].clean != b[i].clean)
			return false;
	}
	return true;
}

/* The units of s read in pieces of up to `step` bytes, with what is done dropped now and then. */
static size_t run_in_pieces(struct str s, enum scan_mode mode, size_t step, size_t most, struct scan_unit *to)
{
	static char window[MOST + SCAN_PAD];
	struct scan_unit units[320];
	size_t have = 0, base = 0, found = 0, n, i, drop;
	struct scan scan;

	scan_init(&scan, mode);
	do {
		n = step ? 1 + random_below(step) : s.n;
		have = s.n - have > n ? have + n : s.n;
		memcpy(window, s.p + base, have - base);
		memset(window + have - base, '"', SCAN_PAD);
		while ((n = scan_run(&scan, window, have - base, units, most)) > 0) {
			for (i = 0; i < n; i++, found++)
				to[found] = (struct scan_unit){units[i].end + base, units[i].clean};
		}
		if (random_below(2)) {
			drop = random_below(4) ? scan.at : random_below(scan.at + 1);
			scan_drop(&scan, drop);
			base += drop;
		}
	} while (have < s.n);
	return found;
}

static void compare_units(struct str s)
{
	static const size_t steps[] = {0, 1, 5, 63, 64, 65, 200, 1000};
	static struct scan_unit got[MOST + 1];
	enum scan_mode mode;
	size_t i, n, want_n;

	for (mode = SCAN_LINES; mode <= SCAN_VALUES; mode++) {
		struct scan_unit *want = slow_units(s, mode, &want_n);
		size_t steps_n = s.n > 2000 ? 1 : sizeof steps / sizeof *steps;

		for (i = 0; i < steps_n; i++) {
			n = run_in_pieces(s, mode, steps[s.n > 2000 ? random_below(8) : i],
			    SCAN_UNITS_LEAST + random_below(100), got);
			SAME(s, n == want_n && same_units(got, want, n));
		}
		free(want);
	}
}

static bool has_letter(struct str s) /* outside strings */
{
	struct slow_state state = {0};
	size_t i;

	for (i = 0; i < s.n; i++) {
		if (!slow_step(&state, s.p[i]) && !state.in_string && ((s.p[i] | 32) >= 'a' && (s.p[i] | 32) <= 'z'))
			return true;
	}
	return false;
}

static bool has_dirt(struct str s)
{
	size_t i;

	for (i = 0; i < s.n; i++) {
		if (s.p[i] == '\\' || (unsigned char)s.p[i] >= 0x80)
			return true;
	}
	return false;
}

/* How many members the object has by a walk, SIZE_MAX when it comes to grief. */
static size_t members(struct str s)
{
	struct str key, value;
	struct iter w;
	size_t n = 0;
	int r;

	for (iter_open(&w, s); (r = iter_next(&w, &key, &value)) > 0; )
		n++;
	return r == 0 ? n : SIZE_MAX;
}

static void compare_squeeze(struct str s, bool clean)
{
	static char got[MOST + 64], want[MOST];
	size_t used = slow_value_end(s), n = slow_squeeze(want, str_head(s, used));
	struct scan_squeezed r = scan_squeeze(got, s);
	struct fault f;

	SAME(s, r.n == n);
	SAME(s, r.used == used);
	SAME(s, memcmp(got, want, n) == 0);
	SAME(s, r.clean == (slow_framed(str_head(s, used)) && slow_clean(str_head(s, used))));
	if (clean && slow_is_open(*s.p))
		SAME(s, r.clean && r.braces == slow_count(s, '{') && r.colons == slow_count(s, ':'));
	if (clean && *s.p == '{' && r.braces == 1 && r.colons == members(s))
		SAME(s, json_check(s, &f));
}

static void compare_values(struct str s)
{
	struct str value = str_trim(s);
	bool clean = scan_clean(s);
	struct fault f;

	SAME(s, clean == (slow_framed(value) && slow_clean(value)));
	if (slow_framed(value) && json_check(value, &f) && !has_letter(s) && !has_dirt(s))
		SAME(s, clean);
	/* only what takes a memory of the way: a comma for a colon, the wrong bracket, a value for a key */
	if (clean && !json_check(s, &f))
		SAME(s, strstr(f.what, "expected"));
	compare_squeeze(s, clean);
	SAME(s, scan_skip(s) == slow_skip(s));
	SAME(s, scan_quote(s) == slow_quote(s));
}

/* Units have closed strings and no escapes; and what follows a unit is not looked at. */
static void compare_shape(struct str s)
{
	static char got[MOST + 128], want[MOST];
	size_t n = slow_shape(want, s), most = random_below(n + 2);

	SAME(s, scan_shape(got, MOST, s) == n);
	SAME(s, memcmp(got, want, n) == 0);
	SAME(s, scan_shape(got, most, s) == (n <= most ? n : 0));
}

static void compare(struct str s)
{
	if (!memchr(s.p, '\\', s.n))
		compare_shape(s);
	compare_units(s);
	compare_values(s);
}

/* --- texts */

static void put_value(struct buf *b, size_t depth)
{
	static const char *const scalars[] = {"0", "-0", "1", "-12.5", "0.001", "1234567890123456789", "\"\"",
	    "\"a b\"", "\"{[,:]}\"", "\"x\\\"y\\\\\"", "\"\xc3\xa9\"", "true", "null", "1e5",
	    "\"0123456789012345678901234567890123456789\""};
	static const char *const spaces[] = {"", "", "", " ", "\n    ", "\r\n\t", "                                     "};
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

/* One of ten kinds of text, no longer than MOST. */
static void json_write_text(struct buf *b, size_t kind)
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
		for (i = random_below(8); i--; ) {
			put_value(b, random_below(4));
			buf_char(b, random_below(9) ? '\n' : '"');
		}
		break;
	case 8: /* runs of backslashes */
		for (i = random_below(6); i--; ) {
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

/* `text` with a run of n blanks in place of its '_'. */
static void put_widened(struct buf *b, const char *text, size_t n)
{
	for (b->n = 0; *text; text++) {
		if (*text != '_')
			buf_char(b, *text);
		else
			b->n += (size_t)(memset(buf_room(b, n), ' ', n) != NULL) * n;
	}
}

static void test_deep(void)
{
	static char text[8192];
	size_t n;

	for (n = 1; n < 3000; n += 1 + n / 30) {
		memset(text, '[', n);
		memset(text + n, ']', n);
		/* Where json_check counts exactly, scan leaves it to that. */
		if (n <= 500)
			CHECK(scan_clean(place((struct str){text, 2 * n}, 0)));
		if (n > JSON_DEPTH)
			CHECK(!scan_clean(place((struct str){text, 2 * n}, 0)));
		CHECK_INT(scan_skip(place((struct str){text, 2 * n}, 0)), 2 * n);
		compare_units(place((struct str){text, 2 * n}, 0));
	}
}

static void test_kernel(void)
{
	struct buf b = {0};
	size_t i, j, n;

	for (i = 0; i < SAMPLES; i++) {
		for (j = 0; j < 64; j++)
			compare(place(str_of(samples[i]), j));
	}
	for (i = 0; i < 40000; i++) {
		json_write_text(&b, i % 10);
		compare(place((struct str){b.p, b.n}, random_below(64)));
	}
	/* many units, more than one call takes, and none with room to spare */
	for (i = 1; i < 1500; i += 1 + i / 8) {
		for (b.n = 0; b.n < i; )
			buf_add(&b, "{}\n[\n", 1 + random_below(5));
		compare(place((struct str){b.p, b.n}, i % 64));
		memset(b.p, '\n', b.n);
		compare(place((struct str){b.p, b.n}, i % 64));
	}
	/* numbers and strings across every boundary: a value of every size, its parts at every place */
	for (n = 0; n < 140; n++) {
		static const char *const parts[] = {"[_-1.5]", "[1_,22.25]", "[\"_\", \"\"]", "{_\"a\":0}", "[0_.5]",
		    "[-_]", "[1._]", "[01,_1]", "[1.2_.3]", "[00_]", "[1,_,2]", "[\"a\"_\"b\"]", "[1_2]", "[_,1]",
		    "{_1:2}", "{\"a\":_}", "[1_}", "{\"a\"_,1}", "[-0_0]", "[1_-]", "[{}_{}]", "[{}_:1]"};

		for (i = 0; i < sizeof parts / sizeof *parts; i++) {
			put_widened(&b, parts[i], n);
			compare(place((struct str){b.p, b.n}, 0));
			for (j = 0; j < b.n; j++) { /* zeros where white space was: one long token */
				if (b.p[j] == ' ')
					b.p[j] = '0';
			}
			compare(place((struct str){b.p, b.n}, 0));
		}
	}
	test_deep();
	/* memory of its own: nothing beyond the SCAN_PAD is looked at */
	for (i = 0; i < 300; i++) {
		struct str s;

		json_write_text(&b, random_below(10));
		s = padded_copy((struct str){b.p, b.n});
		compare_values(s);
		free((char *)s.p);
	}
	buf_free(&b);
}

/* The kernel is chosen once a process: a process each. */
static void fork_kernel(const char *name)
{
	unsigned long sums[2] = {0, 1};
	int fd[2], status = 0;
	pid_t pid;

	fflush(stdout);
	CHECK(pipe(fd) == 0);
	pid = fork();
	if (pid == 0) {
		close(fd[0]);
		setenv("TRACEFILTERS_SIMD", name, 1);
		scan_quote((struct str){room, 1}); /* chooses, or dies */
		test_passed = test_failed = 0;
		test_kernel();
		fflush(stdout);
		_exit(write(fd[1], (unsigned long[2]){test_passed, test_failed}, sizeof sums) != sizeof sums);
	}
	close(fd[1]);
	if (read(fd[0], sums, sizeof sums) != sizeof sums)
		sums[0] = 0;
	close(fd[0]);
	CHECK(waitpid(pid, &status, 0) == pid);
	if (status == 2 << 8) {
		printf("skip: this machine lacks %s\n", name);
		return;
	}
	CHECK_INT(status, 0);
	test_passed += sums[0];
	test_failed += sums[1];
}

int main(void)
{
	fork_kernel("scalar");
	fork_kernel("avx2");
	fork_kernel("avx512");
	return test_end();
}

/*
 * scan_values: compares, for each kernel, the results of the functions for one value (clean, squeeze, skip, shape) with
 * slow_scan.h.
 */
#include "json/scan.h"

#include "json/check.h"
#include "json/iter.h"
#include "samples.h"
#include "scan_texts.h"
#include "slow_json.h"
#include "slow_scan.h"
#include "test.h"

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

/* Returns the number of members that iter finds in the object; SIZE_MAX on an error. */
static size_t members(struct str s)
{
	struct str key, value;
	struct iter w;
	size_t n = 0;
	int r;

	for (iter_init(&w, s); (r = iter_next(&w, &key, &value)) > 0;)
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

/* Searches four bytes that are somewhere in the text or in the bytes that follow it. */
static void compare_find(struct str s)
{
	const char *four = s.p + random_below(s.n + 8);
	size_t at = 0;

	while (at + 4 <= s.n && memcmp(s.p + at, four, 4) != 0)
		at++;
	SAME(s, scan_find(s, four) == (at + 4 <= s.n ? at : s.n));
}

static void compare_values(struct str s)
{
	struct str value = str_trim(s);
	bool clean = scan_clean(s);
	struct fault f;

	SAME(s, clean == (slow_framed(value) && slow_clean(value)));
	if (slow_framed(value) && json_check(value, &f) && !has_letter(s) && !has_dirt(s))
		SAME(s, clean);
	/*
	 * scan overlooks only errors that depend on the context: a comma instead of a colon, a wrong bracket, a value
	 * instead of a key
	 */
	if (clean && !json_check(s, &f))
		SAME(s, strstr(f.what, "expected"));
	compare_squeeze(s, clean);
	if (slow_is_open(*s.p))
		SAME(s, scan_skip(s) == slow_skip(s));
	SAME(s, scan_quote(s) == slow_quote(s));
	compare_find(s);
}

/*
 * Compares the shape of a text. The text has no escapes, because clean units have none. The bytes after the text must
 * not change the result.
 */
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
	compare_values(s);
}

static void test_deep(void)
{
	static char text[8192];
	size_t n;

	for (n = 1; n < 3000; n += 1 + n / 30) {
		memset(text, '[', n);
		memset(text + n, ']', n);
		/*
		 * From depth 501 to JSON_DEPTH, scan_clean() may return true or false; only json_check() counts the
		 * depth exactly.
		 */
		if (n <= 500)
			CHECK(scan_clean(place((struct str){text, 2 * n}, 0)));
		if (n > JSON_DEPTH)
			CHECK(!scan_clean(place((struct str){text, 2 * n}, 0)));
		CHECK_INT(scan_skip(place((struct str){text, 2 * n}, 0)), 2 * n);
	}
}

/* Memory beyond the SCAN_PAD bytes after a text is not read. */
static void test_pad(void)
{
	struct buf b = {0};
	size_t i;

	for (i = 0; i < 300; i++) {
		struct str s;

		put_text(&b, random_below(10));
		s = padded_copy((struct str){b.p, b.n});
		compare_values(s);
		free((char *)s.p);
	}
	buf_free(&b);
}

static void test_kernel(void)
{
	compare_texts(compare);
	test_deep();
	test_pad();
}

void unit_test(void)
{
	for_kernels(test_kernel);
}

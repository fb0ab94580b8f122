/* str: tests splitting, comparison, search, similarity, UTF-8 and hidden characters. */
#include "test.h"

#include "base/char_class.h"
#include "samples.h"

static void test_split(void)
{
	static const struct {
		const char *text;
		size_t n;
		const char *pieces[4];
	} cases[] = {{"", 1, {""}}, {"a", 1, {"a"}}, {",", 2, {"", ""}}, {"a,,b", 3, {"a", "", "b"}},
	    {"a,b,", 3, {"a", "b", ""}}};
	struct str rest, piece;
	size_t i, n;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		rest = str_of(cases[i].text);
		for (n = 0; str_split(&rest, ',', &piece); n++)
			CHECK_STR(piece, n < 4 && cases[i].pieces[n] ? cases[i].pieces[n] : "(none)");
		CHECK_INT(n, cases[i].n);
		CHECK(!rest.p && !str_split(&rest, ',', &piece));
	}
}

static void test_views(void)
{
	struct str none = {NULL, 0}, s = STR(" \t a b \r\n");
	char *z;

	CHECK_STR(str_trim(s), "a b");
	CHECK_STR(str_trim(STR(" \r\n\t ")), "");
	CHECK_STR(str_trim(none), "");
	CHECK(str_eq(none, STR("")) && !str_eq(STR("a"), none) && str_eq(STR("a\0b"), STR("a\0b")) &&
	      !str_eq(STR("a\0b"), STR("a\0c")));
	CHECK(str_starts(STR("ab"), none) && str_starts(STR("ab"), STR("ab")) && !str_starts(STR("ab"), STR("abc")));
	CHECK(str_ends(STR("ab"), STR("b")) && str_ends(STR("ab"), STR("ab")) && !str_ends(STR("b"), STR("ab")));
	CHECK_STR(str_from(STR("abc"), 1), "bc");
	CHECK_STR(str_from(STR("abc"), 3), "");
	CHECK_STR(str_from(STR("abc"), 9), "");
	CHECK_STR(str_head(STR("abc"), 2), "ab");
	CHECK_STR(str_head(STR("abc"), 9), "abc");
	CHECK(str_cmp(STR("a"), STR("ab")) < 0 && str_cmp(STR("b"), STR("ab")) > 0 && str_cmp(none, STR("")) == 0);
	CHECK(str_cmp(STR("\xff"), STR("a")) > 0);
	CHECK(str_all(STR("012"), is_digit) && !str_all(STR("01a"), is_digit) && !str_all(none, is_digit));
	CHECK(str_eq_any_case(STR("Ab1_"), STR("aB1_")) && str_eq_any_case(none, STR("")));
	CHECK(!str_eq_any_case(STR("ab"), STR("abc")) && !str_eq_any_case(STR("@["), STR("`{")));
	z = str_dup(STR("a\0b"));
	CHECK(memcmp(z, "a\0b", 4) == 0);
	free(z);
	z = str_dup(none);
	CHECK(!*z);
	free(z);
}

static void test_find(void)
{
	char s[12], part[4];
	size_t i, j, n, m, want;

	CHECK_INT(str_find(STR("abc"), STR("")), 0);
	CHECK_INT(str_find(STR(""), STR("a")), 0);
	for (i = 0; i < 20000; i++) {
		n = random_below(sizeof s);
		m = 1 + random_below(sizeof part - 1);
		for (j = 0; j < n; j++)
			s[j] = "ab"[random_below(2)];
		for (j = 0; j < m; j++)
			part[j] = "ab"[random_below(2)];
		for (want = 0; want + m <= n && memcmp(s + want, part, m) != 0;)
			want++;
		if (want + m > n)
			want = n;
		CHECK_INT(str_find((struct str){s, n}, (struct str){part, m}), want);
	}
}

static void test_near(void)
{
	struct str_near near = {.want = STR("kernal")};

	CHECK_INT(str_distance(STR("kernel"), STR("KERNEL")), 0);
	CHECK_INT(str_distance(STR("kernel"), STR("kernal")), 1);
	CHECK_INT(str_distance(STR("kernel"), STR("kenrel")), 1);
	CHECK_INT(str_distance(STR("kernel"), STR("kernels")), 1);
	CHECK_INT(str_distance(STR("kernel"), STR("memcpy")), SIZE_MAX);
	CHECK_INT(str_distance(STR(""), STR("")), 0);
	CHECK_INT(str_distance(STR("----------------------------------------------------------------------"), STR("a")),
	    SIZE_MAX);
	str_near(&near, STR("memcpy"));
	CHECK(!near.best.p);
	str_near(&near, STR("kernels"));
	str_near(&near, STR("kernel"));
	str_near(&near, STR("kermal"));
	CHECK_STR(near.best, "kernel");
}

/*
 * Encoded characters are decoded to the same code; every pair of first bytes is compared with table 3-7 of the Unicode
 * Standard.
 */
static void test_utf8(void)
{
	unsigned char u[4];
	uint32_t code, back = 0;
	size_t n;
	unsigned a, b;
	bool good;

	for (code = 0; code < 0x110000; code += code < 0x3000 || code > 0x10ff00 ? 1 : 37) {
		n = utf8_encode((char *)u, code);
		if (code >= 0xd800 && code < 0xe000)
			CHECK_INT(utf8_decode((struct str){(char *)u, n}, &back), 0);
		else if (utf8_decode((struct str){(char *)u, n}, &back) != n || back != code)
			CHECK_INT(back, code);
		if (n > 1 && (code < 0xd800 || code >= 0xe000)) {
			CHECK_INT(utf8_decode((struct str){(char *)u, n - 1}, &back), 0);
			CHECK_INT(utf8_broken((struct str){(char *)u, n - 1}), n - 1);
		}
	}
	for (a = 0x80; a < 256; a++) {
		for (b = 0; b < 256; b++) {
			u[0] = (unsigned char)a;
			u[1] = (unsigned char)b;
			u[2] = u[3] = 0x80;
			good = (a == 0xe0 && b >= 0xa0 && b < 0xc0) || (a == 0xed && b >= 0x80 && b < 0xa0) ||
			       (a > 0xe0 && a < 0xf0 && a != 0xed && b >= 0x80 && b < 0xc0) ||
			       (a == 0xf0 && b >= 0x90 && b < 0xc0) ||
			       (a > 0xf0 && a < 0xf4 && b >= 0x80 && b < 0xc0) || (a == 0xf4 && b >= 0x80 && b < 0x90);
			n = a >= 0xf0 ? 4 : 3;
			if (a >= 0xe0) {
				CHECK_INT(utf8_decode((struct str){(char *)u, 4}, &back), good ? n : 0);
				CHECK_INT(utf8_broken((struct str){(char *)u, 2}), good ? 2 : 1);
			} else {
				CHECK_INT(utf8_decode((struct str){(char *)u, 4}, &back),
				    a >= 0xc2 && b >= 0x80 && b < 0xc0 ? 2 : 0);
			}
		}
	}
}

static void test_hidden(void)
{
	CHECK(utf8_is_hidden(0) && utf8_is_hidden(0x1b) && utf8_is_hidden(0x7f) && utf8_is_hidden(0x9f));
	CHECK(utf8_is_hidden(0x202e) && utf8_is_hidden(0x2066) && utf8_is_hidden(0xfeff) && utf8_is_hidden(0xe0041));
	CHECK(!utf8_is_hidden(' ') && !utf8_is_hidden(0xe9) && !utf8_is_hidden(0x203a) && !utf8_is_hidden(0x10ffff));
}

void unit_test(void)
{
	test_split();
	test_views();
	test_find();
	test_near();
	test_utf8();
	test_hidden();
}

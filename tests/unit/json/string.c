/* string: escaping and unescaping of strings, and keys with the fewest escapes. */
#include "json/string.h"

#include "json/check.h"
#include "samples.h"
#include "slow_json.h"
#include "test.h"

static struct str unescaped(struct buf *b, const char *inner)
{
	b->n = 0;
	json_unescape(b, str_of(inner));
	return (struct str){b->p, b->n};
}

static struct str quoted(struct buf *b, struct str s)
{
	struct str exact = exact_copy(s);

	b->n = 0;
	json_quote(b, exact);
	free((char *)exact.p);
	return (struct str){b->p, b->n};
}

static void test_strings(void)
{
	struct buf b = {0}, c = {0};
	size_t i, n;
	struct str s, q;

	CHECK_STR(unescaped(&b, ""), "");
	CHECK_STR(unescaped(&b, "plain"), "plain");
	CHECK_STR(unescaped(&b, "\\\"\\\\\\/\\b\\f\\n\\r\\t"), "\"\\/\b\f\n\r\t");
	CHECK_STR(unescaped(&b, "\\u0041\\u00e9\\u20AC\\ud83d\\uDE00z"), "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z");
	CHECK_STR(unescaped(&b, "a\\\\u0041"), "a\\u0041");
	CHECK_STR(unescaped(&b, "\\udbff\\udfff"), "\xf4\x8f\xbf\xbf");
	CHECK_INT(unescaped(&b, "a\\u0000b").n, 3);
	CHECK_INT(b.p[1], 0);

	CHECK_STR(quoted(&b, STR("")), "\"\"");
	CHECK_STR(quoted(&b, STR("a\"b\\c/d")), "\"a\\\"b\\\\c/d\"");
	CHECK_STR(quoted(&b, STR("\b\f\n\r\t\0\x01\x1f\x7f")), "\"\\b\\f\\n\\r\\t\\u0000\\u0001\\u001f\x7f\"");
	CHECK_STR(quoted(&b, STR("\xe2\x82\xac \xf0\x9f\x98\x80")), "\"\xe2\x82\xac \xf0\x9f\x98\x80\"");
#define BAD "\xef\xbf\xbd"
	/* The examples of the Unicode Standard, 3.9, tables 3-8 to 3-11. */
	CHECK_STR(quoted(&b, STR("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41")), "\"" BAD BAD BAD BAD BAD BAD BAD BAD "A\"");
	CHECK_STR(quoted(&b, STR("\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41")), "\"" BAD BAD BAD BAD BAD BAD BAD BAD "A\"");
	CHECK_STR(quoted(&b, STR("\xf4\x91\x92\x93\xff\x41\x80\xbf\x42")), "\"" BAD BAD BAD BAD BAD "A" BAD BAD "B\"");
	CHECK_STR(quoted(&b, STR("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41")), "\"" BAD BAD BAD BAD "A\"");
	CHECK_STR(quoted(&b, STR("cut \xf0\x9f\x98")), "\"cut " BAD "\"");

	/*
	 * Quoted text is valid JSON. If s is the inner text of a valid JSON string, its decoded text does not change
	 * when it is quoted and decoded again.
	 */
	for (i = 0; i < 20000; i++) {
		n = random_below(70);
		c.n = 0;
		while (c.n < n)
			buf_char(&c, random_below(3) ? 'x' : random_byte());
		s = (struct str){c.p, c.n};
		q = quoted(&b, s);
		CHECK(slow_json(q));
		CHECK(json_plain(s) <= s.n);
		for (n = json_plain(s); n < s.n && n <= json_plain(s); n++)
			CHECK(c.p[n] == '"' || c.p[n] == '\\' || (unsigned char)c.p[n] < 32 ||
			      (unsigned char)c.p[n] > 127);
		b.n = 0;
		buf_add(&b, "\"", 1);
		buf_add(&b, s.p, s.n);
		buf_add(&b, "\"", 1);
		if (!slow_json((struct str){b.p, b.n}))
			continue;
		/* unescapes s, quotes the result, and unescapes it again: both decoded texts are the same */
		b.n = 0;
		json_unescape(&b, s);
		c.n = 0;
		json_quote(&c, (struct str){b.p, b.n});
		n = b.n;
		json_unescape(&b, (struct str){c.p + 1, c.n - 2});
		CHECK(b.n == 2 * n && memcmp(b.p, b.p + n, n) == 0);
	}
	buf_free(&b);
	buf_free(&c);
}

/* json_plain_keys() removes all escapes that keys do not need; all other text stays unchanged. */
static void test_keys(void)
{
	static const char *const pairs[][2] = {
	    {"{\"n\\u0061me\":\"n\\u0061me\"}", "{\"name\":\"n\\u0061me\"}"},
	    {"[ {\"\\/\" : {\"\\u00e9\\n\":\"\\\\\"}} , \"\\u0061\" ]",
		"[ {\"/\" : {\"\xc3\xa9\\n\":\"\\\\\"}} , \"\\u0061\" ]"},
	    {"{\"q\\\"\\\\\":1,\"\\uD834\\uDd1e\":\":\"}", "{\"q\\\"\\\\\":1,\"\xf0\x9d\x84\x9e\":\":\"}"},
	};
	struct buf b = {0};
	struct fault f;
	bool escaped;
	size_t i;

	for (i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		CHECK(json_check_keys(str_of(pairs[i][0]), &escaped, &f) && escaped);
		b.n = 0;
		json_plain_keys(&b, str_of(pairs[i][0]));
		CHECK_STR(((struct str){b.p, b.n}), pairs[i][1]);
	}
	CHECK(json_check_keys(STR("{\"a\":\"\\n\",\"b\":[\"\\u0061\"]}"), &escaped, &f) && !escaped);
	buf_free(&b);
}

void unit_test(void)
{
	test_keys();
	test_strings();
}

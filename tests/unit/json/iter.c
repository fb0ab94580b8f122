/*
 * iter: compares the returned members with a table and with json/tree, and tests that errors at the level of these
 * members are found.
 */
#include "json/iter_inline.h"

#include "json/check.h"
#include "json/tree.h"
#include "samples.h"
#include "test.h"

/* Returns all members as "key=value;", followed by the last result of iter_next(). */
static struct str walked(struct buf *b, struct str text)
{
	struct str copy = padded_copy(text), key, value, quick_key, quick_value;
	struct iter w, quick;
	int r;

	b->n = 0;
	iter_init(&w, copy);
	quick = w;
	while ((r = iter_next(&w, &key, &value)) > 0) {
		CHECK_INT(iter_quick(&quick, &quick_key, &quick_value), r);
		CHECK(quick.p == w.p && quick_key.p == key.p && quick_key.n == key.n && quick_value.p == value.p &&
		      quick_value.n == value.n);
		if (key.p)
			buf_add(b, key.p, key.n);
		buf_char(b, '=');
		buf_add(b, value.p, value.n);
		buf_char(b, ';');
	}
	CHECK_INT(iter_quick(&quick, &quick_key, &quick_value), r);
	if (r < 0)
		buf_lit(b, "no");
	else
		CHECK_INT(iter_next(&w, &key, &value), 0); /* a further call at the end returns 0 again */
	free((char *)copy.p);
	return (struct str){b->p, b->n};
}

static const struct {
	const char *text, *members;
} rows[] = {
    {"{}", ""},
    {" \t\r\n{ \t\r\n} \t\r\n", ""},
    {"[]", ""},
    {"[ ]", ""},
    {"{\"a\":1}", "a=1;"},
    {"{\"a\":1,\"b\":\"x\",\"c\":{\"d\":[1,{}]},\"e\":[[],{}],\"f\":true,\"g\":false,\"h\":null,\"i\":-1.5e+7}",
	"a=1;b=\"x\";c={\"d\":[1,{}]};e=[[],{}];f=true;g=false;h=null;i=-1.5e+7;"},
    {" { \"a\" : 1 , \"b\"\n:\t[ 1 ]\r,\"c\":{ } } ", "a=1;b=[ 1 ];c={ };"},
    {"[1,\"a\",{\"b\":2},[3],null]", "=1;=\"a\";={\"b\":2};=[3];=null;"},
    {"[ 12 , 0]", "=12;=0;"},
    {"{\"\":\"\"}", "=\"\";"},
    {"{\"a\":1,\"a\":2}", "a=1;a=2;"},
    {"{\"a\\\"b\\\\\":\"c\\\"},{\\\\\",\"d\":\"\\\\\\\\\"}", "a\\\"b\\\\=\"c\\\"},{\\\\\";d=\"\\\\\\\\\";"},
    {"{\"k\":\"{[,:]}\",\"l\":{\"m\":\"}\\\"}\"}}", "k=\"{[,:]}\";l={\"m\":\"}\\\"}\"};"},
    {"{\"a key of more than sixteen bytes\":12345678901234567890}",
	"a key of more than sixteen bytes=12345678901234567890;"},
    /* not JSON at this level */
    {"", "no"},
    {" ", "no"},
    {"1", "no"},
    {"\"a\"", "no"},
    {"}", "no"},
    {"{", "no"},
    {"[", "no"},
    {"{]", "no"},
    {"[}", "no"},
    {"{}}", "no"},
    {"{} x", "no"},
    {"{}{}", "no"},
    {"{,}", "no"},
    {"{,\"a\":1}", "no"},
    {"{\"a\"}", "no"},
    {"{\"a\":}", "no"},
    {"{\"a\" 1}", "no"},
    {"{\"a\"::1}", "no"},
    {"{\"a\":,}", "no"},
    {"{a:1}", "no"},
    {"{1:1}", "no"},
    {"{\"a\":x}", "no"},
    {"{\"a\":+1}", "no"},
    {"{\"a\":NaN}", "no"},
    {"{\"a", "no"},
    {"{\"a\"", "no"},
    {"{\"a\":", "no"},
    {"{\"a\":\"b", "no"},
    {"{\"a\":\"b\\", "no"},
    {"{\"a\":\"b\\\"", "no"},
    {"{\"a\":{\"b\":1", "no"},
    {"{\"a\":[1,2", "no"},
    {"{\"a\":1", "a=1;no"},
    {"{\"a\":1,", "a=1;no"},
    {"{\"a\":1,}", "a=1;no"},
    {"{\"a\":1,,\"b\":2}", "a=1;no"},
    {"{\"a\":1 \"b\":2}", "a=1;no"},
    {"{\"a\":\"x\"\"b\":2}", "a=\"x\";no"},
    {"{\"a\":\"x\";\"b\":2}", "a=\"x\";no"},
    {"{\"a\":1:2}", "a=1;no"},
    {"{\"a\":{}{}}", "a={};no"},
    {"{\"a\":1]", "a=1;no"},
    {"{\"a\":1}}", "a=1;no"},
    {"[1 2]", "=1;no"},
    {"[1,]", "=1;no"},
    {"[,1]", "no"},
    {"[\"a\":1]", "=\"a\";no"},
    {"[1}", "=1;no"},
};

static void test_table(void)
{
	struct buf b = {0};
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++)
		CHECK_STR(walked(&b, str_of(rows[i].text)), rows[i].members);
	buf_free(&b);
}

/* Keys, strings, numbers and nested values of every length, with an escape at every position. */
static void test_lengths(void)
{
	struct buf b = {0}, want = {0}, got = {0};
	size_t n, at;

	for (n = 0; n < 200; n++) {
		for (at = 0; at <= n; at += n < 70 ? 1 : 13) {
			struct buf x = {0};
			size_t i;

			for (i = 0; i < n; i++)
				buf_char(&x, i + 1 == at ? '\\' : i == at && at ? "\"\\n"[n % 3] : "ab{[,}]:"[i % 8]);
			if (at == n && n)
				x.p[n - 1] = 'z'; /* otherwise the backslash would escape the closing quote */
			b.n = want.n = 0;
			buf_lit(&b, "{\"");
			buf_add(&b, x.p, x.n);
			buf_lit(&b, "\":\"");
			buf_add(&b, x.p, x.n);
			buf_lit(&b, "\",\"n\":[\"");
			buf_add(&b, x.p, x.n);
			buf_lit(&b, "\"],\"d\":1");
			memset(buf_room(&b, n), '7', n);
			b.n += n;
			buf_lit(&b, "}");
			buf_add(&want, x.p, x.n);
			buf_lit(&want, "=\"");
			buf_add(&want, x.p, x.n);
			buf_lit(&want, "\";n=[\"");
			buf_add(&want, x.p, x.n);
			buf_lit(&want, "\"];d=1");
			memset(buf_room(&want, n), '7', n);
			want.n += n;
			buf_lit(&want, ";");
			CHECK(str_eq(walked(&got, (struct str){b.p, b.n}), (struct str){want.p, want.n}));
			buf_free(&x);
		}
	}
	buf_free(&b);
	buf_free(&want);
	buf_free(&got);
}

/* Returns whether iter and tree find the same members in an object or array and in all values in it. */
static bool same_as_tree(struct str text)
{
	struct json_tree t = {0};
	struct str key, value, other_key, other;
	struct iter w;
	struct fault f;
	size_t at = 0;
	bool same = json_tree_read(&t, text, &f);
	int r;

	iter_init(&w, same ? json_tree_get(&t, "") : text);
	while ((r = iter_next(&w, &key, &value)) > 0 && same) {
		same = json_tree_next(&t, &at, &other_key, &other) && other_key.p == key.p && other_key.n == key.n &&
		       other.p == value.p && other.n == value.n && same_as_tree(value);
	}
	same = w.close ? same && r == 0 && !json_tree_next(&t, &at, &other_key, &other) : r == -1;
	json_tree_free(&t);
	return same;
}

/* On valid text, iter and tree agree; on any other text, the iteration ends without leaving the text. */
static void test_mutations(void)
{
	struct buf b = {0}, out = {0};
	struct fault f;
	size_t i;

	for (i = 0; i < 60000; i++) {
		mutate(&b, str_of(samples[i % SAMPLES]), 2);
		walked(&out, (struct str){b.p, b.n});
		buf_room(&b, SCAN_PAD);
		if (json_check((struct str){b.p, b.n}, &f))
			CHECK(same_as_tree((struct str){b.p, b.n}));
	}
	buf_free(&b);
	buf_free(&out);
}

/* Copies the text `object` to b, with padding, and returns the value of `key` in it. */
static struct str found(struct buf *b, const char *object, const char *key)
{
	b->n = 0;
	buf_add(b, object, strlen(object));
	buf_room(b, SCAN_PAD);
	return iter_find((struct str){b->p, b->n}, str_of(key));
}

static void test_may_find(void)
{
	char text[200];
	struct str copy;
	size_t at, n;

	/* The key is at every position of texts of every length, which may end inside the key. */
	for (n = 0; n < 40; n++) {
		for (at = 0; at < 40; at++) {
			memset(text, '"', sizeof text);
			memcpy(text + at, "\"ran", 4);
			copy = padded_copy((struct str){text, n});
			CHECK(iter_may_find(copy, "ran") || at + 4 > n);
			CHECK(!iter_may_find(copy, "dur"));
			free((char *)copy.p);
		}
	}
}

static void test_find(void)
{
	const char *o = "{\"a\":1,\"b\":{\"c\":2},\"a\":\"last\",\"a\\n\":3}";
	struct buf b = {0};

	CHECK_STR(found(&b, o, "a"), "\"last\"");
	CHECK_STR(found(&b, o, "b"), "{\"c\":2}");
	CHECK_STR(found(&b, o, "a\\n"), "3");
	CHECK(!found(&b, o, "c").p);
	CHECK(!found(&b, "[1,2]", "").p);
	CHECK(!found(&b, "7", "a").p);
	CHECK(!found(&b, "{\"a\":1,}", "a").p);
	CHECK(!found(&b, "", "a").p);
	buf_free(&b);
}

void unit_test(void)
{
	struct str key, value;
	struct iter w;

	iter_init(&w, STR(" [1]"));
	CHECK_INT(w.close, ']');
	iter_init(&w, STR("{}"));
	CHECK_INT(w.close, '}');
	iter_init(&w, STR(" 1"));
	CHECK_INT(w.close, 0);
	CHECK_INT(iter_next(&w, &key, &value), -1);
	test_table();
	test_lengths();
	test_mutations();
	test_find();
	test_may_find();
}

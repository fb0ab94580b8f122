/* tree: the values at paths, the order of members, and the texts that are rejected. */
#include "json/tree.h"

#include "json/check.h"
#include "json/scan.h"
#include "json_texts.h"
#include "samples.h"
#include "test.h"

/* Makes the tree of a padded copy, and frees the copy. */
static bool read_tree(struct json_tree *t, struct str text, struct fault *f)
{
	struct str copy = padded_copy(text);
	const bool good = json_tree_read(t, copy, f);

	CHECK(good || (f->what && f->at.byte <= text.n));
	free((char *)copy.p);
	return good;
}

static const struct {
	const char *text, *path, *value; /* value: NULL when it is absent */
} rows[] = {
    {"{\"a\":1}", "", "{\"a\":1}"},
    {"{\"a\":1}", "a", "1"},
    {"{\"a\":1}", "b", NULL},
    {"{\"a\":1}", "a.b", NULL},
    {"{\"a\":1}", "0", NULL},
    {"{\"a\":1}", ".", NULL},
    {" { \"a\" : { \"b\" : [ 1 , { \"c\" : \"d e\" } ] } }\n", "a", "{\"b\":[1,{\"c\":\"d e\"}]}"},
    {" { \"a\" : { \"b\" : [ 1 , { \"c\" : \"d e\" } ] } }\n", "a.b.1.c", "\"d e\""},
    {" { \"a\" : { \"b\" : [ 1 , { \"c\" : \"d e\" } ] } }\n", "a.b.0", "1"},
    {" { \"a\" : { \"b\" : [ 1 , { \"c\" : \"d e\" } ] } }\n", "a.b.2", NULL},
    {" { \"a\" : { \"b\" : [ 1 , { \"c\" : \"d e\" } ] } }\n", "a.b.-1", NULL},
    {" { \"a\" : { \"b\" : [ 1 , { \"c\" : \"d e\" } ] } }\n", "a.b.c", NULL},
    {" { \"a\" : { \"b\" : [ 1 , { \"c\" : \"d e\" } ] } }\n", "b", NULL},
    {"[[],{},[null,true,-1.5e3]]", "2.2", "-1.5e3"},
    {"[[],{},[null,true,-1.5e3]]", "2.1", "true"},
    {"[[],{},[null,true,-1.5e3]]", "0", "[]"},
    {"[[],{},[null,true,-1.5e3]]", "1", "{}"},
    {"[[],{},[null,true,-1.5e3]]", "3", NULL},
    /* a repeated key: its last value is used */
    {"{\"a\":{\"x\":1},\"b\":2,\"a\":{\"y\":3}}", "a", "{\"y\":3}"},
    {"{\"a\":{\"x\":1},\"b\":2,\"a\":{\"y\":3}}", "a.x", NULL},
    {"{\"a\":{\"x\":1},\"b\":2,\"a\":{\"y\":3}}", "a.y", "3"},
    /* escapes are decoded in keys, and unchanged in values */
    {"{\"r\\u0061nk\":\"\\u0061\"}", "rank", "\"\\u0061\""},
    {"{\"a\\n\":1,\"\":2}", "a\n", "1"},
    {"{\"a.b\":1}", "a.b", NULL},
    {"{\"\":{\"\":2}}", ".", "2"},
    {"{\"a\":\"b\",\"c\":\"a\"}", "c", "\"a\""},
    {"{\"0\":1}", "0", "1"},
};

static void test_paths(void)
{
	struct json_tree t = {0};
	struct fault f;
	struct str value;
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		CHECK(read_tree(&t, str_of(rows[i].text), &f));
		value = json_tree_get(&t, rows[i].path);
		CHECK_INT(value.p != NULL, rows[i].value != NULL);
		if (rows[i].value)
			CHECK_STR(value, rows[i].value);
	}
	json_tree_free(&t);
	CHECK(!json_tree_get(&t, "").p && !json_tree_get(&t, "a").p);
}

static void test_texts(void)
{
	struct json_tree t = {0};
	struct fault f = {0};
	struct str text, key, value;
	size_t i, at;
	bool tree;

	for (i = 0; i < VALID_TEXTS; i++) {
		text = str_trim(valid_texts[i]);
		tree = *text.p == '{' || *text.p == '[';
		CHECK_INT(read_tree(&t, valid_texts[i], &f), tree);
		CHECK_INT(json_tree_get(&t, "").p != NULL, tree);
	}
	CHECK(read_tree(&t, STR("[1]"), &f));
	for (i = 0; i < INVALID_TEXTS; i++) {
		CHECK(!read_tree(&t, invalid_texts[i], &f));
		CHECK(!json_tree_get(&t, "0").p); /* no value of the preceding tree remains */
		at = 0;
		CHECK(!json_tree_next(&t, &at, &key, &value));
		CHECK(read_tree(&t, STR("[1]"), &f));
	}
	json_tree_free(&t);
}

static void test_members(void)
{
	struct json_tree t = {0};
	struct str key, value;
	struct fault f;
	size_t at = 0;

	CHECK(read_tree(&t, STR("{\"a\":[1,{\"x\":2}],\"b\\n\":\"s\",\"a\":{}}"), &f));
	CHECK(json_tree_next(&t, &at, &key, &value));
	CHECK_STR(key, "a");
	CHECK_STR(value, "[1,{\"x\":2}]");
	CHECK(json_tree_next(&t, &at, &key, &value));
	CHECK_STR(key, "b\\n");
	CHECK_STR(value, "\"s\"");
	CHECK(json_tree_next(&t, &at, &key, &value));
	CHECK_STR(key, "a");
	CHECK_STR(value, "{}");
	CHECK(!json_tree_next(&t, &at, &key, &value));
	at = 0;
	CHECK(read_tree(&t, STR("[[1],2]"), &f));
	CHECK(json_tree_next(&t, &at, &key, &value));
	CHECK(!key.p);
	CHECK_STR(value, "[1]");
	CHECK(json_tree_next(&t, &at, &key, &value));
	CHECK_STR(value, "2");
	CHECK(!json_tree_next(&t, &at, &key, &value));
	json_tree_free(&t);
}

static void repeat(struct buf *b, const char *what, size_t n)
{
	while (n--)
		buf_add(b, what, strlen(what));
}

/* A text that is nested too deeply, is too long, or has too many values is rejected, and the reason is reported. */
static void test_limits(void)
{
	struct json_tree t = {0};
	struct buf b = {0};
	struct fault f;
	size_t i;

	repeat(&b, "[", JSON_DEPTH);
	repeat(&b, "]", JSON_DEPTH);
	CHECK(read_tree(&t, (struct str){b.p, b.n}, &f));
	CHECK_INT(t.n, JSON_DEPTH);
	b.n = 0;
	repeat(&b, "[", JSON_DEPTH + 1);
	repeat(&b, "]", JSON_DEPTH + 1);
	CHECK(!read_tree(&t, (struct str){b.p, b.n}, &f));
	CHECK_STR(str_of(f.what), "nested deeper than 1024 levels");
	/* the array and its elements together: first the maximum number of values, then one more */
	for (i = 0; i < 2; i++) {
		b.n = 0;
		buf_lit(&b, "[0");
		repeat(&b, ",0", JSON_TREE_TOKENS - 2 + i);
		buf_lit(&b, "]");
		CHECK_INT(read_tree(&t, (struct str){b.p, b.n}, &f), i == 0);
	}
	CHECK_STR(str_of(f.what), "more than 1048576 keys and values");
	CHECK(t.cap < 2 * (size_t)JSON_TREE_TOKENS);
	b.n = 0;
	buf_lit(&b, "[\"");
	memset(buf_room(&b, JSON_TREE_BYTES), 'a', JSON_TREE_BYTES);
	b.n += JSON_TREE_BYTES - 4;
	buf_lit(&b, "\"]");
	CHECK(read_tree(&t, (struct str){b.p, b.n}, &f));
	CHECK_INT(json_tree_get(&t, "0").n, JSON_TREE_BYTES - 2);
	buf_lit(&b, " ");
	CHECK(!read_tree(&t, (struct str){b.p, b.n}, &f));
	CHECK_STR(str_of(f.what), "larger than 64 MiB");
	json_tree_free(&t);
	buf_free(&b);
}

void unit_test(void)
{
	test_paths();
	test_texts();
	test_members();
	test_limits();
}

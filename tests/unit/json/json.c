/* json: the validator against tables and a slow reading of the RFC, the tree, and strings both ways. */
#include "json/json.h"

#include "samples.h"
#include "slow_json.h"
#include "test.h"

static bool valid(struct str text)
{
	struct str exact = exact_copy(text);
	struct fault f = {0};
	bool good = json_check(exact, &f);

	if (!good)
		CHECK(f.what && f.byte <= text.n);
	free((char *)exact.p);
	return good;
}

#define LIT(s) {"" s, sizeof(s) - 1}

static const struct str good[] = {
    /* structure */
    LIT("[]"),
    LIT("[ ]"),
    LIT("{}"),
    LIT(" [1] "),
    LIT("[1]\n"),
    LIT("[[]   ]"),
    LIT("[\"\"]"),
    LIT("[[[]]]"),
    LIT("[1,null,true,false,\"s\",{}]"),
    LIT("[1\n,1\n,2]"),
    LIT("[1,\n1\n,1]"),
    LIT("{\"\":0}"),
    LIT("{\"a\":[]}"),
    LIT("{\"a\":\"b\",\"a\":\"c\"}"),
    LIT("{\"a\":\"b\",\"a\":\"b\"}"),
    LIT("{\"min\": -1.0e+28, \"max\": 1.0e+28}"),
    LIT("{\n\"a\": \"b\"\n}"),
    LIT("{\"title\":\"\\u041f\\u043e\"}"),
    LIT("{\"foo\\u0000bar\": 42}"),
    LIT("[{},[],{\"a\":[{}]}]"),
    LIT("\t\r\n [ \t\r\n1 \t\r\n, \t\r\n2 \t\r\n] \t\r\n"),
    LIT("{ \"a\" : 1 , \"b\" : [ 1 , 2 ] }"),
    /* lone scalars */
    LIT("true"),
    LIT("false"),
    LIT("null"),
    LIT("42"),
    LIT("-0.1"),
    LIT("\"asd\""),
    LIT("\"\""),
    LIT(" null "),
    /* numbers */
    LIT("[0]"),
    LIT("[-0]"),
    LIT("[-0.0]"),
    LIT("[0e1]"),
    LIT("[0e+1]"),
    LIT("[1E22]"),
    LIT("[1E-2]"),
    LIT("[1E+2]"),
    LIT("[123e45]"),
    LIT("[123.456e78]"),
    LIT("[1e-2]"),
    LIT("[1e+2]"),
    LIT("[123]"),
    LIT("[123.456789]"),
    LIT("[-1]"),
    LIT("[-123]"),
    LIT("[20e1]"),
    LIT("[ 4]"),
    LIT("[1e400]"),
    LIT("[-1e-9999]"),
    LIT("[0.00000000000000000000000000001]"),
    LIT("[100000000000000000000000000000000000000000000000]"),
    LIT("[1.0e00]"),
    /* strings */
    LIT("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]"),
    LIT("[\"\\u0060\\u012a\\u12AB\"]"),
    LIT("[\"\\uD801\\udc37\"]"),
    LIT("[\"\\ud83d\\ude39\\ud83d\\udc8d\"]"),
    LIT("[\"\\uDBFF\\uDFFF\"]"),
    LIT("[\"\\\\u0000\"]"),
    LIT("[\"\\\\n\"]"),
    LIT("[\"\\u0000\"]"),
    LIT("[\"\\u0012\"]"),
    LIT("[\"\\uFFFF\"]"),
    LIT("[\"\\u0821\"]"),
    LIT("[\"a/*b*/c/*d//e\"]"),
    LIT("[\"\x7f\"]"),
    LIT("[\"a\x7f"
	"a\"]"),
    LIT("[\"\xc2\x80\"]"),
    LIT("[\"\xdf\xbf\"]"),
    LIT("[\"\xe0\xa0\x80\"]"),
    LIT("[\"\xed\x9f\xbf\"]"),
    LIT("[\"\xee\x80\x80\"]"),
    LIT("[\"\xef\xbf\xbf\"]"),
    LIT("[\"\xf0\x90\x80\x80\"]"),
    LIT("[\"\xf4\x8f\xbf\xbf\"]"),
    LIT("[\"\xe2\x80\xa8\xe2\x80\xa9\"]"),
    LIT("[\"\xf0\x9d\x84\x9e\"]"),
    LIT("[\" \"]"),
    LIT("{\"\xe2\x82\xac\":1}"),
    LIT("[\"new\\u00A0line\"]"),
    LIT("[\"{[,:]}\"]"),
    LIT("[\"\xef\xbb\xbf\"]"),
};

static const struct str bad[] = {
    /* structure */
    LIT(""),
    LIT(" "),
    LIT("["),
    LIT("]"),
    LIT("{"),
    LIT("}"),
    LIT("[[]"),
    LIT("[]]"),
    LIT("{}}"),
    LIT("{\"a\":1}}"),
    LIT("[}"),
    LIT("{]"),
    LIT("[{]"),
    LIT("[{}"),
    LIT("[[[[}]]]"),
    LIT("{\"a\":[}"),
    LIT("{\"a\":[1}]"),
    LIT("[,"),
    LIT("[,1]"),
    LIT("[1,]"),
    LIT("[1,,]"),
    LIT("[1,,2]"),
    LIT("[\"\",]"),
    LIT("[,]"),
    LIT("[1 2]"),
    LIT("[1 true]"),
    LIT("[\"a\" 4]"),
    LIT("[3[4]]"),
    LIT("[\"x\"]]"),
    LIT("[\"\"],"),
    LIT("[1]x"),
    LIT("[]{}"),
    LIT("[][]"),
    LIT("1]"),
    LIT("1 2"),
    LIT("[1:2]"),
    LIT("[\"\": 1]"),
    LIT("[a"),
    LIT("[1,\n1\n,1"),
    LIT("[-"),
    LIT("[\"a"),
    LIT("[\"a\""),
    LIT("[\"a\","),
    LIT("[{\"a\":1},"),
    LIT("{,}"),
    LIT("{\"a\"}"),
    LIT("{\"a\":}"),
    LIT("{\"a\":"),
    LIT("{\"a\""),
    LIT("{\"a"),
    LIT("{\"a\" b}"),
    LIT("{\"a\",1}"),
    LIT("{\"a\"::1}"),
    LIT("{\"a\":1:2}"),
    LIT("{:1}"),
    LIT("{\"a\":1,}"),
    LIT("{\"a\":1,,}"),
    LIT("{\"a\":1,,\"b\":2}"),
    LIT("{,\"a\":1}"),
    LIT("{\"a\":1 \"b\":2}"),
    LIT("{\"a\":1,\"b\"}"),
    LIT("{a:1}"),
    LIT("{1:1}"),
    LIT("{'a':1}"),
    LIT("{null:1}"),
    LIT("{[1]:1}"),
    LIT("{\"a\":1, {}}"),
    LIT("{\"a\":\"a\" 123}"),
    LIT("{\"a\":/**/1}"),
    LIT("[1]//"),
    LIT("/**/[]"),
    LIT("[1]#"),
    LIT("{\"a\":\"b\"}/**/"),
    LIT("{\"x\", null}"),
    LIT("{\"x\":true,}"),
    LIT("<.>"),
    LIT("[<null>]"),
    LIT("\x0c[]"),
    LIT("[\x0c]"),
    LIT("[\x0b"
	"1]"),
    LIT("[1\xc2\xa0]"),
    LIT("\xef\xbb\xbf{}"),
    LIT("\xef\xbb\xbf"),
    LIT("\xe5"),
    LIT("[\0]"),
    LIT("[1\0]"),
    LIT("[1]\0"),
    LIT("\0"),
    LIT("{\"a\":1}\0"),
    LIT("\xff\xfe[\0]\0"),
    LIT("*"),
    LIT(","),
    LIT(":"),
    /* words */
    LIT("[tru]"),
    LIT("tru"),
    LIT("{\"a\":tru}"),
    LIT("[nul]"),
    LIT("[fals]"),
    LIT("[truth]"),
    LIT("[True]"),
    LIT("[TRUE]"),
    LIT("[None]"),
    LIT("nulll"),
    LIT("[truefalse]"),
    LIT("[null1]"),
    LIT("[undefined]"),
    LIT("[n/a]"),
    LIT("[N/A]"),
    LIT("abc"),
    /* numbers */
    LIT("[NaN]"),
    LIT("[-NaN]"),
    LIT("[nan]"),
    LIT("[inf]"),
    LIT("[Infinity]"),
    LIT("[-Infinity]"),
    LIT("[+1]"),
    LIT("[++1]"),
    LIT("[-]"),
    LIT("[- 1]"),
    LIT("[--1]"),
    LIT("[-01]"),
    LIT("[-012]"),
    LIT("[01]"),
    LIT("[012]"),
    LIT("[00]"),
    LIT("[-1.0.]"),
    LIT("[0.1.2]"),
    LIT("[.1]"),
    LIT("[.-1]"),
    LIT("[.2e-3]"),
    LIT("[-.1]"),
    LIT("[1.]"),
    LIT("[-2.]"),
    LIT("[0.e1]"),
    LIT("[2.e3]"),
    LIT("[2.e+3]"),
    LIT("[2.e-3]"),
    LIT("[0.3e]"),
    LIT("[0.3e+]"),
    LIT("[0e]"),
    LIT("[0E]"),
    LIT("[0e+]"),
    LIT("[0E+]"),
    LIT("[1e]"),
    LIT("[01e]"),
    LIT("[1.0e]"),
    LIT("[1.0e-]"),
    LIT("[1.0e+]"),
    LIT("[1eE2]"),
    LIT("[9.e+]"),
    LIT("[1 000.0]"),
    LIT("[1+2]"),
    LIT("[1-2]"),
    LIT("[0x1]"),
    LIT("[0x42]"),
    LIT("[1a]"),
    LIT("[1.2a-3]"),
    LIT("[1_000]"),
    LIT("[1.8011670033376514H-308]"),
    LIT("[\xef\xbc\x91]"),
    LIT("[-123.123foo]"),
    LIT("[-foo]"),
    LIT("[1e\xe5]"),
    LIT("[123\xe5]"),
    LIT("-"),
    LIT("1."),
    LIT("1e"),
    LIT("01"),
    LIT("[0e5.3]"),
    LIT("[--0]"),
    /* strings */
    LIT("\""),
    LIT("[\"]"),
    LIT("[\"a\"b\"]"),
    LIT("['a']"),
    LIT("[\"\\\"]"),
    LIT("[\"\\"),
    LIT("[\"\\x00\"]"),
    LIT("[\"\\a\"]"),
    LIT("[\"\\0\"]"),
    LIT("[\"\\\0\"]"),
    LIT("[\"\\\xe5\"]"),
    LIT("[\"\\'\"]"),
    LIT("[\"\\U0041\"]"),
    LIT("[\"\\\xf0\x9f\x8c\x80\"]"),
    LIT("[\"\\u\"]"),
    LIT("[\"\\u0\"]"),
    LIT("[\"\\u00\"]"),
    LIT("[\"\\u00A\"]"),
    LIT("[\"\\u00G0\"]"),
    LIT("[\"\\u 123\"]"),
    LIT("[\"\\u+123\"]"),
    LIT("[\"\\u123"),
    LIT("[\"\\uD800\"]"),
    LIT("[\"\\uD800\\\"]"),
    LIT("[\"\\uD800\\u\"]"),
    LIT("[\"\\uD800\\u1\"]"),
    LIT("[\"\\uD800\\u1x\"]"),
    LIT("[\"\\uD800\\uD800\"]"),
    LIT("[\"\\uD800abc\"]"),
    LIT("[\"\\uDC00\"]"),
    LIT("[\"\\uDFFF\\uD800\"]"),
    LIT("[\"\\uDADA\\n\"]"),
    LIT("[\"\\uD834\\u0041\"]"),
    LIT("[\\n]"),
    LIT("[\"\\uD800\\uDC0\"]"),
    LIT("[\"\n\"]"),
    LIT("[\"new\nline\"]"),
    LIT("[\"\t\"]"),
    LIT("[\"\r\"]"),
    LIT("[\"\0\"]"),
    LIT("[\"a\x1f\"]"),
    LIT("[\"\x01\"]"),
    LIT("{\"\n\":1}"),
    LIT("{\"a\\x\":1}"),
    LIT("{\"\xff\":1}"),
    LIT("[\"\x80\"]"),
    LIT("[\"\xbf\"]"),
    LIT("[\"\xc0\xaf\"]"),
    LIT("[\"\xc1\xbf\"]"),
    LIT("[\"\xc2\"]"),
    LIT("[\"\xc2\x41\"]"),
    LIT("[\"\xe0\x80\xaf\"]"),
    LIT("[\"\xe0\x9f\xbf\"]"),
    LIT("[\"\xe2\x82\"]"),
    LIT("[\"\xe2\x82\x41\"]"),
    LIT("[\"\xed\xa0\x80\"]"),
    LIT("[\"\xed\xbf\xbf\"]"),
    LIT("[\"\xf0\x80\x80\xaf\"]"),
    LIT("[\"\xf0\x8f\xbf\xbf\"]"),
    LIT("[\"\xf0\x9f\x98\"]"),
    LIT("[\"\xf4\x90\x80\x80\"]"),
    LIT("[\"\xf5\x80\x80\x80\"]"),
    LIT("[\"\xf8\x88\x80\x80\x80\"]"),
    LIT("[\"\xfe\"]"),
    LIT("[\"\xff\"]"),
    LIT("[\"a\xe9\"]"),
    LIT("[\"\xc2"),
    LIT("[\"\xf0\x9f"),
    LIT("{\"a\":\"\xe9t\xe9\"}"),
};

static void test_tables(void)
{
	struct buf b = {0};
	struct fault f;
	size_t i, pad;

	for (i = 0; i < sizeof good / sizeof *good; i++) {
		if (!valid(good[i])) {
			CHECK(json_check(good[i], &f));
			printf("  refused: %.*s at %ju: %s\n", STR_FMT(good[i]), (uintmax_t)f.byte, f.what);
		}
		CHECK(slow_json(good[i]));
	}
	for (i = 0; i < sizeof bad / sizeof *bad; i++) {
		if (valid(bad[i])) {
			CHECK(!json_check(bad[i], &f));
			printf("  taken: %.*s\n", STR_FMT(bad[i]));
		}
		CHECK(!slow_json(bad[i]));
	}
	/* The same behind 0 to 40 plain bytes of a string, so that every step of 16 and every tail is met. */
	for (pad = 0; pad <= 40; pad++) {
		for (i = 0; i < sizeof good / sizeof *good + sizeof bad / sizeof *bad; i++) {
			bool is_good = i < sizeof good / sizeof *good;
			struct str s = is_good ? good[i] : bad[i - sizeof good / sizeof *good];

			b.n = 0;
			buf_lit(&b, "[\"");
			memset(buf_room(&b, pad), 'x', pad);
			b.n += pad;
			buf_lit(&b, "\",");
			buf_add(&b, s.p, s.n);
			buf_lit(&b, "]");
			CHECK_INT(valid((struct str){b.p, b.n}), slow_json((struct str){b.p, b.n}));
			CHECK_INT(valid((struct str){b.p, b.n - 1}), slow_json((struct str){b.p, b.n - 1}));
			if (s.n < 3 || s.p[0] != '[' || s.p[1] != '"')
				continue;
			/* within the string, too */
			b.n = 0;
			buf_lit(&b, "[\"");
			memset(buf_room(&b, pad), 'x', pad);
			b.n += pad;
			buf_add(&b, s.p + 2, s.n - 2);
			CHECK_INT(valid((struct str){b.p, b.n}), is_good);
		}
	}
	buf_free(&b);
}

static struct str nested(struct buf *b, size_t depth, const char *open, const char *close)
{
	size_t i;

	b->n = 0;
	for (i = 0; i < depth; i++)
		buf_add(b, open, strlen(open));
	buf_lit(b, "1");
	for (i = 0; i < depth; i++)
		buf_add(b, close, strlen(close));
	return (struct str){b->p, b->n};
}

static void test_depth(void)
{
	struct buf b = {0};
	struct fault f;
	struct json j = {0};
	size_t d;

	for (d = 1; d <= JSON_DEPTH; d += d < 130 || d > 1020 ? 1 : 97) {
		CHECK(valid(nested(&b, d, "[", "]")));
		CHECK(valid(nested(&b, d, "{\"k\":", "}")));
		if (d % 2 == 0)
			CHECK(valid(nested(&b, d / 2, "[{\"k\":", "}]")));
		CHECK(!valid(nested(&b, d, "[", "}")));
	}
	CHECK(!json_check(nested(&b, JSON_DEPTH + 1, "[", "]"), &f));
	CHECK_STR(str_of(f.what), "nested deeper than 1024");
	CHECK_INT(f.byte, JSON_DEPTH);
	CHECK(!valid(nested(&b, 100000, "[", "]")));
	CHECK(json_parse(&j, nested(&b, JSON_DEPTH, "{\"k\":", "}"), &f));
	CHECK_INT(j.n, 2 * JSON_DEPTH + 1);
	CHECK_INT(j.nodes[0].next, j.n);
	CHECK_INT(json_member(&j, 2 * JSON_DEPTH - 2, STR("k")), 2 * JSON_DEPTH);
	json_free(&j);
	buf_free(&b);
}

static void test_places(void)
{
	static const struct {
		const char *text, *what;
		size_t byte;
	} rows[] = {
	    {"", "cut short", 0},
	    {"{\"a\":1", "cut short", 6},
	    {"{\"a\" 1}", "a colon was expected", 5},
	    {"{a:1}", "a key in quotes was expected", 1},
	    {"{\"a\":1}}", "more text behind the value", 7},
	    {"[1 2]", "a comma or the closing bracket was expected", 3},
	    {"[1,]", "a value was expected", 3},
	    {"[\"a\nb\"]", "control character in a string", 3},
	    {"[\"a\\qb\"]", "backslash that begins no escape", 3},
	    {"[\"a\\u12g4\"]", "\\u without four hexadecimal digits", 3},
	    {"[\"a\\ud800\"]", "lone surrogate", 3},
	    {"[\"a\xff\"]", "invalid UTF-8", 3},
	    {"[\"abc", "string without end", 5},
	    {"[tru]", "a value was expected", 1},
	};
	struct fault f;
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		f = (struct fault){0};
		CHECK(!json_check(str_of(rows[i].text), &f));
		CHECK_STR(str_of(f.what), rows[i].what);
		CHECK_INT(f.byte, rows[i].byte);
	}
}

/* 120000 damaged texts: the fast reading and the slow one agree on every one. */
static void test_mutations(void)
{
	struct buf b = {0};
	size_t i, taken = 0, disagree = 0;
	struct str s, text;
	bool fast, slow;

	for (i = 0; i < 120000; i++) {
		s = i % 8 ? str_of(samples[i % SAMPLES]) : good[random_below(sizeof good / sizeof *good)];
		mutate(&b, s, 1 + i % 4);
		text = (struct str){b.p, b.n};
		fast = valid(text);
		slow = slow_json(text);
		taken += slow;
		if (fast != slow && disagree++ < 10)
			printf("  fast %d, slow %d: %.*s\n", fast, slow, STR_FMT(text));
	}
	CHECK_INT(disagree, 0);
	/* The mutations are worth something only when both answers come up often. */
	CHECK(taken > 5000 && taken < 115000);
	buf_free(&b);
}

/* --- the tree --- */

/* The tree again, by recursion over the text alone; returns the index behind the value's nodes. */
static size_t check_nodes(const struct json *j, size_t i, struct slow *s)
{
	const struct json_node *n = &j->nodes[i];
	const char *text = j->text.p;
	size_t child = i + 1, size = 0;
	int c;

	slow_space(s);
	c = slow_peek(s);
	CHECK(i < j->n);
	if (c == '{' || c == '[') {
		CHECK_INT(n->type, c == '{' ? JSON_OBJECT : JSON_ARRAY);
		CHECK_INT(n->start, (const char *)s->p - text);
		s->p++;
		slow_space(s);
		if (slow_peek(s) != '}' && slow_peek(s) != ']') {
			do {
				if (c == '{') {
					size_t key = child;

					child = check_nodes(j, child, s);
					CHECK_INT(j->nodes[key].next, child);
					slow_space(s);
					slow_eat(s, ':');
				}
				child = check_nodes(j, child, s);
				slow_space(s);
				size++;
			} while (slow_eat(s, ','));
		}
		s->p++;
	} else if (c == '"') {
		CHECK_INT(n->type, JSON_STRING);
		CHECK_INT(n->start, (const char *)s->p - text + 1);
		slow_string(s);
		CHECK_INT(n->end, (const char *)s->p - text - 1);
		CHECK_INT(n->size, 0);
		CHECK_INT(n->next, i + 1);
		return child;
	} else {
		CHECK_INT(n->type, JSON_OTHER);
		CHECK_INT(n->start, (const char *)s->p - text);
		slow_value(s);
	}
	CHECK_INT(n->end, (const char *)s->p - text);
	CHECK_INT(n->size, size);
	CHECK_INT(n->next, child);
	return child;
}

static void test_tree(void)
{
	struct json j = {0};
	struct fault f;
	struct buf b = {0};
	struct slow s;
	size_t i, o;

	for (i = 0; i < sizeof good / sizeof *good + SAMPLES; i++) {
		struct str text = i < SAMPLES ? str_of(samples[i]) : good[i - SAMPLES];

		CHECK(json_parse(&j, text, &f));
		s = (struct slow){(const unsigned char *)text.p, (const unsigned char *)text.p + text.n, 0};
		CHECK_INT(check_nodes(&j, 0, &s), j.n);
	}
	/* One tree over all of them, so that the arrays grow in the middle. */
	buf_lit(&b, "[0");
	for (i = 0; i < 300; i++) {
		buf_lit(&b, ",");
		buf_add(&b, samples[i % SAMPLES], strlen(samples[i % SAMPLES]));
	}
	buf_lit(&b, "]");
	json_free(&j);
	CHECK(json_parse(&j, (struct str){b.p, b.n}, &f));
	s = (struct slow){(const unsigned char *)b.p, (const unsigned char *)b.p + b.n, 0};
	CHECK_INT(check_nodes(&j, 0, &s), j.n);
	CHECK_INT(j.nodes[0].size, 301);
	for (i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK(!json_parse(&j, bad[i], &f));

	CHECK(json_parse(&j, str_of(samples[4]), &f));
	CHECK_STR(json_text(&j, json_member(&j, 0, STR("a"))), "2");
	CHECK_STR(json_text(&j, json_member(&j, 0, STR(""))), "\"\"");
	CHECK_STR(json_text(&j, json_member(&j, 0, STR("k\\u0041"))), "[ ]");
	CHECK_INT(json_member(&j, 0, STR("b")), 0);
	o = 2; /* the first "a" */
	CHECK_STR(json_text(&j, json_member(&j, o, STR("b"))), "{\"c\":[{\"d\":[[[[1]]]]},\"e\"]}");
	CHECK_INT(json_member(&j, json_member(&j, 0, STR("a")), STR("b")), 0);
	json_free(&j);
	buf_free(&b);
}

/* --- strings --- */

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
	CHECK_STR(
	    unescaped(&b, "\\u0041\\u00e9\\u20AC\\ud83d\\uDE00z"), "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z");
	CHECK_STR(unescaped(&b, "a\\\\u0041"), "a\\u0041");
	CHECK_STR(unescaped(&b, "\\udbff\\udfff"), "\xf4\x8f\xbf\xbf");
	CHECK_INT(unescaped(&b, "a\\u0000b").n, 3);
	CHECK_INT(b.p[1], 0);

	CHECK_STR(quoted(&b, STR("")), "\"\"");
	CHECK_STR(quoted(&b, STR("a\"b\\c/d")), "\"a\\\"b\\\\c/d\"");
	CHECK_STR(
	    quoted(&b, STR("\b\f\n\r\t\0\x01\x1f\x7f")), "\"\\b\\f\\n\\r\\t\\u0000\\u0001\\u001f\x7f\"");
	CHECK_STR(quoted(&b, STR("\xe2\x82\xac \xf0\x9f\x98\x80")), "\"\xe2\x82\xac \xf0\x9f\x98\x80\"");
#define BAD "\xef\xbf\xbd"
	/* The Unicode Standard's own examples, 3.9, tables 3-8 to 3-11. */
	CHECK_STR(quoted(&b, STR("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41")),
	    "\"" BAD BAD BAD BAD BAD BAD BAD BAD "A\"");
	CHECK_STR(quoted(&b, STR("\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41")),
	    "\"" BAD BAD BAD BAD BAD BAD BAD BAD "A\"");
	CHECK_STR(quoted(&b, STR("\xf4\x91\x92\x93\xff\x41\x80\xbf\x42")),
	    "\"" BAD BAD BAD BAD BAD "A" BAD BAD "B\"");
	CHECK_STR(quoted(&b, STR("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41")), "\"" BAD BAD BAD BAD "A\"");
	CHECK_STR(quoted(&b, STR("cut \xf0\x9f\x98")), "\"cut " BAD "\"");

	/* What is quoted is valid, and says the same again when it was UTF-8. */
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
		/* valid as it stands: unescape and quote again, twice, comes to rest */
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

/* Names that need no escape have none; all else stays byte by byte. */
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

int main(void)
{
	test_keys();
	test_tables();
	test_depth();
	test_places();
	test_mutations();
	test_tree();
	test_strings();
	return test_end();
}

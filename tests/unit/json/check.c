/* check: the validator, compared with tables and with slow_json.h. */
#include "json/check.h"

#include "json_texts.h"
#include "samples.h"
#include "slow_json.h"
#include "test.h"

static bool valid(struct str text)
{
	struct str exact = exact_copy(text);
	struct fault f = {0};
	bool good = json_check(exact, &f);

	if (!good)
		CHECK(f.what && f.at.byte <= text.n);
	free((char *)exact.p);
	return good;
}

static void test_tables(void)
{
	struct buf b = {0};
	size_t i, pad;

	for (i = 0; i < VALID_TEXTS; i++) {
		CHECK_SHOW(valid(valid_texts[i]), "%.*s", STR_FMT(valid_texts[i]));
		CHECK(slow_json(valid_texts[i]));
	}
	for (i = 0; i < INVALID_TEXTS; i++) {
		CHECK_SHOW(!valid(invalid_texts[i]), "%.*s", STR_FMT(invalid_texts[i]));
		CHECK(!slow_json(invalid_texts[i]));
	}
	/*
	 * Tests each text again, after a string of 0 to 40 plain bytes: it then begins at every position in a block of
	 * 16 bytes.
	 */
	for (pad = 0; pad <= 40; pad++) {
		for (i = 0; i < VALID_TEXTS + INVALID_TEXTS; i++) {
			bool is_good = i < VALID_TEXTS;
			struct str s = is_good ? valid_texts[i] : invalid_texts[i - VALID_TEXTS];

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
			/* the same, but the plain bytes are inside the first string of the text */
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
	size_t d;

	for (d = 1; d <= JSON_DEPTH; d += d < 130 || d > 1020 ? 1 : 97) {
		CHECK(valid(nested(&b, d, "[", "]")));
		CHECK(valid(nested(&b, d, "{\"k\":", "}")));
		if (d % 2 == 0)
			CHECK(valid(nested(&b, d / 2, "[{\"k\":", "}]")));
		CHECK(!valid(nested(&b, d, "[", "}")));
	}
	CHECK(!json_check(nested(&b, JSON_DEPTH + 1, "[", "]"), &f));
	CHECK_STR(str_of(f.what), "nested deeper than 1024 levels");
	CHECK_INT(f.at.byte, JSON_DEPTH);
	CHECK(!valid(nested(&b, 100000, "[", "]")));
	for (d = JSON_DEPTH - 1; d <= JSON_DEPTH_MORE; d++)
		CHECK(json_check_deep(nested(&b, d, "{\"k\":", "}"), &f));
	CHECK(!json_check_deep(nested(&b, d, "[", "]"), &f));
	CHECK_STR(str_of(f.what), "nested deeper than 1088 levels");
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
	    {"{\"a\" 1}", "expected a colon", 5},
	    {"{a:1}", "expected a key in quotes", 1},
	    {"{\"a\":1}}", "text after the value", 7},
	    {"[1 2]", "expected a comma or a closing bracket", 3},
	    {"[1,]", "expected a value", 3},
	    {"[\"a\nb\"]", "control character in a string", 3},
	    {"[\"a\\qb\"]", "invalid escape in a string", 3},
	    {"[\"a\\u12g4\"]", "\\u without four hexadecimal digits", 3},
	    {"[\"a\\ud800\"]", "unpaired surrogate", 3},
	    {"[\"a\xff\"]", "invalid UTF-8", 3},
	    {"[\"abc", "string has no closing quote", 5},
	    {"[tru]", "expected a value", 1},
	};
	struct fault f;
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		f = (struct fault){0};
		CHECK(!json_check(str_of(rows[i].text), &f));
		CHECK_STR(str_of(f.what), rows[i].what);
		CHECK_INT(f.at.byte, rows[i].byte);
	}
}

/* 120000 damaged texts: the fast and the slow validator agree on every one. */
static void test_mutations(void)
{
	struct buf b = {0};
	size_t i, taken = 0;
	struct str s, text;
	bool fast, slow;

	for (i = 0; i < 120000; i++) {
		s = i % 8 ? str_of(samples[i % SAMPLES]) : valid_texts[random_below(VALID_TEXTS)];
		mutate(&b, s, 1 + i % 4);
		text = (struct str){b.p, b.n};
		fast = valid(text);
		slow = slow_json(text);
		taken += slow;
		CHECK_SHOW(fast == slow, "fast %d, slow %d: %.*s", fast, slow, STR_FMT(text));
	}
	/* Valid and invalid texts must both be frequent, so that the comparison tests both results. */
	CHECK(taken > 5000 && taken < 115000);
	buf_free(&b);
}

void unit_test(void)
{
	test_tables();
	test_depth();
	test_places();
	test_mutations();
}

/* key_gaps: a gap that is found must be the one that iter_key() finds at the same place. */
#include "trace2ndjson/formats/chrome/key_gaps.h"

#include "json/check.h"
#include "samples.h"
#include "test.h"

/* Appends an object with some of a few keys and layouts. */
static void put_object(struct buf *b)
{
	static const char *const keys[] = {"ts", "dur", "name", "args",
	    "a key that is too long to be stored in a gap: 0123456789 0123456789 0123456789"};
	static const char *const spaces[] = {"", "", " ", "\n    ", "\t"}, *const values[] = {
									       "1", "\"x\"", "[]", "{ }"};
	const char *space = spaces[random_below(5)], *z;
	size_t i, first = 1;

#define PUT(s) (z = (s), buf_add(b, z, strlen(z)))
	b->n = 0;
	PUT("{");
	for (i = 0; i < 5; i++) {
		if (random_below(3) == 0)
			continue;
		PUT(first ? "" : ",");
		first = 0;
		PUT(space);
		PUT("\"");
		PUT(random_below(9) ? keys[i] : keys[random_below(5)]);
		PUT("\":");
		PUT(random_below(9) ? "" : " ");
		PUT(values[random_below(4)]);
	}
	PUT(space);
	PUT("}");
#undef PUT
}

/* Iterates over the members and compares each gap. Returns the number of gaps that were found. */
static size_t compare(struct key_gaps *g, struct str text)
{
	struct key_gap *last = key_gaps_begin(g), *gap;
	struct str key, value, found;
	const char *from;
	size_t hits = 0;
	struct iter w;
	int r;

	iter_init(&w, text);
	do {
		from = w.p;
		gap = last ? key_gaps_find(g, last, from, w.end) : NULL;
		r = iter_key(&w, &key);
		if (r == 0)
			w.p++;
		if (!gap) {
			key = r > 0 ? key : (struct str){NULL, 0};
			found = (struct str){from, (size_t)(w.p - from)};
			last = last && r >= 0
				   ? key_gaps_learn(g, last, found, key, r > 0 ? (unsigned)key.n : KEY_GAP_END)
				   : NULL;
			continue;
		}
		hits++;
		last = gap;
		if (gap->member == KEY_GAP_END && from + gap->n < w.end)
			return hits;
		CHECK(from + gap->n == w.p);
		CHECK_INT(r > 0, gap->member != KEY_GAP_END);
		if (r > 0)
			CHECK(from + gap->key == key.p && gap->key_n == key.n && gap->member == key.n);
		/* the text without white space */
		CHECK_INT(json_check(text, NULL) && gap->squeezed_n > gap->n, false);
		CHECK_INT(memchr(gap->squeezed, '\n', gap->squeezed_n) != NULL, false);
	} while (r > 0 && iter_value(&w, &value));
	return hits;
}

static void test_learned(void)
{
	static struct key_gaps g;
	struct key_gap *begin = key_gaps_begin(&g), *first, *second;
	const char *text =
	    "{ \"a\" : 1 , \"bc\" : 2 }                                                                  ";

	CHECK(!key_gaps_find(&g, begin, text + 1, text + 23));
	first = key_gaps_learn(&g, begin, (struct str){text + 1, 7}, (struct str){text + 3, 1}, 5);
	CHECK_STR(((struct str){first->squeezed, first->squeezed_n}), "\"a\":");
	second = key_gaps_learn(&g, first, (struct str){text + 9, 10}, (struct str){text + 13, 2}, 6);
	CHECK_STR(((struct str){second->squeezed, second->squeezed_n}), ",\"bc\":");
	CHECK(key_gaps_find(&g, begin, text + 1, text + 23) == first);
	CHECK(!key_gaps_find(&g, begin, text + 1, text + 8)); /* no value precedes the end of the text */
	CHECK(key_gaps_find(&g, begin, text + 1, text + 9) == first);
	CHECK(key_gaps_find(&g, first, text + 9, text + 23) == second);
	CHECK(!key_gaps_find(&g, second, text + 9, text + 23));
}

void unit_test(void)
{
	static struct key_gaps g;
	struct buf b = {0}, changed = {0};
	size_t i, hits = 0;
	struct str copy;

	test_learned();
	for (i = 0; i < 20000; i++) {
		put_object(&b);
		mutate(&changed, (struct str){b.p, b.n}, 1);
		copy = padded_copy(random_below(3) ? (struct str){b.p, b.n} : (struct str){changed.p, changed.n});
		if (copy.n && copy.p[0] == '{')
			hits += compare(&g, copy);
		free((char *)copy.p);
	}
	CHECK(hits > 20000);
	bufs_free(&b, &changed);
}

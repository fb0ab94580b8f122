#include "interval/interval_index.h"

#include "test.h"

#include <stdlib.h>

/* A generator that returns the same numbers on every machine. */
static uint32_t random_below(uint32_t n)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % n;
}

static bool is_outside(const struct interval_index_entry *a, const struct interval_index_entry *b)
{
	if (a->start != b->start)
		return a->start < b->start;
	return a->end != b->end ? a->end > b->end : (int32_t)(a->seq - b->seq) < 0;
}

/* Counts the matching intervals of scope 0 by checking all of them. */
static size_t count(const struct interval_index_entry *all, size_t n, int64_t from, int64_t to)
{
	size_t i, found = 0;

	for (i = 0; i < n; i++)
		found += all[i].start <= from && all[i].end >= to;
	return found;
}

static bool found_right(
    const struct interval_index *s, const struct interval_index_entry *all, size_t n, int64_t from, int64_t to)
{
	size_t i;

	if (s->n_found != count(all, n, from, to))
		return false;
	for (i = 0; i < s->n_found; i++) {
		if (s->found[i].start > from || s->found[i].end < to)
			return false;
		if (i && !is_outside(&s->found[i - 1], &s->found[i]))
			return false;
	}
	return true;
}

/* Searches for all matching intervals and for the innermost one; false when the innermost one is wrong. */
static bool search(struct interval_index *s, int64_t from, int64_t to)
{
	struct interval_index_entry innermost;
	bool any = interval_index_innermost(s, 0, from, to, &innermost);

	s->n_found = 0;
	interval_index_find(s, 0, from, to);
	interval_index_sort(s);
	return any ? s->n_found && s->found[s->n_found - 1].seq == innermost.seq : !s->n_found;
}

/*
 * The intervals are short and long, cross each other, and often have equal starts. Each search must find the same
 * intervals as a check of all of them.
 */
static void test_random(uint32_t step, uint32_t length)
{
	enum { N = 1500 };
	static struct interval_index_entry all[N];
	struct interval_index s = {0};
	size_t i, wrong = 0;
	int64_t at = -2000;

	for (i = 0; i < N; i++) {
		int64_t from, to;

		at += random_below(step);
		all[i] = (struct interval_index_entry){
		    at, at + random_below(random_below(length) + 1), 0, (uint32_t)i - 700};
		interval_index_add(&s, 0, &all[i]);
		interval_index_add(&s, 1, &all[i]);
		from = at - random_below(200);
		to = from + random_below(length / 4 + 1);
		wrong += !search(&s, from, to) || !found_right(&s, all, i + 1, from, to);
		wrong += !search(&s, at, at) || !found_right(&s, all, i + 1, at, at);
	}
	CHECK_INT(wrong, 0);
	CHECK_INT(s.n, 2 * N);
	interval_index_free(&s);
}

static uint32_t twice(void *arg, uint32_t name)
{
	++*(size_t *)arg;
	return name * 2;
}

static void test_expire(void)
{
	struct interval_index s = {0};
	size_t i, renamed = 0;

	/* A long interval, and short intervals after it. */
	interval_index_add(&s, 0, &(struct interval_index_entry){0, 1000000, 7, 0});
	for (i = 1; !interval_index_grown(&s); i++)
		interval_index_add(&s, 0, &(struct interval_index_entry){(int64_t)i, (int64_t)i + 2, 1, (uint32_t)i});
	interval_index_expire(&s, (int64_t)i - 10, twice, &renamed);
	CHECK(!interval_index_grown(&s));
	CHECK_INT(s.n, 1 + 12);
	CHECK_INT(renamed, s.n);
	search(&s, (int64_t)i - 5, (int64_t)i - 5);
	CHECK_INT(s.n_found, 1 + 3);
	CHECK_INT(s.found[0].name, 14);
	CHECK_INT(s.found[3].name, 2);
	interval_index_expire(&s, 2000000, NULL, NULL);
	CHECK_INT(s.n, 0);
	search(&s, 5, 5);
	CHECK_INT(s.n_found, 0);
	interval_index_add(&s, 0, &(struct interval_index_entry){5, 5, 3, 9});
	search(&s, 5, 5);
	CHECK_INT(s.n_found, 1);
	interval_index_free(&s);
}

static void test_edges(void)
{
	struct interval_index s = {0};

	search(&s, 0, 0);
	CHECK_INT(s.n_found, 0);
	interval_index_add(&s, 3, &(struct interval_index_entry){INT64_MIN, INT64_MAX, 1, 1});
	interval_index_find(&s, 2, 0, 0);
	interval_index_find(&s, 4, 0, 0);
	CHECK_INT(s.n_found, 0);
	interval_index_find(&s, 3, INT64_MIN, INT64_MAX);
	interval_index_find(&s, 3, INT64_MAX, INT64_MIN);
	CHECK_INT(s.n_found, 2);
	interval_index_free(&s);
}

void unit_test(void)
{
	test_random(10, 50);
	test_random(2, 2000);
	test_random(1000, 20);
	test_expire();
	test_edges();
}

/* merge_heap: what comes first of several sources, until all are used up. */
#include "ts-sort/merge_heap.h"

#include "test.h"

enum { SOURCES = 9, EACH = 50 };

/* The i-th record of a source: in order, with ties within and between sources. */
static struct head record(size_t source, size_t i)
{
	return (struct head){(int64_t)(i / 3 * (source % 4 + 1)) - 20, 7 - (int64_t)(i % 3), source};
}

int main(void)
{
	struct merge_heap h = {0};
	struct head before, now, next;
	size_t at[SOURCES] = {0}, i, n = 0;

	for (i = SOURCES; i--;)
		merge_heap_add(&h, record(i, 0));
	while (h.n) {
		now = h.list[0];
		CHECK_INT(now.ts, record(now.source, at[now.source]).ts);
		CHECK(!n || !merge_heap_before(&now, &before));
		before = now;
		n++;
		if (++at[now.source] == EACH) {
			merge_heap_drop(&h);
			continue;
		}
		next = record(now.source, at[now.source]);
		merge_heap_replace(&h, next.ts, next.dur);
	}
	CHECK_INT(n, SOURCES * EACH);
	merge_heap_free(&h);

	CHECK(merge_heap_before(&(struct head){INT64_MIN, 0, 1}, &(struct head){INT64_MAX, 0, 0}));
	CHECK(merge_heap_before(&(struct head){1, 5, 1}, &(struct head){1, -5, 0}));
	CHECK(merge_heap_before(&(struct head){1, 5, 0}, &(struct head){1, 5, 1}));
	CHECK(!merge_heap_before(&(struct head){1, 5, 0}, &(struct head){1, 5, 0}));
	return test_end();
}

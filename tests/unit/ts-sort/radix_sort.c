/*
 * radix_sort: gives the same order as qsort() with a comparison that keeps ties in input order, for few and many items
 * and for keys of all widths.
 */
#include "ts-sort/radix_sort.h"

#include "base/mem.h"
#include "test.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	const struct radix_sort_item *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static uint64_t seed = 88172645463325252;

static uint64_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static void check_sort(size_t n, uint64_t mask)
{
	struct radix_sort_item *items = mem_zero(n + 1, sizeof *items), *want = mem_zero(n + 1, sizeof *items);
	struct radix_sort_item *scratch = mem_zero(n + 1, sizeof *items);
	size_t i;

	for (i = 0; i < n; i++)
		want[i] = items[i] = (struct radix_sort_item){next_random() & mask, i};
	items[n].key = scratch[n].key = 12345;
	radix_sort(items, scratch, n);
	qsort(want, n, sizeof *want, compare);
	CHECK(memcmp(items, want, n * sizeof *want) == 0);
	CHECK(items[n].key == 12345 && scratch[n].key == 12345);
	free(items);
	free(want);
	free(scratch);
}

void unit_test(void)
{
	static const uint64_t masks[] = {
	    0, 1, 0xff, 0x100, 0xff00ff, UINT64_MAX, (uint64_t)1 << 63, 0xff00000000000000};
	static const size_t sizes[] = {0, 1, 2, 47, 48, 49, 300, 5000};
	size_t i, j;

	for (i = 0; i < sizeof masks / sizeof *masks; i++) {
		for (j = 0; j < sizeof sizes / sizeof *sizes; j++)
			check_sort(sizes[j], masks[i]);
	}
	CHECK(radix_sort_key(INT64_MIN) == 0 && radix_sort_key(INT64_MAX) == UINT64_MAX);
	CHECK(radix_sort_key(-2) < radix_sort_key(-1) && radix_sort_key(-1) < radix_sort_key(0) &&
	      radix_sort_key(0) < radix_sort_key(1));
}

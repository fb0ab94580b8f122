#include "radix_sort.h"

#include <string.h>

enum { DIGIT = 8, BUCKETS = 1 << DIGIT, DIGITS = 64 / DIGIT, FEW = 48 };

/* Used for few items, for which counting costs more than it saves. */
static void insertion_sort(struct radix_sort_item *items, size_t n)
{
	struct radix_sort_item item;
	size_t i, j;

	for (i = 1; i < n; i++) {
		item = items[i];
		for (j = i; j && items[j - 1].key > item.key; j--)
			items[j] = items[j - 1];
		items[j] = item;
	}
}

/* Sets counts[d][v] to the number of items whose digit d is v; d == 0 is the lowest digit. */
static void count(const struct radix_sort_item *items, size_t n, size_t counts[DIGITS][BUCKETS])
{
	size_t i, d;

	memset(counts, 0, sizeof(size_t[DIGITS][BUCKETS]));
	for (i = 0; i < n; i++) {
		for (d = 0; d < DIGITS; d++)
			counts[d][items[i].key >> d * DIGIT & (BUCKETS - 1)]++;
	}
}

static void deal(const struct radix_sort_item *from, struct radix_sort_item *to, size_t n, size_t *counts, size_t shift)
{
	size_t i, sum = 0, c;

	for (i = 0; i < BUCKETS; i++) {
		c = counts[i];
		counts[i] = sum;
		sum += c;
	}
	for (i = 0; i < n; i++)
		to[counts[from[i].key >> shift & (BUCKETS - 1)]++] = from[i];
}

void radix_sort(struct radix_sort_item *items, struct radix_sort_item *scratch, size_t n)
{
	size_t counts[DIGITS][BUCKETS], d;
	struct radix_sort_item *from = items, *to = scratch, *other;

	if (n < FEW) {
		insertion_sort(items, n);
		return;
	}
	count(items, n, counts);
	for (d = 0; d < DIGITS; d++) {
		if (counts[d][from[0].key >> d * DIGIT & (BUCKETS - 1)] == n)
			continue; /* all items have the same digit, so their order does not change */
		deal(from, to, n, counts[d], d * DIGIT);
		other = from;
		from = to;
		to = other;
	}
	if (from != items)
		memcpy(items, from, n * sizeof *items);
}

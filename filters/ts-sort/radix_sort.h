/* radix_sort: sorts many integers; the sort is stable, and its time does not depend on their order. */
#ifndef RADIX_SORT_H
#define RADIX_SORT_H

#include <stddef.h>
#include <stdint.h>

struct radix_sort_item {
	uint64_t key;
	uint64_t at; /* used by the caller only */
};

/* Returns an unsigned key for v. The keys have the same order as the values. */
static inline uint64_t radix_sort_key(int64_t v)
{
	return (uint64_t)v ^ (uint64_t)1 << 63;
}

/* Sorts n items by key; items with the same key keep their order. `scratch` has room for n items. */
void radix_sort(struct radix_sort_item *items, struct radix_sort_item *scratch, size_t n);

#endif

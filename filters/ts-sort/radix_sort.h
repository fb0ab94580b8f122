/* radix_sort: many numbers in order, stable, in time that their order does not change. */
#ifndef RADIX_SORT_H
#define RADIX_SORT_H

#include <stddef.h>
#include <stdint.h>

struct radix_sort_item {
	uint64_t key;
	uint64_t at; /* the caller's */
};

/* The key for which smaller numbers come first. */
static inline uint64_t radix_sort_key(int64_t v)
{
	return (uint64_t)v ^ (uint64_t)1 << 63;
}

/* Sorts n items by key; items with the same key stay in their order. `scratch` has room for n. */
void radix_sort(struct radix_sort_item *items, struct radix_sort_item *scratch, size_t n);

#endif

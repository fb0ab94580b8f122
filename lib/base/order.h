/* order: the order of numbers, for qsort() and bsearch(); sorts the indexes of items; searches sorted lists. */
#ifndef ORDER_H
#define ORDER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns an array of the indexes 0 .. n-1 in ascending order by `compare`, which gets `arg` and two indexes, and
 * returns a value as for qsort(). Equal items are in the order of their indexes. The caller frees the array.
 */
size_t *order_sort(size_t n, int (*compare)(const void *arg, size_t a, size_t b), const void *arg);

/* Sorts a list like qsort(), keeps one of equal items, and returns their new number. An empty list may be NULL. */
size_t order_distinct(void *list, size_t n, size_t size, int (*compare)(const void *a, const void *b));

/*
 * The part of a sorted list in which a search continues, at first {0, n}. The following loop sets `low` to the index of
 * the first item that is not less than x, or to n:
 *
 *	while (r.low < r.high)
 *		order_halve(&r, list[order_middle(&r)] < x);
 */
struct order_range {
	size_t low, high;
};

static inline size_t order_middle(const struct order_range *r)
{
	return r->low + (r->high - r->low) / 2;
}

/* Continues after the middle, or before it. */
static inline void order_halve(struct order_range *r, bool after)
{
	if (after)
		r->low = order_middle(r) + 1;
	else
		r->high = order_middle(r);
}

/* Compare two elements of an array of numbers, in ascending order. */
int order_doubles(const void *a, const void *b);
int order_int64s(const void *a, const void *b);
int order_uint64s(const void *a, const void *b);
int order_uint32s(const void *a, const void *b);

#endif

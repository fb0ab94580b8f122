/* order: the order of numbers, for qsort() and bsearch(); sorts the indexes of items instead of the items. */
#ifndef ORDER_H
#define ORDER_H

#include <stddef.h>

/*
 * Returns an array of the indexes 0 .. n-1 in ascending order by `compare`, which gets `arg` and two indexes, and
 * returns a value as for qsort(). The caller frees the array.
 */
size_t *order_sort(size_t n, int (*compare)(const void *arg, size_t a, size_t b), const void *arg);

/* Compare two elements of an array of numbers, in ascending order. */
int order_doubles(const void *a, const void *b);
int order_int64s(const void *a, const void *b);
int order_uint64s(const void *a, const void *b);
int order_uint32s(const void *a, const void *b);

#endif

/* order: sorts the indexes of items instead of the items. */
#ifndef ORDER_H
#define ORDER_H

#include <stddef.h>

/*
 * Returns an array of the indexes 0 .. n-1 in ascending order by `compare`, which gets `arg` and two indexes, and
 * returns a value as for qsort(). The caller frees the array.
 */
size_t *order_sort(size_t n, int (*compare)(const void *arg, size_t a, size_t b), const void *arg);

#endif

/* order: sorts the numbers of items. */
#ifndef ORDER_H
#define ORDER_H

#include <stddef.h>

/*
 * Returns the numbers 0 .. n-1 in ascending order by `compare`, which gets two of them and `arg` and returns a value
 * as for qsort(). The caller frees it.
 */
size_t *order_sort(size_t n, int (*compare)(const void *arg, size_t a, size_t b), const void *arg);

#endif

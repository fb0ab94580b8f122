/* order: the order of numbered things. */
#ifndef ORDER_H
#define ORDER_H

#include <stddef.h>

/*
 * The numbers 0 .. n-1 in ascending order by `compare`, which gets two of them and `arg` and returns as qsort()'s; the
 * caller's to free.
 */
size_t *order_sort(size_t n, int (*compare)(const void *arg, size_t a, size_t b), const void *arg);

#endif

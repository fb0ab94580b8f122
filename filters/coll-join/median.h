/* median: the median of integers and of doubles, in linear time on average. */
#ifndef MEDIAN_H
#define MEDIAN_H

#include <stddef.h>
#include <stdint.h>

/*
 * These functions reorder the list. The median of an even number of values is the mean of the middle two; for integers,
 * rounded down. The median of no values is 0.
 */
int64_t median_i64(int64_t *list, size_t n);
double median_double(double *list, size_t n);

#endif

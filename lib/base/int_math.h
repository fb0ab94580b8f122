/* int_math: 128-bit integers, comparison, and sums that saturate at the limits of int64. */
#ifndef INT_MATH_H
#define INT_MATH_H

#include <stdint.h>

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

/* These functions add and subtract times and durations; their results saturate at the limits of int64. */
static inline int64_t int_add(int64_t a, int64_t b)
{
	int64_t v;

	return __builtin_add_overflow(a, b, &v) ? (b < 0 ? INT64_MIN : INT64_MAX) : v;
}

static inline int64_t int_sub(int64_t a, int64_t b)
{
	int64_t v;

	return __builtin_sub_overflow(a, b, &v) ? (b < 0 ? INT64_MAX : INT64_MIN) : v;
}

/* Compares for qsort(): negative, 0 or positive. */
static inline int int_compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Returns the end of an interval: its start if dur is not positive, INT64_MAX if the sum is outside int64. */
static inline int64_t int_interval_end(int64_t start, int64_t dur)
{
	return int_add(start, dur > 0 ? dur : 0);
}

#endif

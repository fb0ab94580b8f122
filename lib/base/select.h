/* select: finds values of a list by their rank, without sorting it, in linear time on average. */
#ifndef SELECT_H
#define SELECT_H

#include <stddef.h>
#include <stdint.h>

/* These functions reorder the list, which must not be empty unless stated otherwise. Ranks begin at 0. */

/* Returns the values that sorting would put at list[k] and list[k + 1]; they are the same if k is the last rank. */
struct select_pair {
	int64_t value, next;
};
struct select_pair select_pair(int64_t *list, size_t n, size_t k);

/* Returns the median: of an even number of values, the mean of the middle two, rounded down; 0 for an empty list. */
int64_t select_median(int64_t *list, size_t n);

#endif

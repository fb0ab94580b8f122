/* difference: divides the difference of two sums: by the number of records, and by the mean of a record. */
#ifndef DIFFERENCE_H
#define DIFFERENCE_H

#include "stats/number.h"

#include <stdbool.h>

/* The records of one item on one side. */
struct difference_side {
	uint64_t count;
	uint64_t steps;      /* the sums are divided by this number; it is not 0 */
	struct number total; /* the sum of their values */
};

/*
 * If both sides have records, the difference is by_calls + by_time: by_calls is the value of the additional records,
 * each at the mean of side a; by_time is the rest, the change of the mean at the number of records of side b. Otherwise
 * it is `new` (side a has no records) or `gone` (side b has none). Parts that do not apply are 0.
 */
enum difference_part { DIFFERENCE, BY_CALLS, BY_TIME, NEW, GONE, DIFFERENCE_PARTS };

struct difference {
	struct number part[DIFFERENCE_PARTS];
};

/*
 * If both totals are integers, so are the parts, and their sum is the difference exactly: by_calls is rounded to the
 * nearest integer, halves away from zero. So is the difference, if the sides have different numbers of steps, because
 * it then is the difference of the means of steps. Returns false if a product is outside 128 bits.
 */
bool difference_of(const struct difference_side *a, const struct difference_side *b, struct difference *d);

/* Returns the mean of a side: its total divided by `by`, which is not 0; an integer is rounded like the parts. */
struct number difference_mean(const struct number *total, uint64_t by);

#endif

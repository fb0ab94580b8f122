/* running_sums: exact sums of the values of expressions. */
#ifndef RUNNING_SUMS_H
#define RUNNING_SUMS_H

#include "expression/result.h"
#include "stats/exact_sum.h"

/* Zero-initialise; running_sum_free(). */
struct running_sum {
	/* private */
	int128 i;                /* sum of the integers that are not in `others` */
	struct exact_sum others; /* sum of doubles, and of integers when `i` became too large */
	bool real;               /* a double was added */
};

/* Adds a value. Returns it as a number; if it is not a number, returns FAILED, and the sum does not change. */
struct result running_sum_add(struct running_sum *s, const struct result *value);

/* Returns an INT for integers if the sum fits in 128 bits, otherwise the nearest double, or FAILED. */
struct result running_sum_get(const struct running_sum *s);
void running_sum_free(struct running_sum *s);

#endif

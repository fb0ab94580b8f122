/* running_sums: sums of the values of expressions over all records of a group so far. */
#ifndef RUNNING_SUMS_H
#define RUNNING_SUMS_H

#include "expression/result.h"
#include "stats/exact_sum.h"

/* An exact sum of numbers. Zero-initialise; running_sum_free(). */
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

/* `n` sums for each group. Zero-initialise, set n; running_sums_free(). */
struct running_sums {
	size_t n;
	/* private */
	struct running_sum *list;
	size_t n_groups, cap;
};

void running_sums_free(struct running_sums *s);

/*
 * Adds a value to sum `i` of a group and returns the sum, which is FAILED if it is too large for a double. If the value
 * is ABSENT, FAILED or not a number, the sum does not change, and ABSENT or FAILED is returned. Groups are numbered
 * from 0.
 */
struct result running_sums_add(struct running_sums *s, size_t group, size_t i, const struct result *value);

#endif

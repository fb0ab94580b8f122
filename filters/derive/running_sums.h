/* running_sums: sums of the values of expressions over all records of a group so far. */
#ifndef RUNNING_SUMS_H
#define RUNNING_SUMS_H

#include "result.h"

/* `n` sums for each group. Zero-initialise, set n; running_sums_free(). */
struct running_sums {
	size_t n;
	/* private */
	struct running_sum {
		bool real;
		int128 i;
		double d;
	} * list;
	size_t n_groups, cap;
};

void running_sums_free(struct running_sums *s);

/*
 * Adds a value to sum `i` of a group and returns the sum. If the value is ABSENT, FAILED or not a number, the sum does
 * not change, and ABSENT or FAILED is returned. Groups are numbered from 0.
 */
struct result running_sums_add(struct running_sums *s, size_t group, size_t i, const struct result *value);

#endif

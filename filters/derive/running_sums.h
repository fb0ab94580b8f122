/* running_sums: a sum for each expression and group, which grows from record to record. */
#ifndef RUNNING_SUMS_H
#define RUNNING_SUMS_H

#include "result.h"

/* `n` sums in each group. Zero-initialise, set n; running_sums_free(). */
struct running_sums {
	size_t n;
	/* private */
	struct running_sum {
		bool real;
		int128 i;
		double d;
	} *list;
	size_t n_groups, cap;
};

void running_sums_free(struct running_sums *s);

/*
 * Adds a value to sum `i` of a group and returns the sum; ABSENT, FAILED and values that are not numbers are returned
 * and not added (as ABSENT and FAILED). Groups are numbered from 0.
 */
struct result running_sums_add(struct running_sums *s, size_t group, size_t i, const struct result *value);

#endif

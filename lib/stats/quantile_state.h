/* quantile_state: the state of a quantile as a list of numbers with counts, for partial results. */
#ifndef QUANTILE_STATE_H
#define QUANTILE_STATE_H

#include "stats/quantile.h"

/* A value, or the number of a bucket of the sketch, and the number of values. */
struct quantile_item {
	bool bucket; /* i is the number of a bucket */
	bool whole;  /* the value is i; otherwise it is d */
	int64_t i;
	double d;
	uint64_t count;
};

/*
 * Gets the next item; values and buckets are in ascending order, and each occurs once. Returns false after the last
 * item. *cursor must be 0 at the first call. The function reorders the stored values.
 */
bool quantile_next(struct quantile *q, size_t *cursor, struct quantile_item *item);

/*
 * Adds an item to a quantile that has only items of the same sort. Returns false when this is not possible: a bucket
 * that no double is in, a count of 0, or more values than may be stored. quantile_complete() must follow the last item.
 */
bool quantile_put(struct quantile *q, const struct quantile_item *item, size_t keep);

/* The numbers whose quantile it is: their count, minimum and maximum. */
struct quantile_numbers {
	uint64_t n;
	bool reals;     /* some are not integers within int64 */
	bool fractions; /* used if there are buckets: not all are integers */
	int64_t min, max;
	double real_min, real_max; /* if `reals` is set: the minimum and the maximum of all numbers */
};

/* Sets what the items do not contain. Returns false when the items and the numbers contradict each other. */
bool quantile_complete(struct quantile *q, const struct quantile_numbers *numbers, size_t keep);

#endif

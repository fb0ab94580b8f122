/* clock_estimate: estimates the difference of the clocks of two ranks from the collectives that both took part in. */
#ifndef CLOCK_ESTIMATE_H
#define CLOCK_ESTIMATE_H

#include "record/rank_clock.h"

#include <stddef.h>

/* The times of one synchronising collective on two ranks, i and j, each on the rank's own clock, in ns. */
struct clock_sample {
	int64_t start_i, end_i, start_j, end_j;
};

/*
 * Estimates the offset that converts times of rank j to the clock of rank i. Sets the members offset, drift, at, low,
 * high, spread, count and ok of *c. The bounds follow from the fact that no member ends before all members have begun.
 * ok is false when n is 0, or when the bounds contradict each other by more than 1 us. Sorts the samples.
 */
void clock_estimate(struct rank_clock *c, struct clock_sample *samples, size_t n);

/* Sets only the bounds, spread, count and ok of a clock whose offset, drift and `at` are known. Sorts the samples. */
void clock_measure(struct rank_clock *c, struct clock_sample *samples, size_t n);

#endif

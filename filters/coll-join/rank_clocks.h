/*
 * rank_clocks: the clocks of the ranks of a job: estimates them from the collectives, writes them as records, and uses
 * such records of an earlier run.
 */
#ifndef RANK_CLOCKS_H
#define RANK_CLOCKS_H

#include "collective_match.h"
#include "io/out.h"
#include "record/clock_file.h"

struct rank_clocks {
	enum rank_clocks_mode {
		RANK_CLOCKS_ALIGN, /* estimate the clocks from the collectives */
		RANK_CLOCKS_RAW,   /* all clocks are the same, after the base times are added */
		RANK_CLOCKS_FREE,  /* there is no common clock */
		RANK_CLOCKS_FILE,  /* clocks of an earlier run */
	} mode;
	struct rank_clock *list; /* by rank */
	uint32_t reference;      /* index of the lowest rank that has member kernels */
};

/*
 * Zero-initialise *c and set its mode. Sets the base of each clock, and offsets of 0. With RANK_CLOCKS_FILE, sets the
 * clocks to those of `file`, which may otherwise be NULL; a rank that is not in the file has no clock (ok is false).
 */
void rank_clocks_init(struct rank_clocks *c, const struct job *j, const struct clock_file *file);

/*
 * With RANK_CLOCKS_ALIGN, estimates the clocks. Two ranks are compared if one of them is the lowest rank of a group of
 * both; from the reference, the shortest path of such comparisons leads to each rank. With RANK_CLOCKS_RAW, only sets
 * the bounds, spread and count.
 */
void rank_clocks_find(struct rank_clocks *c, const struct collectives *collectives);

/* Writes a record for each rank. */
void rank_clocks_write(const struct rank_clocks *clocks, const struct job *j, struct out *out);

void rank_clocks_free(struct rank_clocks *c);

/* --- the clocks of two ranks --- */

/* The times of one synchronising collective on two ranks, i and j, each on the rank's own clock, in ns. */
struct clock_sample {
	int64_t start_i, end_i, start_j, end_j;
};

/*
 * Estimates the offset that converts times of rank j to the clock of rank i. Sets the members offset, drift, at, low,
 * high, spread, count and ok of *c. The bounds follow from the fact that no member ends before all members have begun.
 * ok is false when n is 0, or when the bounds contradict each other by more than 1 us. Sorts the samples.
 */
void rank_clock_estimate(struct rank_clock *c, struct clock_sample *samples, size_t n);

/* Sets only the bounds, spread, count and ok of a clock whose offset, drift and `at` are known. */
void rank_clock_measure(struct rank_clock *c, const struct clock_sample *samples, size_t n);

#endif

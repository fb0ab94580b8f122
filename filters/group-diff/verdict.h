/* verdict: decides whether the values of an item in two or more runs differ by more than noise. */
#ifndef VERDICT_H
#define VERDICT_H

#include "compared_run.h"

/* The runs that are compared: runs[0 .. n_a) are of side a, the others of side b. */
struct verdict_runs {
	struct compared_run *runs;
	size_t n_a, n;
	bool same; /* the first runs of both sides have the same records */
	bool wall; /* the values depend on the whole machine: one run of each side cannot show a change */
	double
	    *values; /* room for the values of an item in all steps of the first run of both sides, or of any other */
};

/* Returns the first run of side a (0) or b (1). */
static inline struct compared_run *verdict_run(const struct verdict_runs *v, int side)
{
	return &v->runs[side ? v->n_a : 0];
}

struct verdict {
	/* Of the steps of the first run of both sides. With several runs of a side, the mean of their medians. */
	double median_a, median_b;
	double p;         /* of the first runs: see rank_test() */
	const char *text; /* "same", "changed", "changed in this pair", "within noise" or "cannot tell" */
};

/* Allocates the room. To be called after all records were added; free(v->values) ends its use. */
void verdict_begin(struct verdict_runs *v);

/*
 * Judges an item by its number in the runs of side a and in those of side b. It is changed if its medians differ by at
 * least 1 % of that of side a and
 *
 * - with one run of each side, if p <= RANK_TEST_LEVEL; "cannot tell" if there are too few steps for that;
 * - with more runs, if all medians of one side are less than all of the other, and the gap between the sides is larger
 *   than the difference between any two runs of one side. The value of a run without steps is its total.
 */
struct verdict verdict_of(const struct verdict_runs *v, size_t before, size_t after);

#endif

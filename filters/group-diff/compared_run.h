/* compared_run: the sums of one run: of each item, and of each item in each step. */
#ifndef COMPARED_RUN_H
#define COMPARED_RUN_H

#include "difference.h"
#include "record/value_ids.h"
#include "stats/accumulator.h"

struct compared_item;

/* Zero-initialise. The memory is 8 to 16 bytes for each item and step. */
struct compared_run {
	struct value_ids steps;       /* all steps of the run, in the order of their first records */
	bool first_left_out;          /* set by the user: compared_run_values() leaves out the first step */
	bool divided;                 /* set by the user: `by_step` has the sums of each step */
	struct compared_run *by_step; /* n_by_step of them; those after the last step are empty */
	bool any;                     /* set by the user: the run has records, maybe without values */
	bool provisional;        /* set by the user: the sums may be cleared when records of better kinds are found */
	uint64_t without_launch; /* set by the user: number of device records that were left out */
	uint64_t digest;         /* set by the user: the sum of the hashes of all records */
	/* private */
	struct compared_item *items; /* n of them; those after the last one that was added are empty */
	size_t n, n_by_step;
};

#define COMPARED_RUN_NO_STEP SIZE_MAX

/* Adds `count` records with the sum v, a number, to an item. `step` is its number, or COMPARED_RUN_NO_STEP. */
void compared_run_add(struct compared_run *r, size_t item, uint64_t count, const struct value *v, size_t step);

/*
 * Returns the sums of an item, 0 if the run does not have it: of all records, or, with `per_step`, of those in steps,
 * to be divided by the number of steps.
 */
struct difference_side compared_run_side(const struct compared_run *r, size_t item, bool per_step);

/*
 * Copies the values of an item in the steps to `values`, 0 for a step without the item. Returns their number, which is
 * at most r->steps.n.
 */
size_t compared_run_values(const struct compared_run *r, size_t item, double *values);

/* Forgets all sums and steps. */
void compared_run_clear(struct compared_run *r);

void compared_run_free(struct compared_run *r);

#endif

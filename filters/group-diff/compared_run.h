/* compared_run: the sums of one run: of each item, and of each item in each step. */
#ifndef COMPARED_RUN_H
#define COMPARED_RUN_H

#include "difference.h"
#include "record/value_ids.h"
#include "stats/accumulator.h"

struct compared_item;

/* Zero-initialise. The memory is 8 to 16 bytes for each item and step. */
struct compared_run {
	struct value_ids steps; /* all steps of the run */
	/* private */
	struct compared_item *items;
	size_t n, cap;
};

#define COMPARED_RUN_NO_STEP SIZE_MAX

/*
 * Adds `count` records with the sum v, a number, to an item. `step` is the number of a step, or COMPARED_RUN_NO_STEP if
 * the run is not divided into steps.
 */
void compared_run_add(struct compared_run *r, size_t item, uint64_t count, const struct value *v, size_t step);

/* Returns the sums of an item: 0 if the run does not have it. `steps` is 1 if the run is not divided into steps. */
struct difference_side compared_run_side(const struct compared_run *r, size_t item);

/* Copies the values of an item in all r->steps.n steps to `values`: 0 for a step without the item. */
void compared_run_values(const struct compared_run *r, size_t item, double *values);

void compared_run_free(struct compared_run *r);

#endif

/* training_steps: finds the steps of a job that have the same operations, because these can be simulated together. */
#ifndef TRAINING_STEPS_H
#define TRAINING_STEPS_H

#include "training_job.h"

/* The operations of a step: job.ops[first] to job.ops[first + n_dps * per_dp - 1], in the order of training_job. */
struct training_step {
	int64_t step;
	size_t first;
};

/* Zero-initialise. */
struct training_steps {
	struct training_step *list; /* ascending */
	size_t n;
	size_t per_dp; /* number of operations of each DP rank in each step */
	/* The steps that are left out: */
	uint64_t unequal_dps;   /* with different operations on some DP ranks */
	uint64_t unequal_steps; /* with other operations than most steps */
	int64_t first_dps, first_steps;
	/* private */
	size_t cap;
};

/*
 * Finds the steps in which all DP ranks have the same numbers of operations of each type on each stage, and selects
 * the steps with the most frequent numbers; if several are equally frequent, those of the earliest step.
 */
void training_steps_find(struct training_steps *s, const struct training_job *j);
void training_steps_free(struct training_steps *s);

#endif

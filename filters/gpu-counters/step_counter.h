/* step_counter: adds up changes of quantities at given times: lengths of queues, bandwidths. */
#ifndef STEP_COUNTER_H
#define STEP_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A change of one quantity. Changes of the same ts are ordered: decreases before increases, and otherwise in the order
 * in which they were added.
 */
struct step_counter_step {
	int64_t ts;
	size_t which;
	double by;
	uint64_t seq; /* set by step_counter_add() */
};

struct step_counter *step_counter_new(void);
void step_counter_free(struct step_counter *c);

/* Adds a step. Returns false, and leaves the step out, when a step with a later ts has already been taken. */
bool step_counter_add(struct step_counter *c, int64_t ts, size_t which, double by);

/*
 * Takes the earliest step if the ts of that step is at most `ts`: returns true, sets *step to the step, and sets *value
 * to the quantity after the step. When there have been as many decreases as increases, the quantity is exactly 0,
 * without rounding errors.
 */
bool step_counter_next(struct step_counter *c, int64_t ts, struct step_counter_step *step, double *value);

#endif

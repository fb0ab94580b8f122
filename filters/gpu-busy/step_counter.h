/* step_counter: quantities that go up and down at given times: how long queues are, how much is moved. */
#ifndef STEP_COUNTER_H
#define STEP_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A change of one of the quantities; at one time those down come first, then in the order they were added. */
struct step_counter_step {
	int64_t ts;
	size_t which;
	double by;
	uint64_t seq; /* step_counter_add()'s own */
};

struct step_counter *step_counter_new(void);
void step_counter_free(struct step_counter *c);

/* One more step. False when one that is later was taken: it is left out. */
bool step_counter_add(struct step_counter *c, int64_t ts, size_t which, double by);

/*
 * Takes the earliest step that is not behind `ts`: true with what the quantity is then. Where as many steps went
 * down as up it is 0, without what rounding has left.
 */
bool step_counter_next(struct step_counter *c, int64_t ts, struct step_counter_step *step, double *value);

#endif

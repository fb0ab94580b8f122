/* memory_steps: when the steps of each rank, or of each device of a snapshot, end, in the order of their ends. */
#ifndef MEMORY_STEPS_H
#define MEMORY_STEPS_H

#include "base/map.h"

struct memory_step {
	int64_t end;
	size_t name; /* number of its name in `names` */
};

/* The steps of a place: a rank or a device. */
struct place_steps {
	struct memory_step *ended; /* in the order of their ends */
	size_t n;
	/* private */
	struct memory_step *open; /* a heap by end */
	size_t n_open, ended_cap, open_cap;
};

/* Zero-initialise. memory_steps_free(). */
struct memory_steps {
	struct map names;           /* as JSON */
	struct place_steps *places; /* those without steps are 0 */
	size_t n_places;
};

/* Adds a step of a place; places are numbered from 0. */
void memory_steps_add(struct memory_steps *s, size_t place, int64_t end, struct str name);

/* Returns the steps of a place, those that ended before `ts` in `ended`; `all`: all steps are. */
const struct place_steps *memory_steps_until(struct memory_steps *s, size_t place, int64_t ts, bool all);

void memory_steps_free(struct memory_steps *s);

#endif

/* memory_steps: when the steps of each rank end, in the order in which they end. */
#ifndef MEMORY_STEPS_H
#define MEMORY_STEPS_H

#include "base/map.h"

struct memory_step {
	int64_t end;
	size_t name; /* number of its name in `names` */
};

/* The steps of a rank. */
struct rank_steps {
	struct memory_step *ended; /* in the order of their ends */
	size_t n;
	/* private */
	struct memory_step *open; /* a heap by end */
	size_t n_open, ended_cap, open_cap;
};

/* Zero-initialise. memory_steps_free(). */
struct memory_steps {
	struct map names; /* as JSON */
	struct rank_steps *ranks;
	size_t n_ranks;
	/* private */
	size_t cap;
};

/* Adds a step of a rank; ranks are numbered from 0. */
void memory_steps_add(struct memory_steps *s, size_t rank, int64_t end, struct str name);

/* Returns the steps of a rank, those that ended before `ts` in `ended`; `all`: all steps are. */
const struct rank_steps *memory_steps_until(struct memory_steps *s, size_t rank, int64_t ts, bool all);

void memory_steps_free(struct memory_steps *s);

#endif

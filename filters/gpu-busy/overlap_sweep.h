/* overlap_sweep: measures how long the types of each set ran at the same time; takes intervals in order of start. */
#ifndef OVERLAP_SWEEP_H
#define OVERLAP_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OVERLAP_SWEEP_TYPES = 4, OVERLAP_SWEEP_SETS = 1 << OVERLAP_SWEEP_TYPES };

/* Zero-initialise; free with overlap_sweep_free(). Memory grows with the intervals that are open at once. */
struct overlap_sweep {
	bool any;
	int64_t first, end; /* the first start and the last end */
	int64_t at;         /* the ts that the sweep has reached */
	/*
	 * Time in ns up to `at` in which exactly the types of a set ran; a type is the bit 1u << type. [0] is the time
	 * in which no type ran, from the first start on.
	 */
	int64_t time[OVERLAP_SWEEP_SETS];
	/* private members */
	struct overlap_sweep_interval *open; /* a heap, earliest end first */
	size_t n, cap;
	size_t running[OVERLAP_SWEEP_TYPES];
};

/* Advances the sweep to ts, which must not be earlier than in any call before. */
void overlap_sweep_to(struct overlap_sweep *s, int64_t ts);

/* Returns true if nothing runs at s->at: an interval that ends there is over, one that starts there is running. */
static inline bool overlap_sweep_is_idle(const struct overlap_sweep *s)
{
	return !s->n;
}

/* Adds an interval and advances the sweep to `start`; an `end` before `start` counts as `start`. */
void overlap_sweep_add(struct overlap_sweep *s, int64_t start, int64_t end, unsigned type);

/* Returns the time in which any type of the set `any` ran, alone or with others. */
int64_t overlap_sweep_union(const struct overlap_sweep *s, unsigned any);

/* Returns the time in which a type of the set `a` and a type of the set `b` ran at once. */
int64_t overlap_sweep_both(const struct overlap_sweep *s, unsigned a, unsigned b);

void overlap_sweep_free(struct overlap_sweep *s);

#endif

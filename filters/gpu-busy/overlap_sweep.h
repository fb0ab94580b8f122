/* overlap_sweep: over intervals in the order of their starts, how long which types of them ran at the same time. */
#ifndef OVERLAP_SWEEP_H
#define OVERLAP_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OVERLAP_SWEEP_TYPES = 4, OVERLAP_SWEEP_SETS = 1 << OVERLAP_SWEEP_TYPES };

/* Zero-initialise; overlap_sweep_free() it. Memory: the intervals that are open at once. */
struct overlap_sweep {
	bool any;
	int64_t first, end; /* the first start and the last end */
	int64_t at;         /* how far it has come */
	/*
	 * ns up to `at` in which exactly the types of a set ran, a bit for each (1u << type); [0] is the time
	 * in which none did, from the first start on.
	 */
	int64_t time[OVERLAP_SWEEP_SETS];
	/* its own */
	struct overlap_sweep_interval *open; /* a heap, the earliest end first */
	size_t n, cap;
	size_t running[OVERLAP_SWEEP_TYPES];
};

/* Comes to a time, which is no earlier than any before. */
void overlap_sweep_to(struct overlap_sweep *s, int64_t ts);

/* Whether nothing runs at s->at: what ended there is over, what began there has not ended. */
static inline bool overlap_sweep_is_idle(const struct overlap_sweep *s)
{
	return !s->n;
}

/* One more interval, from `start` on, to which the sweep comes; an end before it counts as none. */
void overlap_sweep_add(struct overlap_sweep *s, int64_t start, int64_t end, unsigned type);

/* The time in which types of `any` ran, whatever ran beside them. */
int64_t overlap_sweep_union(const struct overlap_sweep *s, unsigned any);

/* The time in which types of `a` and types of `b` ran at once. */
int64_t overlap_sweep_both(const struct overlap_sweep *s, unsigned a, unsigned b);

void overlap_sweep_free(struct overlap_sweep *s);

#endif

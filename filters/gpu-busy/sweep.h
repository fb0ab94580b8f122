/* sweep: over intervals in the order of their starts, how long which types of them ran at the same time. */
#ifndef SWEEP_H
#define SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SWEEP_TYPES = 4, SWEEP_SETS = 1 << SWEEP_TYPES };

/* Zero-initialise; sweep_free() it. Memory: the intervals that are open at once. */
struct sweep {
	bool any;
	int64_t first, end; /* the first start and the last end */
	int64_t at;         /* how far it has come */
	/*
	 * ns up to `at` in which exactly the types of a set ran, a bit for each (1u << type); [0] is the time
	 * in which none did, from the first start on.
	 */
	int64_t time[SWEEP_SETS];
	/* its own */
	struct sweep_open *open; /* a heap, the earliest end first */
	size_t n, cap;
	size_t running[SWEEP_TYPES];
};

/* Comes to a time, which is no earlier than any before. */
void sweep_to(struct sweep *s, int64_t ts);

/* Whether nothing runs at s->at: what ended there is over, what began there has not ended. */
static inline bool sweep_is_idle(const struct sweep *s)
{
	return !s->n;
}

/* One more interval, from `start` on, to which the sweep comes; an end before it counts as none. */
void sweep_add(struct sweep *s, int64_t start, int64_t end, unsigned type);

/* The time in which types of `any` ran, whatever ran beside them. */
int64_t sweep_union(const struct sweep *s, unsigned any);

/* The time in which types of `a` and types of `b` ran at once. */
int64_t sweep_both(const struct sweep *s, unsigned a, unsigned b);

void sweep_free(struct sweep *s);

#endif

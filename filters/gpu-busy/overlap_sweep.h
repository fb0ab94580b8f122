/*
 * overlap_sweep: measures, for each set of types, how long exactly these types ran at the same time, and for each
 * number n, how long exactly n streams ran at the same time. Intervals must be added in order of start.
 */
#ifndef OVERLAP_SWEEP_H
#define OVERLAP_SWEEP_H

#include "base/int_math.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	OVERLAP_SWEEP_TYPES = 4,
	OVERLAP_SWEEP_SETS = 1 << OVERLAP_SWEEP_TYPES,
	OVERLAP_SWEEP_FULL = 1 << 30, /* the load of a device that is completely in use */
};

/*
 * Zero-initialise; free with overlap_sweep_free(). Memory grows with the number of intervals that are open at the same
 * time and with the number of streams.
 */
struct overlap_sweep {
	bool any;
	int64_t first, end; /* the first start and the last end */
	int64_t at;         /* the ts that the sweep has reached */
	/*
	 * For each set of types (bits 1u << type): the time in ns, up to `at`, in which exactly these types ran.
	 * time[0] is the idle time after the first start.
	 */
	int64_t time[OVERLAP_SWEEP_SETS];
	size_t streams;       /* number of streams so far */
	int64_t *stream_time; /* [n]: the time in ns, up to `at`, in which exactly n of these streams ran */
	uint128 filled;       /* the integral of the load over the time up to `at`; see overlap_sweep_add() */
	/* private members */
	struct overlap_sweep_interval *open; /* a heap, earliest end first */
	size_t n, cap;
	size_t running[OVERLAP_SWEEP_TYPES]; /* number of open intervals of each type */
	size_t *stream_running;              /* number of open intervals of each stream */
	size_t streams_running;              /* number of streams with an open interval */
	uint64_t load;                       /* sum of the loads of the open intervals */
	size_t stream_time_cap, stream_cap;
};

/* Advances the sweep to ts, which must not be earlier than in any previous call. */
void overlap_sweep_to(struct overlap_sweep *s, int64_t ts);

/*
 * Returns true if nothing runs at s->at: an interval that ends at s->at is over; an interval that starts at s->at is
 * running.
 */
static inline bool overlap_sweep_is_idle(const struct overlap_sweep *s)
{
	return !s->n;
}

/*
 * Adds an interval and advances the sweep to `start`; an `end` before `start` is treated as `start`. `stream` is the
 * index of the stream: at most the number of streams so far. `load`: the part of the device that the interval uses,
 * from 0 to OVERLAP_SWEEP_FULL. At each instant, the load of the device is the sum of the loads of the open intervals,
 * but at most OVERLAP_SWEEP_FULL.
 */
void overlap_sweep_add(
    struct overlap_sweep *s, int64_t start, int64_t end, unsigned type, size_t stream, uint32_t load);

/*
 * These functions take the times of all sets, the member `time`. The first returns the time in which at least one type
 * of the set `any` ran, alone or with others; the second, the time in which at least one type of the set `a` and one
 * type of the set `b` ran at the same time; the third, the time in which at least one type of the set `any` ran and no
 * type of the set `without`.
 */
int64_t overlap_sweep_union(const int64_t time[OVERLAP_SWEEP_SETS], unsigned any);
int64_t overlap_sweep_both(const int64_t time[OVERLAP_SWEEP_SETS], unsigned a, unsigned b);
int64_t overlap_sweep_only(const int64_t time[OVERLAP_SWEEP_SETS], unsigned any, unsigned without);

/* Returns the time in which at least `min` streams ran at the same time. */
int64_t overlap_sweep_streams(const struct overlap_sweep *s, size_t min);

/* Sets all times to 0. Open intervals stay open. */
void overlap_sweep_clear(struct overlap_sweep *s);

void overlap_sweep_free(struct overlap_sweep *s);

#endif

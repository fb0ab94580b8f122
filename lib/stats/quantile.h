/* quantile: finds the value at a rank of many numbers: exact while there are few, then within 0.6 %. */
#ifndef QUANTILE_H
#define QUANTILE_H

#include "stats/sketch.h"

/* The number of values that each quantile may store, 8 bytes each; see quantile_add_int() for more. */
enum { QUANTILE_KEEP = 4096 };

/*
 * Zero-initialise. Up to some number of values, all are stored and results are exact. After that they are counted in a
 * sketch; the minimum and the maximum stay exact.
 *
 * A value is stored as a slot, an int64 with the same order as the values: the integer itself while all values are
 * integers, so that times keep all their digits; after the first other number, the bits of a double.
 */
struct quantile {
	uint64_t n;
	bool fractions; /* not all values are integers */
	int64_t *kept;  /* slots, unordered */
	/* private */
	bool reals;       /* slots are doubles */
	bool counted;     /* values are counted in the sketch, not stored */
	int64_t min, max; /* slots, while n > 0 */
	size_t kept_cap;
	/* If n == ranked_n, kept[ranked] has its sorted position and no slot before it is greater. */
	uint64_t ranked_n, ranked;
	struct sketch sketch;
};

/*
 * Adds a value. *spare is the number of values that all quantiles sharing it may still store beyond their first
 * QUANTILE_KEEP: it decreases with each such value, and increases when a sketch replaces stored values. 0: no more are
 * stored, SIZE_MAX: all are stored.
 */
void quantile_add_int(struct quantile *q, int64_t v, size_t *spare);
void quantile_add_real(struct quantile *q, double v, size_t *spare); /* v must be finite */

/* Adds all values of `from`. */
void quantile_merge(struct quantile *q, const struct quantile *from, size_t *spare);

struct quantile_value {
	bool whole;  /* the value is i, otherwise d */
	bool approx; /* within 0.6 % of d, which is rounded to its significant digits */
	int64_t i;
	double d;
};

/*
 * Returns the value at rank percent / 100 * (n - 1), counted from 0, with linear interpolation between neighbours (the
 * default of numpy and pandas); `percent` is 0 .. 100, of which nine decimals are used; n > 0. A value between
 * integers beyond 2^53 is rounded to an integer. The function reorders stored values.
 */
struct quantile_value quantile_at(struct quantile *q, double percent);

static inline double quantile_double(struct quantile_value v)
{
	return v.whole ? (double)v.i : v.d;
}

/* Returns the minimum and the maximum; n > 0. */
void quantile_limits(const struct quantile *q, double *min, double *max);

/* Adds to counts[i], i < n, the number of values in [edges[i], edges[i + 1]); edges has n + 1 ascending values. */
void quantile_spread(const struct quantile *q, const double *edges, size_t n, uint64_t *counts);

void quantile_free(struct quantile *q);

#endif

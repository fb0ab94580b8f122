/* quantile: what lies at a rank of many numbers: exact while they are few, then within 0.6 %. */
#ifndef QUANTILE_H
#define QUANTILE_H

#include "stats/sketch.h"

/* Values that each one stores, 8 bytes each; see quantile_add_int() for more. */
enum { QUANTILE_KEEP = 4096 };

/*
 * Zero-initialise. Up to some number of values all are stored, and answers are exact. Then they are counted in a
 * sketch; the minimum and the maximum stay exact.
 *
 * A value is stored as a slot, an int64 that orders as the value does: the integer itself while all values are
 * integers, so that no digit of a time is lost; from the first other number on, the bits of a double.
 */
struct quantile {
	uint64_t n;
	bool fractions;   /* not all values are whole */
	int64_t *kept;    /* slots, in no order */
	/* private */
	bool reals;       /* slots are doubles */
	bool counted;     /* in the sketch, not stored */
	int64_t min, max; /* slots, while n > 0 */
	size_t kept_cap;
	uint64_t ranked_n, ranked; /* when n is ranked_n, kept[ranked] is at its place, nothing before it is greater */
	struct sketch sketch;
};

/*
 * One more value. *spare is how many values may be stored beyond the first QUANTILE_KEEP by all that share it: it falls
 * with each, and rises when a sketch takes their place. 0 stores no more, SIZE_MAX stores all.
 */
void quantile_add_int(struct quantile *q, int64_t v, size_t *spare);
void quantile_add_real(struct quantile *q, double v, size_t *spare); /* a finite one */

/* All values of `from` too. */
void quantile_merge(struct quantile *q, const struct quantile *from, size_t *spare);

struct quantile_value {
	bool whole;  /* it is i, else d */
	bool approx; /* within 0.6 % of d, which has no digits beyond those that are known */
	int64_t i;
	double d;
};

/*
 * The value at rank percent / 100 * (n - 1), counted from 0, between neighbours by linear interpolation
 * (the default of numpy and pandas); `percent` is 0 .. 100, of which nine decimals count; n > 0. Between integers beyond
 * 2^53 it is rounded to an integer. Reorders stored values.
 */
struct quantile_value quantile_at(struct quantile *q, double percent);

static inline double quantile_double(struct quantile_value v)
{
	return v.whole ? (double)v.i : v.d;
}

/* The minimum and the maximum; n > 0. */
void quantile_limits(const struct quantile *q, double *min, double *max);

/* Adds to counts[i], i < n, how many values are in [edges[i], edges[i + 1]); n + 1 ascending edges. */
void quantile_spread(const struct quantile *q, const double *edges, size_t n, uint64_t *counts);

void quantile_free(struct quantile *q);

#endif

/* quantile: what lies at a rank of many numbers: exact while they are few, then within 0.4 %. */
#ifndef QUANTILE_H
#define QUANTILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values that each one keeps; see quantile_add() for more. */
enum { QUANTILE_KEEP = 64 };

struct quantile_block;

/*
 * Zero-initialise. Up to some number of values all are kept, and answers are exact. Then they are
 * counted in buckets of 1/128 of a power of two, each answering with its middle: that is less than
 * 0.4 % off. The least and the greatest value stay exact.
 */
struct quantile {
	uint64_t n;
	double min, max;
	bool fractions;      /* not all values are whole */
	double *kept;        /* all values, in no order, while there are no blocks */
	size_t kept_cap;
	struct quantile_block *blocks; /* by rising value, those that have any */
	size_t n_blocks, blocks_cap, last;
};

/*
 * One more value, a finite one. *spare is how many values may be kept beyond the first QUANTILE_KEEP
 * by all that share it: it falls with each, and rises when buckets take their place. 0 keeps no more,
 * SIZE_MAX keeps all.
 */
void quantile_add(struct quantile *q, double v, size_t *spare);

/* All values of `from` too. */
void quantile_merge(struct quantile *q, const struct quantile *from, size_t *spare);

/*
 * The value at rank percent / 100 * (n - 1), counted from 0, between neighbours by linear interpolation
 * (the default of numpy and pandas); `percent` is 0 .. 100, of which nine
 * decimals count; n > 0. Reorders kept values.
 */
double quantile_at(struct quantile *q, double percent);

/* Adds to counts[i], i < n, how many values are in [edges[i], edges[i + 1]); n + 1 rising edges. */
void quantile_spread(const struct quantile *q, const double *edges, size_t n, uint64_t *counts);

void quantile_free(struct quantile *q);

#endif

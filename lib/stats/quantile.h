/* quantile: finds the value at a rank in a set of numbers: exactly for small sets, within 0.6 % for larger ones. */
#ifndef QUANTILE_H
#define QUANTILE_H

#include "stats/number.h"
#include "stats/state_text.h"

/* Counts how often each integer occurs. The memory depends on the number of different integers only. */
struct value_counts {
	struct value_count {
		int64_t value;
		uint64_t count;
	} * list; /* a value can occur several times until value_counts_sort() */
	size_t n, cap;
	size_t sorted; /* the first items: their values ascend. Set it to 0 after changing values. */
};

/*
 * Counts numbers in buckets of 0.8 % width. Each power of two has 128 buckets; the memory used is 1 KiB for each power
 * of two that occurs.
 */
struct value_buckets {
	struct value_block *blocks; /* the blocks with values, in ascending order */
	size_t n, cap;
};

/* The usual limit of quantile_add_int(): the values take 8 bytes each. */
enum { QUANTILE_KEEP = 4096 };

/*
 * Zero-initialise. Up to a limit, all values are stored and results are exact. If there are more, they are counted in
 * buckets instead; the minimum and the maximum stay exact. The state depends on the values and not on their order.
 *
 * A value is stored as an int64, which is called its slot. Slots have the same order as their values. While all values
 * are integers, a slot is the integer itself, so that times keep all their digits; after the first other number, all
 * slots are the bits of doubles.
 */
struct quantile {
	uint64_t n;
	bool fractions; /* not all values are integers */
	/* slots, unordered; NULL if no value is stored, or if the values are in `counts` or counted in the buckets */
	int64_t *values;
	/* private */
	bool reals;       /* slots are doubles */
	bool counted;     /* values are counted in the buckets, not stored */
	int64_t min, max; /* slots, valid while n > 0 */
	size_t values_cap;
	/* If n == ranked_n, values[ranked] is what sorting would put there, and no slot before it is greater. */
	uint64_t ranked_n, ranked;
	struct value_counts counts; /* the slots, after values were added with their counts */
	struct value_buckets buckets;
};

/* Adds a value. At most `keep` values are stored; it must be the same in all calls. */
void quantile_add_int(struct quantile *q, int64_t v, size_t keep);
void quantile_add_real(struct quantile *q, double v, size_t keep); /* v must be finite */

/* Adds all values of `from`. */
void quantile_merge(struct quantile *q, const struct quantile *from, size_t keep);

/* --- results --- */

struct quantile_value {
	bool whole;  /* true: the value is i; false: the value is d */
	bool approx; /* an estimate, within 0.6 % of the exact value; d is rounded to its known digits */
	int64_t i;
	double d;
	/* private, for quantile_ratio() */
	struct number low, high;
	uint64_t part;
};

/*
 * Returns the value at rank percent / 100 * (n - 1). Ranks begin at 0; between two ranks, the value is interpolated
 * linearly (the default of numpy and pandas). `percent` is 0 .. 100, and its first nine decimals are used. n must not
 * be 0. A result between two integers is rounded to an integer if its magnitude is 2^53 or more. The function reorders
 * the stored values.
 */
struct quantile_value quantile_at(struct quantile *q, double percent);

/* Gets a value that is neither `whole` nor `approx` exactly: x / y, of which v->d is the nearest double. */
void quantile_ratio(const struct quantile_value *v, struct exact_number *x, struct exact_number *y);

static inline double quantile_double(struct quantile_value v)
{
	return v.whole ? (double)v.i : v.d;
}

/* Returns the minimum and the maximum; n must be > 0. */
void quantile_limits(const struct quantile *q, double *min, double *max);

/*
 * Adds the number of values in bin i to counts[i], for each i < n. Bin i is [edges[i], edges[i + 1]); the last bin also
 * contains its upper edge. edges has n + 1 ascending values.
 */
void quantile_spread(const struct quantile *q, const double *edges, size_t n, uint64_t *counts);

/* --- in partial results --- */

/*
 * Writes all values with their counts, ascending; if they are in buckets, writes the minimum, the maximum and, instead
 * of the others, a value of each bucket. The member "frac" is added if the values are in buckets and not all are
 * integers.
 */
void quantile_write(struct quantile *q, struct buf *object, struct state_array *w);

/*
 * Adds the values in such an array; the caller reads "frac". Returns false when it is anything else. The memory is 16
 * bytes for each different value.
 */
bool quantile_read(struct quantile *q, struct str array, size_t keep);

void quantile_free(struct quantile *q);

#endif

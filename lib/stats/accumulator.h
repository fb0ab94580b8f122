/* accumulator: the state stored for one field in one group, from which aggregates are computed. */
#ifndef ACCUMULATOR_H
#define ACCUMULATOR_H

#include "base/int_math.h"
#include "base/mem.h"
#include "json/value.h"
#include "stats/exact_sum.h"
#include "stats/number.h"
#include "stats/quantile.h"
#include "stats/state_text.h"

/* The components of an accumulator, which are zero-initialised. A group stores only those that its aggregates need. */
enum accumulator_component {
	ACCUMULATOR_NUMBERS,  /* always stored */
	ACCUMULATOR_SPREAD,   /* for the variance */
	ACCUMULATOR_EDGES,    /* the first and the last value */
	ACCUMULATOR_OTHERS,   /* the count of values that are not numbers */
	ACCUMULATOR_DISTINCT, /* the count of distinct values */
	ACCUMULATOR_QUANTILE, /* struct quantile */
	ACCUMULATOR_LIST,     /* all values, in the order of the records */
	ACCUMULATOR_WEIGHTED, /* for the weighted mean */
	ACCUMULATOR_COMPONENTS
};

/* Numbers that are not integers, or are outside int64. */
struct accumulator_reals {
	uint64_t n, doubles; /* the number of all of them, and of those that are not integers of up to 128 bits */
	struct exact_sum sum;
	struct number min, max; /* of equal numbers, the integer */
};

/* Integers are summed separately from other numbers, because this is faster. */
struct accumulator_numbers {
	uint64_t n;                      /* integers */
	struct accumulator_reals *reals; /* all other numbers; NULL if there are no others */
	int128 sum;
	int64_t min, max; /* valid while n > 0 */
};

/* The sum of the squares of integers, as a 192-bit integer, and the sum of the squares of all other numbers. */
struct accumulator_spread {
	uint128 low;
	uint64_t high;
	struct exact_sum reals;
};

struct accumulator_edges {
	struct accumulator_edge {
		struct value value;
		struct buf text; /* holds the text of `value` */
		struct record_position position;
	} first, last;
};

/* All values: for each part of the input, in the order of the parts, the text of a JSON array. */
struct accumulator_list {
	struct accumulator_segment {
		uint64_t part;
		struct buf text;
	} * segments;
	size_t n, cap;
};

/* The numbers that have a weight: the sum of number times weight, and the sum of the weights. */
struct accumulator_weighted {
	struct exact_sum sum, weights;
};

/* The components of one field in one group; NULL for a component that is not stored. */
struct accumulator {
	struct accumulator_numbers *numbers;
	struct accumulator_spread *spread;
	struct accumulator_edges *edges;
	uint64_t *others;   /* number of values that are not numbers */
	uint64_t *distinct; /* number of distinct values, counted by the caller */
	struct quantile *quantile;
	struct accumulator_list *list;
	struct accumulator_weighted *weighted;
};

/* Returns the size of a component in bytes, a multiple of its alignment, which is 16. */
size_t accumulator_size(enum accumulator_component component);

static inline void accumulator_add_int(struct accumulator_numbers *a, int64_t v)
{
	if (!a->n++)
		a->min = a->max = v;
	else if (v < a->min)
		a->min = v;
	else if (v > a->max)
		a->max = v;
	a->sum += v;
}

void accumulator_add_real(struct accumulator_numbers *a, const struct value *v); /* a VALUE_REAL */

/*
 * Adds a value (not VALUE_NONE) to all components except the numbers and the weighted numbers. `at` is the position of
 * the record. For `keep`, see quantile_add_int().
 */
void accumulator_add_rest(const struct accumulator *a, const struct value *v, struct record_position at, size_t keep);

/* Adds a value to the weighted numbers if the value and its weight are numbers. */
void accumulator_add_weighted(struct accumulator_weighted *a, const struct value *v, const struct value *weight);

/* Adds all values of `from`; the count of distinct values is not changed. */
void accumulator_merge(const struct accumulator *a, const struct accumulator *from, size_t keep);

/* Frees the memory that the components own, not the components themselves. */
void accumulator_free(const struct accumulator *a);

/* Return the count and the mean of all numbers; the mean is the nearest double, and the count must not be 0. */
uint64_t accumulator_count(const struct accumulator_numbers *a);
double accumulator_mean(const struct accumulator_numbers *a);

/* Gets the sum of all numbers. Returns whether all of them are integers. */
bool accumulator_sum(const struct accumulator_numbers *a, struct exact_number *sum);

/* Return the minimum and the maximum of all numbers; the count must not be 0. */
struct number accumulator_min(const struct accumulator_numbers *a);
struct number accumulator_max(const struct accumulator_numbers *a);

/*
 * Gets the variance of all numbers, x / y: the sum of squared differences from the mean, divided by the count minus
 * `less`, which must be less than the count.
 */
void accumulator_variance(const struct accumulator_numbers *a, const struct accumulator_spread *s, uint64_t less,
    struct exact_number *x, struct exact_number *y);

/* Joins the segments of a list into one segment of part 0, and returns its text; an empty list has none. */
struct str accumulator_join(struct accumulator_list *l);

/* --- in partial results --- */

/* Appends the members of the state. */
void accumulator_write(const struct accumulator *a, struct buf *object, struct state_array *w);

/*
 * Adds one member to a state that was empty before the first member; returns false when it is unknown or its value is
 * impossible. accumulator_complete() is to be called after the last member; it returns false when they contradict each
 * other.
 */
bool accumulator_read(const struct accumulator *a, struct str name, struct str value, size_t keep);
bool accumulator_complete(const struct accumulator *a);

#endif

/* accumulator: the state stored for one field in one group, from which aggregates are computed. */
#ifndef ACCUMULATOR_H
#define ACCUMULATOR_H

#include "base/int_math.h"
#include "base/mem.h"
#include "json/value.h"
#include "stats/quantile.h"

/*
 * The parts of an accumulator. A group stores only the parts that its aggregates need. All parts are zero-initialised.
 */
enum accumulator_part {
	ACCUMULATOR_NUMBERS,  /* always stored */
	ACCUMULATOR_SPREAD,   /* for the variance */
	ACCUMULATOR_EDGES,    /* the first and the last value */
	ACCUMULATOR_VALUES,   /* the count of values that are not numbers, and the count of distinct values */
	ACCUMULATOR_QUANTILE, /* struct quantile */
	ACCUMULATOR_LIST,     /* all values, in input order */
	ACCUMULATOR_WEIGHTED, /* for the weighted mean */
	ACCUMULATOR_PARTS
};

/* Numbers that are not integers, or are outside int64. */
struct accumulator_reals {
	uint64_t n;
	long double sum;
	double min, max;
};

/* Integers are summed separately from other numbers, so that their sum stays exact. */
struct accumulator_numbers {
	uint64_t n;                      /* integers */
	struct accumulator_reals *reals; /* all other numbers; NULL if there are no others */
	int128 sum;
	int64_t min, max; /* valid while n > 0 */
};

/*
 * The sum of the differences from one value (the origin), and the sum of the squares of these differences. The origin
 * is the first integer. Integers that differ from it by less than 2^44 are summed exactly, if there are at most 2^39 of
 * them. All other values are summed in `far`.
 */
struct accumulator_spread {
	/* private */
	uint64_t n;
	int64_t origin;
	int128 sum, squares;
	struct {
		uint64_t n;
		long double origin, sum, squares;
	} far;
};

/* A value and the buffer that holds its text; `at` is the index of its record. */
struct accumulator_kept {
	struct value value;
	struct buf text;
	/* private */
	uint64_t at;
};

struct accumulator_edges {
	struct accumulator_kept first, last;
};

struct accumulator_values {
	uint64_t others;   /* number of values that are not numbers */
	uint64_t distinct; /* counted by the caller */
};

/* All values as the text of a JSON array; the text is empty if there are no values. */
struct accumulator_list {
	struct buf text;
};

/* The numbers that have a weight: the sum of number times weight, and the sum of the weights. */
struct accumulator_weighted {
	long double sum, weights;
};

/* The parts of one field in one group; NULL for a part that is not stored. */
struct accumulator {
	struct accumulator_numbers *numbers;
	struct accumulator_spread *spread;
	struct accumulator_edges *edges;
	struct accumulator_values *values;
	struct quantile *quantile;
	struct accumulator_list *list;
	struct accumulator_weighted *weighted;
};

/* Returns the size of a part in bytes, which is a multiple of 16. The alignment of a part is also 16. */
size_t accumulator_size(enum accumulator_part part);

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

void accumulator_add_real(struct accumulator_numbers *a, double v);

/*
 * Adds a value (not VALUE_NONE) to all parts except the numbers and the weighted numbers. `at` is the index of the
 * record. For `spare`, see quantile_add_int().
 */
void accumulator_add_rest(const struct accumulator *a, const struct value *v, uint64_t at, size_t *spare);

/* Adds a value to the weighted numbers if it is a number. `weight`: NAN if the value has no weight; it is not added. */
void accumulator_add_weighted(struct accumulator_weighted *a, const struct value *v, long double weight);

/* Adds all values of `from`; values->distinct is not changed. */
void accumulator_merge(const struct accumulator *a, const struct accumulator *from, size_t *spare);

/* Frees the memory that the parts own, not the parts themselves. */
void accumulator_free(const struct accumulator *a);

/* Return the count and the sum of all numbers. */
uint64_t accumulator_count(const struct accumulator_numbers *a);
long double accumulator_sum(const struct accumulator_numbers *a);

/* Returns the sum of squared differences from the mean, divided by `by`. `by` is n or n - 1, and must not be 0. */
long double accumulator_variance(const struct accumulator_spread *s, uint64_t by);

#endif

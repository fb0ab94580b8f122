/* accumulator: what is remembered of one field's values in one group, so that aggregates can be told from it. */
#ifndef ACCUMULATOR_H
#define ACCUMULATOR_H

#include "base/int_math.h"
#include "base/mem.h"
#include "json/value.h"
#include "stats/quantile.h"

/* The parts; a group keeps those that its aggregates need. All begin as zeros. */
enum accumulator_part {
	ACCUMULATOR_NUMBERS,  /* always kept */
	ACCUMULATOR_SPREAD,   /* for the variance */
	ACCUMULATOR_EDGES,    /* the first and the last value */
	ACCUMULATOR_VALUES,   /* counts of what is no number, and of different values */
	ACCUMULATOR_QUANTILE, /* struct quantile */
	ACCUMULATOR_PARTS
};

/* Numbers that are not whole, or beyond int64. */
struct accumulator_reals {
	uint64_t n;
	long double sum;
	double min, max;
};

/* Integers stay apart from the others, so that what is whole stays exact. */
struct accumulator_numbers {
	uint64_t n;              /* integers */
	struct accumulator_reals *reals; /* NULL while there are none */
	int128 sum;
	int64_t min, max;        /* while n > 0 */
};

/*
 * Sums of differences from a value in the set and of their squares. Integers within 2^44 of the first one
 * are summed exactly: 2^39 of them fit. All else is `far`.
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

/* A value with the memory of its text; `at` is the ordinal of its record. */
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
	uint64_t others;   /* values that are no numbers */
	uint64_t distinct; /* the caller's to count */
};

/* The parts of one field in one group; NULL for those that are not kept. */
struct accumulator {
	struct accumulator_numbers *numbers;
	struct accumulator_spread *spread;
	struct accumulator_edges *edges;
	struct accumulator_values *values;
	struct quantile *quantile;
};

/* Bytes of a part; a multiple of 16, and so is its alignment. */
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
 * One more value (not VALUE_NONE) in the parts beside the numbers. `at` is the record's ordinal, `spare`
 * as for quantile_add_int().
 */
void accumulator_add_rest(const struct accumulator *a, const struct value *v, uint64_t at, size_t *spare);

/* All that `from` has too; not values->distinct. */
void accumulator_merge(const struct accumulator *a, const struct accumulator *from, size_t *spare);

/* Frees what the parts own, not the parts. */
void accumulator_free(const struct accumulator *a);

/* How many numbers, and their sum. */
uint64_t accumulator_count(const struct accumulator_numbers *a);
long double accumulator_sum(const struct accumulator_numbers *a);

/* The sum of squared differences from the mean, divided by `by`: n, or n - 1; not 0. */
long double accumulator_variance(const struct accumulator_spread *s, uint64_t by);

#endif

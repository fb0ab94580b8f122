/* acc: what is remembered of one field's values in one group, so that aggregates can be told from it. */
#ifndef ACC_H
#define ACC_H

#include "record/field.h"
#include "stats/quantile.h"

/* The parts; a group keeps those that its aggregates need. All begin as zeros. */
enum acc_part {
	ACC_NUMBERS,  /* always kept */
	ACC_SPREAD,   /* for the variance */
	ACC_EDGES,    /* the first and the last value */
	ACC_VALUES,   /* counts of what is no number, and of different values */
	ACC_QUANTILE, /* struct quantile */
	ACC_PARTS
};

/* Numbers that are not whole, or beyond int64. */
struct acc_reals {
	uint64_t n;
	long double sum;
	double min, max;
};

/* Integers stay apart from the others, so that what is whole stays exact. */
struct acc_numbers {
	uint64_t n;              /* integers */
	struct acc_reals *reals; /* NULL while there are none */
	num_i128 sum;
	int64_t min, max;        /* while n > 0 */
};

/*
 * Sums of differences from a value in the set and of their squares. Integers within 2^44 of the first one
 * are summed exactly: 2^39 of them fit. All else is `far`.
 */
struct acc_spread {
	uint64_t n;
	int64_t origin;
	num_i128 sum, squares;
	struct {
		uint64_t n;
		long double origin, sum, squares;
	} far;
};

/* A value with the memory of its text; `at` is the ordinal of its record. */
struct acc_kept {
	uint64_t at;
	struct value value;
	struct buf text;
};

struct acc_edges {
	struct acc_kept first, last;
};

struct acc_values {
	uint64_t others;   /* values that are no numbers */
	uint64_t distinct; /* the caller's to count */
};

/* The parts of one field in one group; NULL for those that are not kept. */
struct acc {
	struct acc_numbers *numbers;
	struct acc_spread *spread;
	struct acc_edges *edges;
	struct acc_values *values;
	struct quantile *quantile;
};

/* Bytes of a part; a multiple of 16, and so is its alignment. */
size_t acc_size(enum acc_part part);

static inline void acc_add_int(struct acc_numbers *a, int64_t v)
{
	if (!a->n++)
		a->min = a->max = v;
	else if (v < a->min)
		a->min = v;
	else if (v > a->max)
		a->max = v;
	a->sum += v;
}

void acc_add_real(struct acc_numbers *a, double v);

/*
 * One more value (not VALUE_NONE) in the parts beside the numbers. `at` is the record's ordinal, `spare`
 * as for quantile_add_int().
 */
void acc_add_rest(const struct acc *a, const struct value *v, uint64_t at, size_t *spare);

/* All that `from` has too; not values->distinct. */
void acc_merge(const struct acc *a, const struct acc *from, size_t *spare);

/* Frees what the parts own, not the parts. */
void acc_clear(const struct acc *a);

/* How many numbers, and their sum. */
uint64_t acc_count(const struct acc_numbers *a);
long double acc_sum(const struct acc_numbers *a);

/* The sum of squared differences from the mean, divided by `by`: n, or n - 1; not 0. */
long double acc_variance(const struct acc_spread *s, uint64_t by);

#endif

/*
 * aggregate_function: the table of aggregates. A row has the name of an aggregate, the parts of an accumulator that it
 * needs, and the function that computes it.
 */
#ifndef AGGREGATE_FUNCTION_H
#define AGGREGATE_FUNCTION_H

#include "stats/accumulator.h"
#include "base/int_math.h"

enum aggregate_type {
	AGGREGATE_ABSENT,
	AGGREGATE_INT,  /* i */
	AGGREGATE_REAL, /* d, finite */
	AGGREGATE_TEXT, /* JSON text */
};

/* The relation of a result's unit to the unit of the field. */
enum aggregate_unit {
	AGGREGATE_OTHER,    /* the result has another unit, such as a count */
	AGGREGATE_VALUE,    /* the result has the field's unit: the sum of times is a time */
	AGGREGATE_DISTANCE, /* the result is a difference of values: for points in time, a duration */
	AGGREGATE_FRACTION, /* the result is a fraction of a total */
};

struct aggregate_result {
	enum aggregate_type type;
	int128 i;
	double d;
	struct str text; /* valid until the next aggregate_add() */
	bool approx;     /* for AGGREGATE_REAL: d has an error of up to 0.6 %, and is rounded to its known digits */
};

/* The data from which a result is computed. */
struct aggregate_function_input {
	struct accumulator acc;
	double percent;                   /* of pNN */
	const struct exact_number *total; /* for the aggregate `share`: the sum over all groups */
};

struct aggregate_function {
	const char *name;
	unsigned needs; /* parts needed in addition to the numbers, as bits 1u << enum accumulator_part */
	enum aggregate_unit unit;
	/* Sets *r when there is a result. Before the call, *r must be set to absent. */
	void (*done)(const struct aggregate_function_input *t, struct aggregate_result *r);
	const char *help;
};

/*
 * Returns the aggregate of that name, NULL when the name is unknown. Sets *percent to the percentile in the name, or to
 * 50 if the name has none.
 */
const struct aggregate_function *aggregate_function_find(struct str name, double *percent);

/* Returns whether the aggregate of that name needs weights; see aggregate_ask(). */
bool aggregate_function_is_weighted(struct str name);

bool aggregate_function_is_sum(const struct aggregate_function *f);

/* Returns the names, NULL-terminated: "count", "sum" ... "pNN". */
const char *const *aggregate_function_names(void);

/* Returns `intro` and one line for each aggregate, for the help of an option; the caller frees it. */
char *aggregate_function_help(const char *intro);

#endif

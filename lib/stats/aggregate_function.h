/*
 * aggregate_function: the table of aggregates. A row has the name of an aggregate, the components of an accumulator
 * that it needs, and the function that computes it.
 */
#ifndef AGGREGATE_FUNCTION_H
#define AGGREGATE_FUNCTION_H

#include "stats/accumulator.h"

enum aggregate_type {
	AGGREGATE_ABSENT,
	AGGREGATE_NUMBER,
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
	struct number number; /* if it is not an integer, it is in the unit that was requested */
	struct str text;      /* valid until the next aggregate_add() */
	bool approx; /* the number has an error of up to 0.6 %, is rounded to its known digits, and in its own unit */
	bool huge;   /* there is no result, because it is beyond the range of double */
};

/* A unit of results: a number is multiplied by `times` and divided by `over`, both > 0, before it is rounded. */
struct aggregate_scale {
	int64_t times, over;
};

/* The data from which a result is computed. */
struct aggregate_function_input {
	struct accumulator acc;
	double percent;                   /* of pNN */
	int variant;                      /* of the row in the table */
	struct aggregate_scale scale;     /* of results that are not integers */
	const struct exact_number *total; /* for the aggregate `share`: the sum over all groups */
};

struct aggregate_function {
	const char *name;
	unsigned needs; /* components needed in addition to the numbers, as bits 1u << enum accumulator_component */
	enum aggregate_unit unit;
	/* Sets *r when there is a result. Before the call, *r must be set to absent. */
	void (*done)(const struct aggregate_function_input *t, struct aggregate_result *r);
	int variant; /* for functions of several aggregates */
	const char *help;
};

/*
 * Returns the aggregate of that name, NULL when the name is unknown. Sets *percent to the percentile in the name, or to
 * 50 if the name has none.
 */
const struct aggregate_function *aggregate_function_find(struct str name, double *percent);

/* Returns whether the aggregate of that name needs weights; see aggregate_request(). */
bool aggregate_function_is_weighted(struct str name);

bool aggregate_function_is_sum(const struct aggregate_function *f);

/* Returns the names, NULL-terminated: "count", "sum" ... "pNN". */
const char *const *aggregate_function_names(void);

/* Returns `intro` and one line for each aggregate, for the help of an option; the caller frees it. */
char *aggregate_function_help(const char *intro);

#endif

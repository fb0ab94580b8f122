/* aggregate_function: the aggregates, a row each: name, the parts of an accumulator that it needs, and its result. */
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

/* What a result measures. */
enum aggregate_unit {
	AGGREGATE_OTHER,    /* nothing that its field does */
	AGGREGATE_VALUE,    /* what its field does: a time is one again */
	AGGREGATE_DISTANCE, /* differences of that: of points in time it is a duration */
	AGGREGATE_FRACTION, /* part of a whole */
};

struct aggregate_result {
	enum aggregate_type type;
	int128 i;
	double d;
	struct str text; /* lives until the next aggregate_add() */
	bool approx;     /* AGGREGATE_REAL: d is within 0.6 %, without digits that are not known */
};

/* One field's parts in one group, and what else a result may need. */
struct aggregate_function_input {
	struct accumulator acc;
	double percent;       /* of pNN */
	long double total;    /* of all groups' sums, for share */
};

struct aggregate_function {
	const char *name;
	unsigned needs;       /* parts beside the numbers: an or of 1u << enum accumulator_part */
	enum aggregate_unit unit;
	/* Sets *r, which the caller made absent, where there is a result. */
	void (*done)(const struct aggregate_function_input *t, struct aggregate_result *r);
	const char *help;
};

/* The aggregate of that name, NULL when there is none. *percent is the percentile that it names, 50 for all others. */
const struct aggregate_function *aggregate_function_find(struct str name, double *percent);

bool aggregate_function_is_sum(const struct aggregate_function *f);

/* The names, NULL after the last: "count", "sum" ... "pNN". */
const char *const *aggregate_function_names(void);

/* `intro` and a line for each aggregate, for an option's help; the caller's to free. */
char *aggregate_function_help(const char *intro);

#endif

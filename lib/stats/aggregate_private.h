/* aggregate_private: what is asked of struct aggregate_set, for aggregate.c and aggregate_ask.c. */
#ifndef AGGREGATE_PRIVATE_H
#define AGGREGATE_PRIVATE_H

#include "record/value_ids.h"
#include "stats/aggregate.h"

/* An aggregate of a field. */
struct aggregate_column {
	const struct aggregate_function *function;
	size_t field;         /* in fields[], or AGGREGATE_RECORDS */
	double percent;       /* of pNN */
	long double total;    /* of all groups' sums, for share */
	char *name;           /* dur_sum */
};

/* A field of which aggregates are asked. */
struct aggregate_field {
	struct field field;
	char *spec;           /* its text */
	unsigned parts;       /* 1u << enum accumulator_part: those that groups store */
	size_t at[ACCUMULATOR_PARTS]; /* where they are in a group's row */
	size_t spare;         /* see quantile_add_int() */
	struct value_ids values; /* for distinct: all values, and which of them occurred in which group */
	struct map pairs;
};

#endif

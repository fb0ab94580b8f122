/* aggregate_private: the columns and fields of struct aggregate_set, shared by aggregate.c and aggregate_ask.c. */
#ifndef AGGREGATE_PRIVATE_H
#define AGGREGATE_PRIVATE_H

#include "record/value_ids.h"
#include "stats/aggregate.h"

/* An aggregate of a field. */
struct aggregate_column {
	const struct aggregate_function *function;
	size_t field;              /* index in fields[], or AGGREGATE_RECORDS */
	double percent;            /* of pNN */
	struct exact_number total; /* for the aggregate `share`: the sum over all groups */
	char *name;                /* dur_sum */
};

/* A field with requested aggregates. */
struct aggregate_field {
	struct field field;
	char *spec;                   /* its text */
	unsigned parts;               /* the parts that groups store, as bits 1u << enum accumulator_part */
	size_t at[ACCUMULATOR_PARTS]; /* offset of each part in a group's row */
	bool weighs;                  /* the field has the weights of `wmean` */
	/* for the aggregate `distinct`: all values, and the pairs of group and value that occurred */
	struct value_ids values;
	struct map pairs;
};

#endif

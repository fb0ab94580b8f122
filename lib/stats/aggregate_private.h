/* aggregate_private: the columns and fields of struct aggregate_set, shared by the files aggregate*.c. */
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

/* --- aggregate.c --- */

/* Returns the row of a group: the number of its records, as a uint64_t, and the parts of all accumulators. */
char *aggregate_row(const struct aggregate_set *a, size_t group);

/* Returns the accumulator of a field in a row. */
struct accumulator aggregate_accumulator(const struct aggregate_field *f, const char *row);

/* Adds groups without records, so that there are n. */
void aggregate_add_groups(struct aggregate_set *a, size_t n);

/* Counts a value, given by its id in f->values, unless it was counted in the group before. */
void aggregate_add_distinct(struct aggregate_field *f, uint32_t group, uint32_t value, uint64_t *distinct);

#endif

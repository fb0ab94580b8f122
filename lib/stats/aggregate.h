/* aggregate: aggregates of fields over numbered groups of records: sums, means, quantiles ... */
#ifndef AGGREGATE_H
#define AGGREGATE_H

#include "record/field.h"
#include "record/value_ids.h"
#include "stats/aggregate_function.h"

/* Something asked for: an aggregate of a field. */
struct aggregate_column {
	const struct aggregate_function *function;
	size_t field;         /* in fields[], or AGGREGATE_RECORDS */
	double percent;       /* of pNN */
	long double total;    /* of all groups' sums, for share */
	char *name;           /* dur_sum */
};

/* A field that something is asked of. */
struct aggregate_field {
	struct field field;
	char *spec;           /* its text */
	unsigned parts;       /* 1u << acc_part: those that groups keep */
	size_t at[ACCUMULATOR_PARTS]; /* where they lie in a group's row */
	size_t spare;         /* see quantile_add_int() */
	struct value_ids values;   /* for distinct: all values, and which of them occurred in which group */
	struct map pairs;
};

/* Zero-initialise; ask; aggregate_begin(); then add records and look at results, in any order. */
struct aggregate_set {
	struct aggregate_column *columns;
	size_t n_columns, columns_cap;
	struct aggregate_field *fields;
	size_t n_fields, fields_cap;
	char *rows;          /* a group's count of records and the parts of its fields, `stride` bytes */
	size_t stride, rows_cap;
	size_t n;            /* groups */
	uint64_t records;    /* added so far */
};

/* --- aggregate_ask.c --- */

#define AGGREGATE_RECORDS ((size_t)-1)
#define AGGREGATE_NONE ((size_t)-2)

/* The number of a field, compiled when it is new; AGGREGATE_NONE, with *fault as field_compile(), when it is not one. */
size_t aggregate_field(struct aggregate_set *a, struct str spec, struct fault *fault);

/*
 * Asks for an aggregate of a field; AGGREGATE_RECORDS with "count" asks for the number of records. Returns its
 * column: an old one when it was asked for before; AGGREGATE_NONE when there is no such aggregate.
 */
size_t aggregate_ask(struct aggregate_set *a, struct str name, size_t field);

/* --- aggregate.c --- */

/*
 * All is asked. `spare` values of each field may be kept for exact quantiles beyond the first
 * QUANTILE_KEEP of each group, SIZE_MAX: all.
 */
void aggregate_begin(struct aggregate_set *a, size_t spare);

/* Counts a record in each of groups[0..n). A new group's number is a->n. */
void aggregate_add(struct aggregate_set *a, struct event *e, const uint32_t *groups, size_t n);

uint64_t aggregate_records(const struct aggregate_set *a, size_t group);

/* How many numbers a field had in a group. */
uint64_t aggregate_numbers(const struct aggregate_set *a, size_t group, size_t field);

/* A field's quantiles in a group; NULL when none was asked for. */
struct quantile *aggregate_quantile(const struct aggregate_set *a, size_t group, size_t field);

/* Adds up what shares are shares of; before results, when records were added since. */
void aggregate_totals(struct aggregate_set *a);

void aggregate_result(const struct aggregate_set *a, size_t column, size_t group, struct aggregate_result *r);

enum aggregate_unit aggregate_unit(const struct aggregate_set *a, size_t column);
bool aggregate_is_sum(const struct aggregate_set *a, size_t column);

/*
 * Makes one more group of all records of some, and returns its number; aggregate_unfold() takes it away again,
 * and must before records are added.
 */
size_t aggregate_fold(struct aggregate_set *a, const size_t *groups, size_t n);
void aggregate_unfold(struct aggregate_set *a);

void aggregate_free(struct aggregate_set *a);

#endif

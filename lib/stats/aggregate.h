/* aggregate: aggregates of fields over numbered groups of records: sums, means, quantiles ... */
#ifndef AGGREGATE_H
#define AGGREGATE_H

#include "record/field.h"
#include "stats/aggregate_function.h"

struct aggregate_column;
struct aggregate_field;

/* Zero-initialise; ask; aggregate_begin(); then add records and look at results, in any order. */
struct aggregate_set {
	size_t n_columns;    /* aggregates that were asked for */
	size_t n_fields;     /* of which they are */
	size_t n;            /* groups */
	/* private */
	struct aggregate_column *columns;
	struct aggregate_field *fields;
	size_t columns_cap, fields_cap;
	char *rows;          /* a group's count of records and the parts of its fields, `stride` bytes */
	size_t stride, rows_cap;
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

/* A field, by its number. aggregate_field() of a new one may move it. */
struct field *aggregate_field_at(const struct aggregate_set *a, size_t field);

/* The field of a column, which is not one of AGGREGATE_RECORDS, and the name of any column: dur_sum. */
const struct field *aggregate_column_field(const struct aggregate_set *a, size_t column);
const char *aggregate_column_name(const struct aggregate_set *a, size_t column);

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

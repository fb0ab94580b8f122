/* aggregate: computes aggregates of fields over numbered groups of records: sums, means, quantiles ... */
#ifndef AGGREGATE_H
#define AGGREGATE_H

#include "record/field.h"
#include "stats/aggregate_function.h"

struct aggregate_column;
struct aggregate_field;

/* Zero-initialise; request aggregates; call aggregate_begin(); then add records and read results, in any order. */
struct aggregate_set {
	size_t n_columns; /* number of requested aggregates */
	size_t n_fields;  /* number of their fields */
	size_t n;         /* number of groups */
	/* private */
	struct aggregate_column *columns;
	struct aggregate_field *fields;
	size_t columns_cap, fields_cap;
	char *rows; /* for each group, `stride` bytes: its number of records and the parts of its fields */
	size_t stride, rows_cap;
	uint64_t records; /* number of records added */
};

/* --- aggregate_ask.c --- */

#define AGGREGATE_RECORDS ((size_t)-1)
#define AGGREGATE_NONE ((size_t)-2)

/*
 * Returns the number of a field, which is compiled when it is new; AGGREGATE_NONE, with *fault as for field_compile(),
 * when it is not valid.
 */
size_t aggregate_field(struct aggregate_set *a, struct str spec, struct fault *fault);

/*
 * Requests an aggregate of a field; "count" of AGGREGATE_RECORDS requests the number of records. Returns its column,
 * which already exists when it was requested before; AGGREGATE_NONE when the name is unknown.
 */
size_t aggregate_ask(struct aggregate_set *a, struct str name, size_t field);

/* Returns a field by its number. The pointer is invalid after aggregate_field() adds a field. */
struct field *aggregate_field_at(const struct aggregate_set *a, size_t field);

/* Return the field of a column, which must not be one of AGGREGATE_RECORDS, and the name of any column: dur_sum. */
const struct field *aggregate_column_field(const struct aggregate_set *a, size_t column);
const char *aggregate_column_name(const struct aggregate_set *a, size_t column);

/* --- aggregate.c --- */

/*
 * To be called after the last request. For exact quantiles, each field may store `spare` values in addition to the
 * first QUANTILE_KEEP of each group, SIZE_MAX: all values.
 */
void aggregate_begin(struct aggregate_set *a, size_t spare);

/* Adds a record to each of groups[0..n). The number of a new group is a->n. */
void aggregate_add(struct aggregate_set *a, struct event *e, const uint32_t *groups, size_t n);

uint64_t aggregate_records(const struct aggregate_set *a, size_t group);

/* Returns how many numbers a field had in a group. */
uint64_t aggregate_numbers(const struct aggregate_set *a, size_t group, size_t field);

/* Returns a field's quantiles in a group; NULL when none was requested. */
struct quantile *aggregate_quantile(const struct aggregate_set *a, size_t group, size_t field);

/*
 * Computes the totals that shares refer to; to be called before reading results if records were added since the last
 * call.
 */
void aggregate_totals(struct aggregate_set *a);

void aggregate_result(const struct aggregate_set *a, size_t column, size_t group, struct aggregate_result *r);

enum aggregate_unit aggregate_unit(const struct aggregate_set *a, size_t column);
bool aggregate_is_sum(const struct aggregate_set *a, size_t column);

/*
 * Adds one more group with all records of some groups, and returns its number. aggregate_unfold() removes it, and must
 * be called before records are added.
 */
size_t aggregate_fold(struct aggregate_set *a, const size_t *groups, size_t n);
void aggregate_unfold(struct aggregate_set *a);

void aggregate_free(struct aggregate_set *a);

#endif

/* aggregate: computes aggregates of fields over numbered groups of records: sums, means, quantiles ... */
#ifndef AGGREGATE_H
#define AGGREGATE_H

#include "io/out.h"
#include "record/field.h"
#include "stats/aggregate_function.h"

struct aggregate_field;

/* An aggregate of a field. */
struct aggregate_column {
	char *name; /* dur_sum */
	const struct aggregate_function *function;
	size_t field; /* index of the field, or AGGREGATE_RECORDS */
	/* private */
	double percent;            /* of pNN */
	struct exact_number total; /* for the aggregate `share`: the sum over all groups */
};

/* Zero-initialise; request aggregates; call aggregate_begin(); then add records and read results, in any order. */
struct aggregate_set {
	struct aggregate_column *columns; /* the requested aggregates */
	size_t n_columns;
	size_t n_fields; /* number of the fields that are aggregated */
	size_t n;        /* number of groups */
	/* private */
	struct aggregate_field *fields;
	size_t columns_cap, fields_cap;
	char *rows; /* for each group, `stride` bytes: its number of records and its partial results */
	size_t stride, rows_cap;
	char *read;            /* the row of the state that is being read */
	uint64_t read_records; /* the sum of the counts of all states that were read */
	size_t keep;           /* see aggregate_begin() */
	uint64_t part;         /* the part of the input that records are added from */
	uint64_t records;      /* number of records added */
	struct value weight;   /* of the record being added; VALUE_NONE if it has none */
	const size_t *parents; /* the argument of aggregate_totals() */
};

/* --- fields and columns --- */

#define AGGREGATE_RECORDS ((size_t)-1)
#define AGGREGATE_NONE ((size_t)-2)

/* Returns the index of a field, which may be new. If it is not valid, sets *fault and returns AGGREGATE_NONE. */
size_t aggregate_field(struct aggregate_set *a, struct str spec, struct fault *fault);

/*
 * Requests an aggregate of a field, or "count" of AGGREGATE_RECORDS: the number of records. Returns the index of its
 * column, the same one for a repeated request, or AGGREGATE_NONE when the name is unknown. The weights of `wmean` are
 * the numbers of field 0; records without a weight are left out of wmean.
 */
size_t aggregate_request(struct aggregate_set *a, struct str name, size_t field);

/* Returns the field with that index. The pointer is invalid after aggregate_field() adds a field. */
struct field *aggregate_field_at(const struct aggregate_set *a, size_t field);

/* --- groups and results --- */

/*
 * To be called after the last request. `keep`: number of values that a field may store in a group for exact quantiles;
 * SIZE_MAX: all values.
 */
void aggregate_begin(struct aggregate_set *a, size_t keep);

/*
 * Adds a record to each of groups[0..n). Group numbers >= a->n are new groups. Returns false if a field has a number
 * that value_is_huge(), which was left out.
 */
bool aggregate_add(struct aggregate_set *a, struct event *e, const uint32_t *groups, size_t n);

/* Return the number of records in a group, and of numeric values of a field in a group. */
uint64_t aggregate_records(const struct aggregate_set *a, size_t group);
uint64_t aggregate_numbers(const struct aggregate_set *a, size_t group, size_t field);

/* Returns a field's quantiles in a group, or NULL when none was requested. */
struct quantile *aggregate_quantile(const struct aggregate_set *a, size_t group, size_t field);

/*
 * Computes the totals for shares; to be called after records were added, before results are read. `parents` is NULL, or
 * has for each group the index of its parent, which is a group that contains all its records, or SIZE_MAX; it must stay
 * valid while results are read. The total of a group with a parent is the sum of the parent, that of every other group
 * the sum over all groups without a parent.
 */
void aggregate_totals(struct aggregate_set *a, const size_t *parents);

void aggregate_result(const struct aggregate_set *a, size_t column, size_t group, struct aggregate_scale scale,
    struct aggregate_result *r);

/* Adds a group with all records of the given groups, and returns its number. No records may be added until unfold. */
size_t aggregate_fold(struct aggregate_set *a, const size_t *groups, size_t n);
void aggregate_unfold(struct aggregate_set *a);

/* --- in partial results --- */

/* Appends the members "fields" and, if `columns` is set, "aggregates" to an object. */
void aggregate_write_question(const struct aggregate_set *a, bool columns, struct buf *object);

/*
 * Requests the same from an empty set. `fields` and `aggregates` are the arrays that aggregate_write_question() wrote.
 * Returns false when they contain anything else.
 */
bool aggregate_read_question(struct aggregate_set *a, struct str fields, struct str aggregates);

/* Returns whether a result depends on the order of records: first, last or list. */
bool aggregate_is_ordered(const struct aggregate_set *a);

/*
 * Appends the members "count" and "fields" to an object. Parts of a state that is too large for a line are written as
 * complete lines to `lines`, and belong to the group whose line follows; then their number is appended as "lines".
 * After the first call, the set must not change.
 */
void aggregate_write_state(struct aggregate_set *a, size_t group, struct buf *object, struct out *lines);

/* Reads a member of the state of a field, except "field". Returns false when it is unknown or its value impossible. */
bool aggregate_read_member(struct aggregate_set *a, size_t field, struct str name, struct str value);

/*
 * Merges the state that was read, of `count` records, into a group, which may be new, and begins a new state. Returns
 * NULL, or the reason for a refusal. The sum of the counts of all groups must be in the range of int64, so that any of
 * the groups can be folded.
 */
const char *aggregate_merge_state(struct aggregate_set *a, size_t group, uint64_t count);

void aggregate_free(struct aggregate_set *a);

#endif

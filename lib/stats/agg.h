/* agg: aggregates of fields over numbered groups of records: sums, means, quantiles ... */
#ifndef AGG_H
#define AGG_H

#include "stats/acc.h"
#include "record/keys.h"

enum agg_type { AGG_ABSENT, AGG_INT /* i */, AGG_REAL /* d, finite */, AGG_TEXT /* JSON text */ };

/* What a result measures. */
enum agg_unit {
	AGG_OTHER,    /* nothing that its field does */
	AGG_VALUE,    /* what its field does: a time is one again */
	AGG_DISTANCE, /* differences of that: of points in time it is a duration */
	AGG_FRACTION, /* part of a whole */
};

struct agg_result {
	enum agg_type type;
	num_i128 i;
	double d;
	struct str text; /* lives until the next agg_add() */
	bool approx;     /* AGG_REAL: d is within 0.6 %, without digits that are not known */
};

struct agg; /* a row of the table in agg.c: name, what it needs, how it is told */

/* Something asked for: an aggregate of a field. */
struct agg_column {
	const struct agg *agg;
	size_t field;         /* in fields[], or AGG_RECORDS */
	double percent;       /* of pNN */
	long double total;    /* of all groups' sums, for share */
	char *name;           /* dur_sum */
};

/* A field that something is asked of. */
struct agg_field {
	struct field field;
	char *spec;           /* its text */
	unsigned parts;       /* 1u << acc_part: those that groups keep */
	size_t at[ACC_PARTS]; /* where they lie in a group's row */
	size_t spare;         /* see quantile_add_int() */
	struct keys values;   /* for distinct: all values, and which of them occurred in which group */
	struct map pairs;
};

/* Zero-initialise; ask; agg_begin(); then add records and look at results, in any order. */
struct agg_set {
	struct agg_column *columns;
	size_t n_columns, columns_cap;
	struct agg_field *fields;
	size_t n_fields, fields_cap;
	char *rows;          /* a group's count of records and the parts of its fields, `stride` bytes */
	size_t stride, rows_cap;
	size_t n;            /* groups */
	uint64_t records;    /* added so far */
};

#define AGG_RECORDS ((size_t)-1)

/* The names, NULL after the last: "count", "sum" ... "pNN". */
const char *agg_name(size_t i);

/* `intro` and a line for each aggregate, for an option's help; the caller's to free. */
char *agg_help(const char *intro);

/* The number of a field, compiled when it is new; ends the program, naming the option, when it is none. */
size_t agg_field(struct agg_set *a, const char *option, struct str spec);

/*
 * Asks for an aggregate of a field; AGG_RECORDS with "count" asks for the number of records. Returns its
 * column: an old one when it was asked for before. Ends the program, naming the option, when there is no
 * such aggregate.
 */
size_t agg_ask(struct agg_set *a, const char *option, struct str name, size_t field);

/*
 * A comma-separated list of AGG and AGG:FIELD. An aggregate without a field of its own is asked of each
 * of fields[0..n), of dur when n is 0; but "count" of the records, and that comes first.
 */
void agg_ask_list(struct agg_set *a, const char *option, const char *list, const size_t *fields, size_t n);

/*
 * All is asked. `spare` values of each field may be kept for exact quantiles beyond the first
 * QUANTILE_KEEP of each group, SIZE_MAX: all.
 */
void agg_begin(struct agg_set *a, size_t spare);

/* Counts a record in each of groups[0..n). A new group's number is a->n. */
void agg_add(struct agg_set *a, struct event *e, const uint32_t *groups, size_t n);

/* The same piecemeal: a record, and one of its values in one group. */
void agg_add_record(struct agg_set *a, const uint32_t *groups, size_t n);
void agg_add_value(struct agg_set *a, size_t field, uint32_t group, const struct value *v);

uint64_t agg_records(const struct agg_set *a, size_t group);

/* How many numbers a field had in a group. */
uint64_t agg_numbers(const struct agg_set *a, size_t group, size_t field);

/* A field's quantiles in a group; NULL when none was asked for. */
struct quantile *agg_quantile(const struct agg_set *a, size_t group, size_t field);

/* Adds up what shares are shares of; before results, when records were added since. */
void agg_totals(struct agg_set *a);

void agg_result(const struct agg_set *a, size_t column, size_t group, struct agg_result *r);

enum agg_unit agg_unit(const struct agg_set *a, size_t column);
bool agg_is_sum(const struct agg_set *a, size_t column);

/*
 * Makes one more group of all records of some, and returns its number; agg_unfold() takes it away again,
 * and must before records are added.
 */
size_t agg_fold(struct agg_set *a, const uint32_t *groups, size_t n);
void agg_unfold(struct agg_set *a);

void agg_free(struct agg_set *a);

#endif

/* aggregate_state: writes the states of groups, from which all aggregates can be computed, and merges them. */
#ifndef AGGREGATE_STATE_H
#define AGGREGATE_STATE_H

#include "io/out.h"
#include "stats/aggregate.h"

/* --- aggregate_ask.c: what was requested from a set --- */

/* Appends the members "fields" and, if `columns` is set, "aggregates" to an object. */
void aggregate_ask_write(const struct aggregate_set *a, bool columns, struct buf *object);

/*
 * Requests the same from an empty set. `fields` and `aggregates` are the arrays that aggregate_ask_write() wrote.
 * Returns false when they contain anything else.
 */
bool aggregate_ask_read(struct aggregate_set *a, struct str fields, struct str aggregates);

/* Returns whether a result depends on the order of records: first, last or list. */
bool aggregate_is_ordered(const struct aggregate_set *a);

/* --- aggregate_state.c: writing --- */

struct aggregate_writer {
	/* private */
	struct aggregate_set *set;
	struct out *out;
	struct aggregate_distinct *distinct; /* by field */
};

/* The set must not change until aggregate_writer_end(). */
void aggregate_writer_begin(struct aggregate_writer *w, struct aggregate_set *a, struct out *out);

/*
 * Appends the members "count" and "fields" to an object. Parts of a state that is too large for a line are written as
 * complete lines to `out`, and belong to the group whose line follows; then their number is appended as "lines".
 */
void aggregate_writer_group(struct aggregate_writer *w, size_t group, struct buf *object);

void aggregate_writer_end(struct aggregate_writer *w);

/* --- reading --- */

struct aggregate_reader {
	/* private */
	struct aggregate_set *set;
	char *row;                           /* the state of the group that is being read */
	struct aggregate_read_field *fields; /* by field */
	uint64_t records;                    /* the sum of the counts of all groups, also of those merged into one */
};

void aggregate_reader_begin(struct aggregate_reader *r, struct aggregate_set *a);

/*
 * Reads a member of the state of a field, except "field". Returns false when there is no such member or its value is
 * not possible.
 */
bool aggregate_reader_member(struct aggregate_reader *r, size_t field, struct str name, struct str value);

/*
 * Merges the state that was read into a group, which may be new, and begins a new state. `count` is the number of
 * records. Returns NULL, or the reason for a refusal: for example, the sum of the counts of all groups must be in the
 * range of int64, so that any of the groups can be folded.
 */
const char *aggregate_reader_merge(struct aggregate_reader *r, size_t group, uint64_t count);

void aggregate_reader_end(struct aggregate_reader *r);

#endif

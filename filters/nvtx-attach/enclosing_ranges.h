/*
 * enclosing_ranges: stores ranges of a stream in ts order, and finds those that enclose a record. A program can have
 * several of them, its layers: each stores the ranges of other kinds.
 */
#ifndef ENCLOSING_RANGES_H
#define ENCLOSING_RANGES_H

#include "range_names.h"
#include "range_query.h"

/* Searches of all layers share `queries`, `names` numbers the names of the ranges; the caller owns both. */
struct enclosing_ranges_options {
	struct range_queries *queries;
	struct range_names *names;
	unsigned layer; /* the number of the layer, 0..31 */
	uint32_t kinds; /* the kinds of records that are ranges: 1u << kind */
	/* PLACES_*: the scope that a range and the records in it share; -1: it depends on the kind of the range */
	int scope;
};

/* Adds the scopes of its ranges to queries->scopes; to be called before the first search. */
struct enclosing_ranges *enclosing_ranges_new(const struct enclosing_ranges_options *o);
void enclosing_ranges_free(struct enclosing_ranges *c);

/*
 * Adds a range, the record of `q`: a record of one of options.kinds that has a ts and a dur. `seq`: a number that
 * counts up from one record to the next. `oldest`: the ts of the earliest record that still waits for its ranges.
 */
void enclosing_ranges_add(struct enclosing_ranges *c, struct range_query *q, struct event *e, enum event_kind kind,
    uint32_t seq, int64_t oldest);

/*
 * q->wanted must be set. Sets *found to the ranges that enclose the record, from the outermost to the innermost, and
 * returns their number; *found is valid until the next call. The result is complete when every range that starts at or
 * before range_query_until() has been added. `ts` is the ts of the stream.
 */
size_t enclosing_ranges_find(struct enclosing_ranges *c, const struct range_query *q, const struct event *e, int64_t ts,
    const struct interval_index_entry **found);

/* Returns the number of records that may lack ranges, because the search needed ranges beyond the horizon. */
uint64_t enclosing_ranges_far(const struct enclosing_ranges *c);

#endif

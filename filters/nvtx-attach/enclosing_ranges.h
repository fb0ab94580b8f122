/* enclosing_ranges: stores the ranges of a stream in ts order, and finds those that enclose a record. */
#ifndef ENCLOSING_RANGES_H
#define ENCLOSING_RANGES_H

#include "record/event.h"
#include "range_names.h"
#include "record/places.h"
#include "interval/interval_index.h"

enum enclosing_ranges_point { ENCLOSING_RANGES_WHOLE, ENCLOSING_RANGES_START, ENCLOSING_RANGES_END };

struct enclosing_ranges_options {
	uint32_t kinds; /* the kinds of records that are ranges: 1u << kind */
	/* PLACES_*: the scope that a range and the records in it share; -1: it depends on the kind of the range */
	int scope;
	bool by_own;                       /* match device records by their own time, not by their call's time */
	enum enclosing_ranges_point point; /* the part of the record that must be in the range */
	int64_t horizon; /* maximum distance from the ts of a record to its call or to its end, in ns */
};

struct enclosing_ranges_counts {
	uint64_t alone; /* number of device records without a call */
	uint64_t far;   /* number of records that may lack ranges, since the search needed ranges beyond the horizon */
};

/* `names` numbers the names of the ranges; the caller owns it. */
struct enclosing_ranges *enclosing_ranges_new(const struct enclosing_ranges_options *o, struct range_names *names);
void enclosing_ranges_free(struct enclosing_ranges *c);

/*
 * A search for the ranges that enclose one record: its places and times. Zero-initialise, and set ts to the ts of the
 * stream. Many queries can be stored at the same time, so the struct is small.
 */
struct enclosing_ranges_query {
	int64_t ts;
	int64_t from, to; /* a range must start at or before `from` and end at or after `to` */
	/* all ranges that start at or before this time are needed; the minimum of `from` and ts + horizon */
	int64_t until;
	uint32_t scopes[PLACES_SCOPES];
	uint32_t seq; /* if is_range, the number of the range */
	unsigned char n_scopes;
	bool wanted; /* the places and times are set: ranges must be searched */
	/* is_range: the record is a range; launched: the places and times are those of the record's call */
	bool is_range, launched;
};

/*
 * Adds a range: a record of one of options.kinds that has a ts and a dur >= 0. `oldest`: the ts of the earliest record
 * that still waits for its ranges.
 */
void enclosing_ranges_add(struct enclosing_ranges *c, struct enclosing_ranges_query *q, struct event *e,
    enum event_kind kind, int64_t oldest);

/* Sets the places and times to search for a record that has a ts, according to the options by_own and point. */
void enclosing_ranges_ask(
    struct enclosing_ranges *c, struct enclosing_ranges_query *q, struct event *e, enum event_kind kind);

/*
 * Sets *found to the ranges that enclose the record, from the outermost to the innermost, and returns their number;
 * *found is valid until the next call. The result is complete when every range that starts at or before q->until has
 * been added. `ts` is the ts of the stream.
 */
size_t enclosing_ranges_find(struct enclosing_ranges *c, const struct enclosing_ranges_query *q, const struct event *e,
    int64_t ts, const struct interval_index_entry **found);

const struct enclosing_ranges_counts *enclosing_ranges_counts(const struct enclosing_ranges *c);

#endif

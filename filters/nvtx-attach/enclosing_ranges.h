/* enclosing_ranges: the ranges of a stream in ts order, and which of them a record lies in. */
#ifndef ENCLOSING_RANGES_H
#define ENCLOSING_RANGES_H

#include "record/event.h"
#include "range_names.h"
#include "record/places.h"
#include "interval/interval_index.h"

enum enclosing_ranges_point { ENCLOSING_RANGES_WHOLE, ENCLOSING_RANGES_START, ENCLOSING_RANGES_END };

struct enclosing_ranges_options {
	uint32_t kinds;           /* that are ranges: 1u << kind */
	int scope;                /* what range and record share beside the rank, -1: by the range's kind */
	bool by_own;              /* device records at their own time, not at their call's */
	enum enclosing_ranges_point point; /* what of the record must lie in the range */
	int64_t horizon;          /* how far from its ts a record may look for ranges: at its call, at its end */
};

struct enclosing_ranges_counts {
	uint64_t alone;           /* device records that have no call */
	uint64_t far;             /* records that looked for ranges beyond the horizon */
};

/* `names` numbers the names of the ranges, and is the caller's. */
struct enclosing_ranges *enclosing_ranges_new(const struct enclosing_ranges_options *o, struct range_names *names);
void enclosing_ranges_free(struct enclosing_ranges *c);

/*
 * Where and when ranges are looked for, for one record. Zero-initialise, and set ts to that of the stream. Many may
 * wait at a time, so it is small.
 */
struct enclosing_ranges_query {
	int64_t ts;
	int64_t from, to;        /* a range must start by then, and end then or later */
	int64_t until;           /* how long to wait for such ranges: from, or up to the horizon */
	uint32_t scopes[PLACES_SCOPES];
	uint32_t seq;            /* of the range that it is */
	unsigned char n_scopes;
	bool wanted;             /* it lies somewhere */
	bool is_range, launched; /* the record is a range itself; it has a call */
};

/*
 * The record, which has a ts and a dur >= 0, is of the kinds that are ranges. `oldest` is the ts of the first
 * record that is still to be found.
 */
void enclosing_ranges_add(struct enclosing_ranges *c, struct enclosing_ranges_query *q, struct event *e,
    enum event_kind kind, int64_t oldest);

/* Where to look for a record that has a ts: the options by_own and point decide. */
void enclosing_ranges_ask(
    struct enclosing_ranges *c, struct enclosing_ranges_query *q, struct event *e, enum event_kind kind);

/*
 * Returns how many ranges enclose the record, and these in *found, from the outermost to the innermost, until the next
 * call: all, once every range that starts at q->until or before was added. `ts` is where the stream is.
 */
size_t enclosing_ranges_find(struct enclosing_ranges *c, const struct enclosing_ranges_query *q, const struct event *e,
    int64_t ts, const struct interval_index_entry **found);

const struct enclosing_ranges_counts *enclosing_ranges_counts(const struct enclosing_ranges *c);

#endif

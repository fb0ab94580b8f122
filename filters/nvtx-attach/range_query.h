/* range_query: the places and times of ranges and of the records that they enclose. */
#ifndef RANGE_QUERY_H
#define RANGE_QUERY_H

#include "record/event.h"
#include "record/places.h"

enum range_query_point { RANGE_QUERY_WHOLE, RANGE_QUERY_START, RANGE_QUERY_END };

struct range_query_options {
	bool by_own;                  /* match device records by their own time, not by their call's time */
	enum range_query_point point; /* the part of the record that must be in the range */
	int64_t horizon;              /* maximum distance from the ts of a record to its call or to its end, in ns */
};

/* Zero-initialise, and set options and scopes. Free it with range_queries_free(). */
struct range_queries {
	struct range_query_options options;
	uint32_t scopes; /* the scopes that ranges can have: 1u << PLACES_* */
	uint64_t alone;  /* number of device records without a call */
	/* private */
	struct places places;
};

/*
 * A search for the ranges that enclose one record: its places and times. They are the same for the ranges of all kinds.
 * Zero-initialise, and set ts to the ts of the stream. Many queries can be stored at the same time, so the struct is
 * small.
 */
struct range_query {
	int64_t ts;
	int64_t from, to; /* a range must start at or before `from` and end at or after `to` */
	/*
	 * By PLACES_*, for the scopes in use: numbers of the places whose ranges are searched. If by_device is set, the
	 * first two are the same place.
	 */
	uint32_t places[PLACES_SCOPES];
	uint32_t layers; /* bit i: the record is a range of layer i (range_layers) */
	uint32_t seq;    /* if layers is not 0, the number of the range */
	bool wanted;     /* the places and times are set: ranges must be searched */
	bool launched;   /* the places and times are those of the record's call */
	bool by_device;  /* the record has no thread: it is searched in the ranges of all threads */
};

/* Sets the places and times to search for a record that has a ts, according to the options. */
void range_query_ask(struct range_queries *s, struct range_query *q, struct event *e, enum event_kind kind);

/* Returns a time: all ranges that start at or before it are needed. It is the minimum of `from` and ts + horizon. */
static inline int64_t range_query_until(const struct range_queries *s, const struct range_query *q)
{
	const int64_t last = int_add(q->ts, s->options.horizon);

	return q->from < last ? q->from : last;
}

/*
 * Returns the number of the place, with one of s->scopes, to which a range belongs. q: the query of the range itself,
 * if range_query_ask() was called for it; it often has the place already.
 */
uint32_t range_query_place(
    struct range_queries *s, const struct range_query *q, struct event *e, enum places_scope scope);

/*
 * With options.by_own: sets `places` to the numbers of the two places in which device records search a range that has
 * scope PLACES_THREAD or PLACES_PROCESS. Each record searches one of them.
 */
void range_query_device_places(struct range_queries *s, struct event *e, uint32_t places[2]);

void range_queries_free(struct range_queries *s);

#endif

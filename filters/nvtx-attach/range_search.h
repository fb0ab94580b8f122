/* range_search: the places and times at which the ranges that enclose a record are searched. */
#ifndef RANGE_SEARCH_H
#define RANGE_SEARCH_H

#include "record/event.h"
#include "record/places.h"

enum range_search_point { RANGE_SEARCH_WHOLE, RANGE_SEARCH_START, RANGE_SEARCH_END };

struct range_search_options {
	bool by_own;                   /* match device records by their own time, not by their call's time */
	enum range_search_point point; /* the part of the record that must be in the range */
	int64_t horizon;               /* maximum distance from the ts of a record to its call or to its end, in ns */
};

/* Zero-initialise, and set options and scopes. Free it with range_searches_free(). */
struct range_searches {
	struct range_search_options options;
	uint32_t scopes; /* the scopes that ranges can have: 1u << PLACES_* */
	uint64_t alone;  /* number of device records without a call */
	/* private */
	struct places places;
};

/*
 * A search for the ranges that enclose one record: its places and times. They are the same for the ranges of all kinds.
 * Zero-initialise, and set ts to the ts of the stream. Many searches can be stored at the same time, so the struct is
 * small.
 */
struct range_search {
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
void range_search_set(struct range_searches *s, struct range_search *search, struct event *e, enum event_kind kind);

/* Returns a time: all ranges that start at or before it are needed. It is the minimum of `from` and ts + horizon. */
static inline int64_t range_search_until(const struct range_searches *s, const struct range_search *search)
{
	const int64_t last = int_add(search->ts, s->options.horizon);

	return search->from < last ? search->from : last;
}

/*
 * Returns the number of the place, with one of s->scopes, to which a range belongs. search: that of the range
 * itself, if range_search_set() was called for it; it often has the place already.
 */
uint32_t range_search_place(
    struct range_searches *s, const struct range_search *search, struct event *e, enum places_scope scope);

/*
 * With options.by_own: sets `places` to the numbers of the two places in which device records search a range that has
 * scope PLACES_THREAD or PLACES_PROCESS. Each record searches one of them.
 */
void range_search_device_places(struct range_searches *s, struct event *e, uint32_t places[2]);

void range_searches_free(struct range_searches *s);

#endif

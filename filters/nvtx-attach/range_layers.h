/*
 * range_layers: the ranges of some kinds, and the members that they give to records. A program has the layer of its
 * options, and one for each --also.
 */
#ifndef RANGE_LAYERS_H
#define RANGE_LAYERS_H

#include "range_names.h"
#include "range_search.h"
#include "record/input.h"
#include "record/name_match.h"

/* One layer is added for each kind at most. */
enum { RANGE_LAYERS_MAX = 1 + KIND_N };

/* The caller sets the members up to `wanted`, between range_layers_init() and range_layers_check(). */
struct range_layer {
	uint32_t kinds; /* the kinds of records that are ranges: 1u << kind; default range */
	int scope;      /* PLACES_*: what a range and the records in it share; -1 (default): it depends on the kind */
	struct range_names *names;
	struct name_match wanted; /* if it has rules, only ranges whose name matches are used */
	/* private */
	uint32_t at_level[PLACES_SCOPES]; /* for each scope, the kinds of ranges that have this scope, as bits */
	uint32_t scopes;                  /* the scopes that ranges have: 1u << PLACES_* */
	struct interval_index spans;      /* the ranges that a search can still find */
	int64_t forgotten;                /* ranges that ended before this ts have been removed */
	/* far: number of records that may lack ranges, because the search needed ranges beyond the horizon */
	uint64_t ranges, endless, inside, outside, far;
	struct buf label; /* empty, or "member op: ", the start of messages if there are several layers */
};

struct range_layers {
	struct range_searches searches;
	struct range_layer list[RANGE_LAYERS_MAX];
	size_t n;
	/* set by range_layers_check(): the kinds of records for which range_layers_take() must be called: 1u << kind */
	uint32_t taken;
	/* private */
	uint64_t marks;
	uint32_t seq;    /* number of records so far that are ranges */
	struct buf text; /* the members of the record that is being written */
};

/* Zero-initialises *l, except its first layer, which gets the defaults. */
void range_layers_init(struct range_layers *l);

/*
 * Adds the layer of --also: the ranges of one kind, with the default scope of the kind; its members are named after the
 * kind. Ends the program if such a member is a standard member.
 */
void range_layers_also(struct range_layers *l, const char *option, enum event_kind kind);

/* To be called after the options: ends the program when two members have the same name. */
void range_layers_check(struct range_layers *l);

/*
 * Reads the fields of --take, if a record of this kind is a range of the first layer. Call it before the other
 * functions get the record. Returns false if a field is not JSON; then input_next() returns the repaired record.
 */
bool range_layers_carry(struct range_layers *l, struct input *in, struct event *e, enum event_kind kind);

/*
 * Adds a record of one of the kinds l->taken, with its search, to the layers of which it is a range; a range without
 * an end is reported instead. `oldest`: the ts of the earliest record that still waits for its ranges.
 */
void range_layers_take(struct range_layers *l, struct input *in, struct range_search *search, struct event *e,
    enum event_kind kind, int64_t oldest);

/*
 * Writes the record with the members of all layers. Every range that starts at or before range_search_until() must have
 * been added. `ts`: the ts of the stream.
 */
void range_layers_write(
    struct range_layers *l, struct out *out, const struct range_search *search, const struct event *e, int64_t ts);

/* Reports how many records may lack ranges, and with `report`, the counts of --report. */
void range_layers_report(const struct range_layers *l, bool report);
/* Prints hints: if no record could get a range because there are no ranges, and for fields that no range had. */
void range_layers_hint(const struct range_layers *l);

void range_layers_free(struct range_layers *l);

#endif

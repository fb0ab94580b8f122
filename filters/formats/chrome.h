/* chrome: what the three files of the Chrome Trace Event reader share. */
#ifndef CHROME_H
#define CHROME_H

#include "format.h"
#include "map.h"
#include "scan.h"

/* One element of traceEvents taken apart: views of its text, p == NULL where it has no such member. */
struct chrome_raw {
	struct str text; /* all of it */
	struct str ph, cat, name, pid, tid, ts, dur, id, id2, args; /* id2 is kept in src too */
	struct str record; /* what ndjson2trace says beside it: null for an event that is no record */
};

/* What turning one event into a record needs; views in the record point here or into the event. */
struct chrome_event {
	struct chrome_raw raw;
	struct buf args;   /* squeezed: args.n bytes ... */
	struct scan_squeezed squeezed; /* ... with what scan said of them */
	struct buf others; /* members without another place, each with a comma before it */
	struct buf src;    /* made of them */
	bool twice;        /* a member was there twice: the last one counts */
	bool doubt;        /* json_check must see the text before what was copied from it is written */
	struct {
		char text[NUM_ROOM];
	} numbers[EVENT_N]; /* of members whose text is not in the source */
};

enum chrome_result {
	CHROME_RECORD,  /* *e is set */
	CHROME_DROPPED, /* not of a kind that is wanted */
	CHROME_DOUBT,   /* json_check must look at the text, which scan did not vouch for */
	CHROME_BROKEN,  /* not an event: neither JSON nor a time that fits */
	CHROME_RANGE,   /* ts or dur is beyond 64 bits */
};

/*
 * The record of one event's text, an object. `sound` says that json_check() has passed it. Durations of
 * B and E events are not known here: the record has src.ph.
 */
enum chrome_result chrome_convert(struct chrome_event *c, const struct reader *r, struct str text, bool sound,
    struct event *e);

/* Begins without their ends yet, by thread or by id. */
struct chrome_pairs;

/* Whether the event is one half of a pair (B E, b e, S F). */
bool chrome_is_half(const struct chrome_raw *raw);

/*
 * Takes one half, which stood at `offset`: 1 when it completes a pair and *e became the whole range; 0 when
 * it was a begin, which is kept; -1 for an end without a begin. *pairs is made at the first use.
 */
int chrome_pair(struct chrome_pairs **pairs, const struct chrome_raw *raw, uint64_t offset, struct event *e);

/* At the end: the next begin whose end never came, as a record without dur; 0 when there is none left. */
int chrome_unpaired(struct chrome_pairs *pairs, struct event *e, uint64_t *offset);
void chrome_pairs_free(struct chrome_pairs *pairs);

#endif

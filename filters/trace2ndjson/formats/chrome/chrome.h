/* chrome: the functions and types that the files of the Chrome Trace Event reader share. */
#ifndef CHROME_H
#define CHROME_H

#include "chrome_seen.h"
#include "trace2ndjson/formats/format.h"
#include "base/map.h"
#include "base/num_format.h"
#include "json/scan.h"

/* The members of one element of traceEvents: views of its text; p is NULL where the element has no such member. */
struct chrome_raw {
	struct str text;                                            /* the whole element */
	struct str ph, cat, name, pid, tid, ts, dur, id, id2, args; /* id2 is also written to src */
	struct str record; /* the member that ndjson2trace adds; null in an event that is not a record */
};

/* The memory for converting one event to a record; views in the record point here or into the event. */
struct chrome_event {
	struct chrome_raw raw;
	struct buf args;               /* args without white space */
	struct scan_squeezed squeezed; /* the properties of args that scan_squeeze() found */
	struct buf others;             /* members without a field in the record, each with a comma before it */
	struct buf src;                /* the object made of `others` */
	bool twice;                    /* a member occurred twice: its last value is used */
	bool doubt;  /* texts from the event may be written only after json_check() has accepted the event */
	bool unkept; /* args has no member that --keep-args selects: see struct reader */
	/* if a member shows that the event is not selected: the offset of the end of this member; otherwise 0 */
	size_t unwanted;
	struct chrome_seen seen;
	struct {
		char text[NUM_ROOM];
	} numbers[EVENT_N]; /* texts of the numbers that the record writes in a different form from the source */
};

enum chrome_result {
	CHROME_RECORD,  /* *e is set */
	CHROME_DROPPED, /* the event's kind is not selected */
	CHROME_DOUBT,   /* json_check() must check the text: scan could not show that it is valid */
	CHROME_BROKEN,  /* not an event: the text is not a JSON object */
	CHROME_RANGE,   /* ts or dur does not fit in 64 bits */
};

/* --- chrome_event.c: converts one event to a record --- */

/*
 * Converts the text of one event, an object, to the record *e. `sound` is set when json_check() has accepted the text.
 * For one half of a pair (B or E), the duration is not known here; the record's src.ph shows which half it is.
 */
enum chrome_result chrome_convert(
    struct chrome_event *c, const struct reader *r, struct str text, bool sound, struct event *e);

/* --- chrome_pairs.c: joins begin and end events to ranges --- */

/* The begin events whose end event has not been read yet, grouped by thread or by id. */
struct chrome_pairs;

/* Whether the event is one half of a pair (B E, b e, S F). */
bool chrome_is_half(const struct chrome_raw *raw);

/*
 * Adds one half, which is at `offset` in the input. Returns 1 when this completes a pair; *e is then the whole range.
 * Returns 0 for a begin event, which is stored, and -1 for an end event without a begin event. The first call allocates
 * *pairs.
 */
int chrome_pair(struct chrome_pairs **pairs, const struct chrome_raw *raw, uint64_t offset, struct event *e);

/*
 * At the end of the input: sets *e to the next begin event that has no end, as a record without dur; returns 0 when no
 * more are left.
 */
int chrome_unpaired(struct chrome_pairs *pairs, struct event *e, uint64_t *offset);
void chrome_pairs_free(struct chrome_pairs *pairs);

#endif

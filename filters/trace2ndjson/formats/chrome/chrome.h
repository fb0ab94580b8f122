/* chrome: what the files of the Chrome Trace Event reader share. */
#ifndef CHROME_H
#define CHROME_H

#include "chrome_seen.h"
#include "trace2ndjson/formats/format.h"
#include "base/map.h"
#include "base/num_format.h"
#include "json/scan.h"

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
	size_t unwanted;   /* how much of the text said that nobody wants its kind, 0: none of it */
	struct chrome_seen seen;
	struct {
		char text[NUM_ROOM];
	} numbers[EVENT_N]; /* of members whose text is not in the source */
};

enum chrome_result {
	CHROME_RECORD,  /* *e is set */
	CHROME_DROPPED, /* an event, not of a kind that is wanted */
	CHROME_DOUBT,   /* json_check must look at the text, which scan did not vouch for */
	CHROME_BROKEN,  /* not an event: neither JSON nor a time that fits */
	CHROME_RANGE,   /* ts or dur is beyond 64 bits */
};

/* --- chrome_members.c: an event's text taken apart --- */

/*
 * Sets c->raw and c->others from the members of an event. Returns CHROME_RECORD when the text is valid so far; `sound`
 * as in chrome_convert(). Unless `whole`, args and src are not made once it is known that no record of the event's kind
 * is selected; c->unwanted is then set.
 */
enum chrome_result chrome_take_apart(
    struct chrome_event *c, const struct reader *r, struct str text, bool sound, bool whole);

/* Adds a member that no member of the record can hold to c->others, which become src. */
void chrome_keep_in_src(struct chrome_event *c, struct str key, struct str value);

/* Whether a value may be copied to a record unchanged: it is absent, a string or a number. */
bool chrome_is_sound_scalar(struct str s);

/* --- chrome_kind.c: the kind of the record --- */

enum event_kind chrome_kind(const struct chrome_raw *raw);

/* The character of "ph", X where it is missing; 0 when it is not a phase. */
static inline char chrome_phase(struct str ph)
{
	return !ph.p ? 'X' : ph.n == 3 && ph.p[0] == '"' ? ph.p[1] : 0;
}

/* --- chrome_event.c: one event as a record --- */

/*
 * The record of one event's text, an object. `sound` says that json_check() has passed it. Durations of
 * B and E events are not known here: the record has src.ph.
 */
enum chrome_result chrome_convert(struct chrome_event *c, const struct reader *r, struct str text, bool sound,
    struct event *e);

/* --- chrome_pairs.c: begins and ends of ranges --- */

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

/*
 * Whether no record of the event's kind is selected. The end of a pair does not show its kind, and an event without a
 * ts may become a record of kind other.
 */
static inline bool chrome_is_unwanted(const struct chrome_raw *raw, const struct reader *r)
{
	return !reader_wants(r, chrome_kind(raw)) && !reader_wants(r, KIND_OTHER) && !chrome_is_half(raw);
}

/* --- chrome_find.c: where events are in damaged text --- */

/*
 * The top-level object went wrong. All that matters behind is the array of events, if it is still to
 * come: looks for its key. False when there is none; the rest was lost.
 */
bool chrome_find_array(struct reader *r);

/* Whether an event begins at s: an opening brace and a key that events have. */
bool chrome_event_begins(struct str s);

/* Offset of the next brace from `at` on that begins an event; s.n when there is none. */
size_t chrome_next_event(struct str s, size_t at);

/* The array seemed to end, and what follows is nothing: goes to where an event with a phase begins. False: nowhere. */
bool chrome_find_event(struct reader *r);

/*
 * Where the first event of a text ends, going by what follows it: a closing brace, a comma, and the
 * beginning of another event. s.n when no other one begins.
 */
size_t chrome_event_boundary(struct str s);

/*
 * Where a second event begins in a text that cannot hold more than one, because what is left is one: the first
 * one's end is missing, and no repair may make one of both. s.n when there is none, or where so many seem to begin
 * that looking at each would take more than linear time.
 */
size_t chrome_second_event(struct str s);

#endif

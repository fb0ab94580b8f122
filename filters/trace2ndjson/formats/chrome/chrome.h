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

/* --- chrome_members.c: splits an event's text into members --- */

/*
 * Sets c->raw and c->others from the members of an event; for `sound` see chrome_convert(). Returns CHROME_RECORD when
 * the event can become a record. If `whole` is not set and the members read so far show that the event's kind is not
 * selected, sets c->unwanted, and adds nothing more to args and src.
 */
enum chrome_result chrome_take_apart(
    struct chrome_event *c, const struct reader *r, struct str text, bool sound, bool whole);

/* Adds a member that has no field in the record to c->others. The members in c->others become src. */
void chrome_keep_in_src(struct chrome_event *c, struct str key, struct str value);

/* Whether a value may be copied to a record unchanged, which is true if it is absent, a string or a number. */
bool chrome_is_sound_scalar(struct str s);

/* --- chrome_kind.c: finds the kind of the record --- */

enum event_kind chrome_kind(const struct chrome_raw *raw);

/* Returns the character of "ph"; X when it is missing, 0 when it is not a phase. */
static inline char chrome_phase(struct str ph)
{
	return !ph.p ? 'X' : ph.n == 3 && ph.p[0] == '"' ? ph.p[1] : 0;
}

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

/*
 * Whether the event cannot become a selected record. Returns false for every half of a pair, because an end event does
 * not show its kind. Also returns false if kind other is selected, because an event without a ts may become a record of
 * that kind.
 */
static inline bool chrome_is_unwanted(const struct chrome_raw *raw, const struct reader *r)
{
	return !reader_wants(r, chrome_kind(raw)) && !reader_wants(r, KIND_OTHER) && !chrome_is_half(raw);
}

/* --- chrome_find.c: finds events in damaged text --- */

/*
 * Called when the top-level object is damaged before its array of events was found: searches the rest of the input for
 * the key of that array. False when the key is not found: the rest is lost.
 */
bool chrome_find_array(struct reader *r);

/* Whether an event begins at s: an opening brace followed by a key that events have. */
bool chrome_event_begins(struct str s);

/* Returns the offset of the first brace at or after `at` that begins an event; s.n when no event begins. */
size_t chrome_next_event(struct str s, size_t at);

/*
 * Called when the text after the array is damaged: skips to the next event that has a phase; false when not found.
 */
bool chrome_find_event(struct reader *r);

/*
 * Returns the offset at which the first event of the text s ends. The event ends after the first closing brace that is
 * followed by a comma or white space and by the beginning of another event. Returns s.n when there is no such brace.
 */
size_t chrome_event_boundary(struct str s);

/*
 * Searches a text that should be one event for a second event. Returns the offset of the second event if it is valid
 * and fills the rest of the text. In that case the end of the first event is missing, and the two must not be repaired
 * into one. Returns s.n when there is no second event, or when the search would take more than linear time because too
 * many braces look like the beginning of an event.
 */
size_t chrome_second_event(struct str s);

#endif

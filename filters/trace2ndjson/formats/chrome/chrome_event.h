/* chrome_event: converts a Chrome Trace Event to a record, in all the forms that tracers write. */
#ifndef CHROME_EVENT_H
#define CHROME_EVENT_H

#include "chrome_args.h"
#include "chrome_seen.h"
#include "trace2ndjson/formats/draft.h"

/* The members of an event that are stored in struct chrome_raw. */
#define CHROME_MEMBERS(X)                                                                                              \
	X(PH, "ph")                                                                                                    \
	X(CAT, "cat")                                                                                                  \
	X(NAME, "name")                                                                                                \
	X(PID, "pid")                                                                                                  \
	X(TID, "tid")                                                                                                  \
	X(TS, "ts")                                                                                                    \
	X(DUR, "dur")                                                                                                  \
	X(ID, "id")                                                                                                    \
	X(ID2, "id2") /* also written to src */                                                                        \
	X(ARGS, "args")                                                                                                \
	X(RECORD, "record") /* the member that ndjson2trace adds; null in an event that is not a record */

#define CHROME_MEMBER_ENUM(id, name) RAW_##id,
enum raw_member { CHROME_MEMBERS(CHROME_MEMBER_ENUM) RAW_N };

/* The members of one element of traceEvents: views of its text; p is NULL where the element has no such member. */
struct chrome_raw {
	struct str text; /* the whole element */
	struct str m[RAW_N];
};

/* The memory for converting one event to a record; views in the record point here or into the event. */
struct chrome_event {
	struct chrome_raw raw;
	struct chrome_args args; /* what its args contain */
	struct buf others;       /* members without a field in the record, each with a comma before it */
	struct buf src;          /* the object made of `others` */
	bool twice;              /* a member occurred twice: its last value is used */
	bool doubt;            /* texts from the event may be written only after json_check() has accepted the event */
	bool cut;              /* args has only members that --keep-args selects: see struct reader */
	bool full;             /* args must not be cut */
	enum event_kind named; /* the kind, if `unwanted` follows from it and the name; otherwise KIND_N */
	/* if a member shows that the event is not selected: where its value ends, or the name begins; otherwise 0 */
	size_t unwanted;
	struct chrome_seen seen;
	struct key_gaps gaps;
};

enum chrome_result {
	CHROME_RECORD,  /* *e is set */
	CHROME_DROPPED, /* the event's kind or name is not selected */
	CHROME_DOUBT,   /* json_check() must check the text: scan could not show that it is valid, or it is not */
	CHROME_RANGE,   /* ts or dur does not fit in 64 bits */
};

/* Returns the character of "ph"; X when it is missing, 0 when it is not a phase. */
static inline char chrome_phase(const struct chrome_raw *raw)
{
	return !raw->m[RAW_PH].p ? 'X' : raw->m[RAW_PH].n == 3 && raw->m[RAW_PH].p[0] == '"' ? raw->m[RAW_PH].p[1] : 0;
}

/* Whether the event is one half of a pair (B E, b e, S F). */
static inline bool chrome_is_half(const struct chrome_raw *raw)
{
	const char ph = chrome_phase(raw);

	return ph == 'B' || ph == 'E' || ph == 'b' || ph == 'e' || ph == 'S' || ph == 'F';
}

/*
 * Converts the text of one event, an object, to the record *e. `sound` is set when json_check() has accepted the text.
 * For one half of a pair (B or E), the duration is not known here; the record's src.ph shows which half it is.
 */
enum chrome_result chrome_convert(
    struct chrome_event *c, const struct reader *r, struct str text, bool sound, struct event *e);

#endif

/* event: the record (events.5) and its members; reads records from lines and writes them. */
#ifndef EVENT_H
#define EVENT_H

#include "base/int_math.h"
#include "io/out.h"
#include "json/iter.h"
#include "record/event_kind.h"

/* The standard members in canonical order. To add a member, add a row: its name in C and its name in JSON. */
#define EVENT_MEMBERS(X)                                                                                               \
	X(TS, ts)                                                                                                      \
	X(DUR, dur)                                                                                                    \
	X(KIND, kind)                                                                                                  \
	X(NAME, name)                                                                                                  \
	X(CAT, cat)                                                                                                    \
	X(RANK, rank)                                                                                                  \
	X(PID, pid)                                                                                                    \
	X(TID, tid)                                                                                                    \
	X(DEV, dev)                                                                                                    \
	X(STREAM, stream)                                                                                              \
	X(CORR, corr)                                                                                                  \
	X(ID, id)                                                                                                      \
	X(PARENT, parent)                                                                                              \
	X(CLOCK, clock)                                                                                                \
	X(BYTES, bytes)                                                                                                \
	X(COPY, copy)                                                                                                  \
	X(ERR, err)                                                                                                    \
	X(ARGS, args)                                                                                                  \
	X(SRC, src)

#define EVENT_ENUM(id, name) EVENT_##id,
enum event_member { EVENT_MEMBERS(EVENT_ENUM) EVENT_N };

const char *event_member_name(size_t i);        /* returns NULL after the last member */
enum event_member event_member(struct str key); /* returns EVENT_N when key is not a standard member */

enum { EVENT_LISTED = 24 }; /* most records have fewer members */

/*
 * One record. If the bit of a member (1u << EVENT_X) is set in `has`, the record has this member, and m[] holds its
 * JSON text verbatim (a string with its quotes); for ts and dur, the members `ts` and `dur` of this struct hold the
 * number. If the line has a ts or dur that is not an integer (such as 7.997 or a string), m[] holds its text, but its
 * bit is not set.
 *
 * If the record was read from a line, m[] and raw are views of the line, which is valid until the next input_next(). A
 * converter makes a record with event_clear() and then event_set() and similar functions; the views in the record must
 * be valid until event_write().
 */
struct event {
	uint32_t has;
	enum event_reading {
		EVENT_PREFIX,  /* m[] holds only the members of the canonical prefix */
		EVENT_DURLESS, /* the same, and event_get() found that the record has no dur */
		EVENT_WALKED,  /* m[] holds all standard members; the line may have others */
		EVENT_TWICE,   /* m[] holds all standard members; one of them occurs twice, and the last one was used */
		/*
		 * m[] holds all members: the record has no attachments, no nulls, no duplicate members, and no ts or
		 * dur that is not an integer.
		 */
		EVENT_PLAIN,
	} reading;
	enum event_check {
		EVENT_UNCHECKED, /* the parts that were read are JSON; the others were not checked */
		EVENT_SOUND,     /* the whole record passed json_check() */
		EVENT_BROKEN,    /* a part that was read is not JSON */
	} check;
	int64_t ts, dur;
	struct str m[EVENT_N];
	struct str raw;         /* the line, without newline */
	struct str attachments; /* for event_write(): the attachments as text, each preceded by a comma: ,"delay":5 */
	/* private */
	enum event_kind kind; /* the result of event_get_kind(); KIND_UNREAD before its first call */
	size_t prefix;        /* length of the canonical prefix of raw; 0 if raw has none */
	/*
	 * The members after the canonical prefix, in their order: keys as written between their quotes, and the texts
	 * of values. The first search makes the list, for all later ones. n_listed is 0 if there is no list, or if the
	 * record has more members.
	 */
	unsigned char n_listed;
	struct event_listed {
		struct str key, value;
		enum event_member
		    member; /* set only if the record was walked: EVENT_N if it is not a standard member */
	} list[EVENT_LISTED];
};

static inline bool event_has(const struct event *e, enum event_member m)
{
	return e->has >> m & 1;
}

/* Returns whether all standard members of the record are in m[], not only the members of its canonical prefix. */
static inline bool event_walked(const struct event *e)
{
	return e->reading >= EVENT_WALKED;
}

/* To be called when a part of the record that was read is not JSON. */
static inline void event_broken_if(struct event *e, bool broken)
{
	if (broken)
		e->check = EVENT_BROKEN;
}

enum event_form {
	EVENT_FOREIGN,   /* not in the form that our own programs write: use event_parse() */
	EVENT_CANONICAL, /* canonical: the prefix was read */
	EVENT_UNWANTED,  /* canonical, but of a kind that was not selected: *e holds none of its members */
};

/*
 * Reads the prefix (ts, dur, kind, name) of a line in the form that our own programs write; event_walk() reads the
 * rest. All members of the prefix except kind may be absent; a line whose name is not in the prefix is not canonical.
 * `only`: 1u << kind for each selected kind, 0 for all kinds. json/scan must have found the line clean, and the line
 * must be followed by SCAN_PAD readable bytes.
 */
enum event_form event_canonical(struct event *e, struct str line, uint32_t only);

/*
 * Reads a line in any form, with all its standard members. The line must be valid JSON, checked by scan_clean() or
 * json_check(). If the line is a record, returns NULL; otherwise returns the reason, as static text.
 */
const char *event_parse(struct event *e, struct str line);

/*
 * Gets the next member of a record, like iter_next(). Checks that its value is JSON; for args and src, checks only that
 * brackets match. Sets *m to the member if it is a standard one, otherwise to EVENT_N.
 */
int event_next(struct iter *w, enum event_member *m, struct str *key, struct str *value);

/*
 * Finds all standard members, unless this was done before. event_get() and the functions of record/field call it.
 * Checks all members as event_next() does; the record is broken when a member is not JSON.
 */
void event_walk(struct event *e);

/* Starts an iteration over the members after the canonical prefix. */
void event_iter_init(struct iter *w, const struct event *e);

/* Adds a member to e->list while a program iterates over the members; `n` is the number of preceding members. */
static inline void event_list_add(struct event *e, size_t n, enum event_member member, struct str key, struct str value)
{
	if (n < EVENT_LISTED)
		e->list[n] = (struct event_listed){key, value, member};
}

/* Ends the list after n members. */
static inline void event_list_end(struct event *e, size_t n)
{
	e->n_listed = (unsigned char)(n <= EVENT_LISTED ? n : 0);
}

/* Checks a complete value that was found in the record, in args or in src. The record is broken when it is not JSON. */
void event_check_brackets(struct event *e, struct str value);
static inline void event_check(struct event *e, struct str value)
{
	if (value.p && (value.p[0] == '{' || value.p[0] == '['))
		event_check_brackets(e, value);
}

/*
 * Returns the text of a standard member; p is NULL if the record does not have it. If the member is absent and
 * event_walked() is still false, the record has no member of that name at any level, not even in args.
 */
struct str event_find(struct event *e, enum event_member m); /* used by event_get() */
static inline struct str event_get(struct event *e, enum event_member m)
{
	return event_has(e, m) ? e->m[m] : event_walked(e) ? (struct str){NULL, 0} : event_find(e, m);
}

/* Returns whether e->ts is set and on the trace's main clock, so that it can be compared with other times. */
static inline bool event_has_time(struct event *e)
{
	return event_get(e, EVENT_TS).p && !event_get(e, EVENT_CLOCK).p;
}

/* Returns the dur with which programs compute: 0 if the record has no dur or a negative one. */
static inline int64_t event_duration(struct event *e)
{
	return event_get(e, EVENT_DUR).p && e->dur > 0 ? e->dur : 0;
}

/* Returns the end of a record that has a ts: INT64_MAX if it is later than that. */
static inline int64_t event_end(struct event *e)
{
	return int_interval_end(e->ts, event_duration(e));
}

enum event_kind event_find_kind(struct event *e);
static inline enum event_kind event_get_kind(struct event *e) /* returns KIND_N if e has no kind or an unknown kind */
{
	return e->kind <= KIND_N ? e->kind : event_find_kind(e);
}

/* To be called before several threads read or make records: fills the tables that would be filled when first used. */
void event_prepare(void);

/* --- making records, for converters from other formats, and writing records --- */

void event_clear(struct event *e);
/* Sets a member, unless the value is absent: its p is NULL. */
static inline void event_set(struct event *e, enum event_member m, struct str json)
{
	if (!json.p)
		return;
	e->m[m] = json;
	e->has |= 1u << m;
}
static inline void event_set_ts(struct event *e, int64_t v)
{
	e->ts = v;
	e->has |= 1u << EVENT_TS;
}
static inline void event_set_dur(struct event *e, int64_t v)
{
	e->dur = v;
	e->has |= 1u << EVENT_DUR;
}
void event_set_kind(struct event *e, enum event_kind k); /* sets m[EVENT_KIND] to static text */

/* Writes e as a canonical line made from has, ts, dur, m[] and more; raw is not used. */
void event_write(struct out *o, const struct event *e);

/* The same with these attachments, which are emptied. */
void event_write_attached(struct out *o, struct event *e, struct buf *attachments);

/* Writes e->raw and a newline. */
void event_copy(struct out *o, const struct event *e);

#endif

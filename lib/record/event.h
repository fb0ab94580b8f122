/* event: the record (events.5): its members, reading from a line and writing. */
#ifndef EVENT_H
#define EVENT_H

#include "base/int_math.h"
#include "base/mem.h"
#include "io/out.h"
#include "json/iter.h"
#include "record/event_kind.h"

/*
 * The standard members, in the order they are written. One row here is all it takes to add one: name
 * (C and JSON), and what it holds.
 */
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

const char *event_member_name(size_t i); /* NULL after the last */
enum event_member event_member(struct str key); /* EVENT_N when it is none */

/*
 * One record. A member is there when its bit of `has` (1u << EVENT_X) is set: m[] then holds its text,
 * JSON as it stands (a string with its quotes); for TS and DUR the numbers are set too. A ts or dur
 * that is there but no whole number (7.997, a text) has its text in m[] and its bit not set.
 *
 * Read from a line: m[] and raw are views of the line, which lives until the next input_next().
 * Made by a format: event_clear(), then event_set...(); the views must live until event_write().
 */
struct event {
	uint32_t has;
	bool twice;              /* event_parse() met a standard member twice: the last one counts */
	bool walked;             /* all of m[] was looked for, not only the canonical prefix */
	bool broken;             /* something that was read of it is not JSON: input_next() does not give it */
	bool sound;              /* all of it passed json_check() */
	bool plain;              /* walked, and the members of `has` are all there is: no attachments, nulls, members
	                            twice, and no other ts or dur than whole numbers */
	int64_t ts, dur;
	struct str m[EVENT_N];
	struct str raw;          /* the line, without newline */
	struct str more;         /* to write: attachments as text, each with its comma before it: ,"delay":5 */
	/* private */
	bool durless;            /* event_get() found that it has no dur */
	bool has_kind;           /* `kind` is known */
	enum event_kind kind;    /* what event_get_kind() returns */
	size_t prefix;           /* how far raw was read as the canonical prefix, 0: not one */
};

static inline bool event_has(const struct event *e, enum event_member m)
{
	return e->has >> m & 1;
}

enum event_form {
	EVENT_FOREIGN,   /* not as our own programs write it: event_parse() */
	EVENT_CANONICAL, /* read */
	EVENT_UNWANTED,  /* so written, and of another kind than those asked for: *e holds nothing of it */
};

/*
 * Reads a line in the form that our own programs write: its prefix (ts, dur, kind, name), the rest is
 * left for event_walk(). `only`: 1u << kind of those that are asked for, 0 for all. For lines that scan
 * found clean, with SCAN_PAD readable bytes behind them.
 */
enum event_form event_canonical(struct event *e, struct str line, uint32_t only);

/*
 * Reads a line in any form that is valid JSON (scan_clean() or json_check() passed it), all standard
 * members at once. NULL, or why it is no record: static text.
 */
const char *event_parse(struct event *e, struct str line);

/*
 * iter_next() over the members of a record, whose values are JSON to the letter, except that of args and src only
 * the brackets are known to close. *m becomes the standard member that it is, EVENT_N when it is none.
 * Before, it is the one that was met last, EVENT_N at the beginning: what most likely follows is tried first.
 */
int event_next(struct iter *w, enum event_member *m, struct str *key, struct str *value);

/*
 * Looks for all standard members; called by event_get() and fields, cheap when already done. Checks all members, as
 * event_next() does: e->broken when one is not JSON.
 */
void event_walk(struct event *e);

/* Checks all of a value that a walk over the record, over args or src gave: e->broken when it is not JSON. */
void event_check_brackets(struct event *e, struct str value);
static inline void event_check(struct event *e, struct str value)
{
	if (value.p && (value.p[0] == '{' || value.p[0] == '['))
		event_check_brackets(e, value);
}

/*
 * The text of a standard member, p == NULL when absent. Where it was absent and the event is still not
 * walked, no member of that name is anywhere in the record, args included.
 */
struct str event_find(struct event *e, enum event_member m); /* the same where it is not known yet */
static inline struct str event_get(struct event *e, enum event_member m)
{
	return event_has(e, m) ? e->m[m] : e->walked ? (struct str){NULL, 0} : event_find(e, m);
}

/* Whether the record has a ts on the trace's main clock, in e->ts: those of all such records can be compared. */
static inline bool event_has_time(struct event *e)
{
	return event_get(e, EVENT_TS).p && !event_get(e, EVENT_CLOCK).p;
}

/* The end of a record that has a ts, as int_interval_end() of ts and dur; without dur it ends when it starts. */
static inline int64_t event_end(struct event *e)
{
	return event_get(e, EVENT_DUR).p ? int_interval_end(e->ts, e->dur) : e->ts;
}

enum event_kind event_find_kind(struct event *e);
static inline enum event_kind event_get_kind(struct event *e) /* KIND_N when there is none or none of ours */
{
	return e->has_kind ? e->kind : event_find_kind(e);
}

/* --- event_write.c: making a record, for formats, and writing --- */

void event_clear(struct event *e);
static inline void event_set(struct event *e, enum event_member m, struct str json)
{
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
void event_set_kind(struct event *e, enum event_kind k); /* m[EVENT_KIND] becomes static text */

/* Writes e as a canonical line from its members: has, ts, dur, m[], more; raw is not looked at. */
void event_write(struct out *o, const struct event *e);

/* Writes e->raw and a newline. */
void event_copy(struct out *o, const struct event *e);

#endif

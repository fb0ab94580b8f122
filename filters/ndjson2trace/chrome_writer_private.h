/* chrome_writer_private: declarations that the files of chrome_writer share. */
#ifndef CHROME_WRITER_PRIVATE_H
#define CHROME_WRITER_PRIVATE_H

#include "base/char_class.h"
#include "base/map.h"
#include "chrome_writer.h"
#include "json/tree.h"
#include "json/value.h"
#include "viewer_lanes.h"

/* Members of an event that a record has in src or args instead of at its top level; p == NULL for absent members. */
struct chrome_writer_said {
	struct str ph, pid, tid;                                         /* src */
	struct str correlation, stream, bytes, python_id, python_parent; /* args */
};

/* The row in which an event is drawn: texts for pid and tid, p == NULL for a text that is written with src. */
struct chrome_writer_row {
	struct str pid, tid;
	size_t process, thread;
	bool device;
};

/* A record that is being written. */
struct chrome_writer_record {
	struct event *e;
	enum event_kind kind;
	char ph;
	struct str cat; /* the record's own category, or a category that implies its kind */
	bool foreign;   /* the record does not come from a Chrome trace */
	struct chrome_writer_said said;
	struct chrome_writer_row place;
	/* Ids that replace those of the record, because another rank may have the same ones; p == NULL to keep them. */
	struct str id, correlation;
};

struct chrome_writer {
	struct out *out;
	enum chrome_writer_flows flows;
	struct viewer_lanes lanes;
	bool events;                   /* the array of events was begun */
	uint64_t members;              /* number of members of the top-level object so far */
	struct map names;              /* the names of the members of the top-level object so far */
	struct buf later;              /* members of the top-level object that came after the first event */
	struct json_tree job;          /* the value of distributedInfo */
	struct str rank;               /* the rank in `job` */
	struct buf text, args, record; /* parts of the event being written */
	struct buf home;               /* the rank of the first record that has one; empty before */
	bool ranks;                    /* there are records of other ranks */
	struct buf ids;                /* the ids in struct chrome_writer_record */
	struct map calls[2];           /* ids of the latest calls, whose arrows can get a head: see add_call() */
	struct map collectives;        /* ids of collectives, for FLOWS_COLLECTIVES */
	uint32_t *seen;                /* by collective: the number of its members so far */
	size_t n_seen, seen_cap;
	struct chrome_writer_said said;
};

static inline bool chrome_writer_is_object(const struct event *e, enum event_member m)
{
	return event_has(e, m) && e->m[m].p[0] == '{';
}

/* Returns true for a number from 0 to 999999999: most ids are. */
static inline bool chrome_writer_is_short(struct str json)
{
	size_t i;

	for (i = 0; i < json.n && is_digit(json.p[i]); i++)
		;
	return i == json.n && i - 1 < 9;
}

/*
 * Returns true if the reader gets a device, stream, correlation id or size from this text. It does not get the values
 * that profilers write for "none": -1, 2^32 - 1, and, if `corr`, 0.
 */
static inline bool chrome_writer_has_id(struct str json, bool corr)
{
	int64_t v;

	if (chrome_writer_is_short(json))
		return !corr || json.p[0] != '0';
	return value_integer(json, &v) && v != -1 && v != UINT32_MAX && (!corr || v);
}

/* --- chrome_writer_document.c --- */

/*
 * Writes a meta record as a member of the top-level object. Returns false, and does nothing, when the record has
 * information that such a member cannot express, or when the top-level object already has a member of that name.
 */
bool chrome_writer_take_member(struct chrome_writer *w, struct event *e);

/* Writes the event in w->text as the next element of the array. */
void chrome_writer_put_line(struct chrome_writer *w);

/* Writes nanoseconds as microseconds, with all digits. */
void chrome_writer_put_micros(struct buf *b, const char *key, int64_t ns);

/* Writes pid and tid, except those that are written with src. */
void chrome_writer_put_place(struct buf *b, const struct chrome_writer_row *p);

/* --- chrome_writer_flows.c --- */

/*
 * Sets i->id and i->correlation if the record is of another rank than the first one: correlation ids and the ids of
 * flows are unique only within a rank.
 */
void chrome_writer_separate(struct chrome_writer *w, struct chrome_writer_record *i);

/* Writes one end of an arrow, if the record has one: between a call and its device work, or between collectives. */
void chrome_writer_put_flow(struct chrome_writer *w, const struct chrome_writer_record *i);

/* --- chrome_writer_rows.c --- */

/*
 * Stores the name or sort index that a meta event gives to a process or a thread. `thread_name`: the name of the record
 * is the name of the thread, as in records of Nsight Systems.
 */
void chrome_writer_take_name(struct chrome_writer *w, struct event *e, size_t process, size_t thread, bool thread_name);

/* At the end: writes meta events with names for all rows that the input does not name. */
void chrome_writer_name_rows(struct chrome_writer *w);

#endif

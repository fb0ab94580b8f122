/* plaidml: the functions and types that the files of the PlaidML reader share. */
#ifndef PLAIDML_H
#define PLAIDML_H

#include "trace2ndjson/formats/format.h"
#include "base/map.h"
#include "base/num_format.h"
#include "trace2ndjson/formats/protobuf/wire.h"

/* --- plaidml.c: the log, which is read from a source or from its copy in a temporary file --- */

struct plaidml_log {
	struct source *src; /* NULL: the copy is read instead */
	int copy;
	uint64_t at, size; /* at: number of bytes read from the copy; size: its size in bytes */
	struct buf window; /* bytes of the copy; those before `used` have been consumed */
	size_t used;
	/* offset of the next record's length in the log */
	uint64_t offset;
	bool ended;
	struct fault failure; /* the reason when the copy cannot be read */
};

/* --- plaidml_message.c: one event --- */

/*
 * An id, in the form of a key for a map. The key has 16 bytes for a uuid (schema v1), 8 for an index into the log's own
 * stream (v2), or 24 for an index and the uuid of another stream. n is 0 when there is no id: it is absent, nil, or
 * index 0.
 */
struct plaidml_ref {
	char key[24];
	uint8_t n;
	bool index; /* the id has the form of v2; this member is valid even when n is 0 */
};

struct plaidml_stream { /* the log's own stream, whose uuid is in the first event */
	char uuid[16];
	bool known;
};

struct plaidml_event {
	struct plaidml_ref id, parent, clock, domain;
	struct str verb; /* p == NULL when absent; `verb` and `whole` are views of the record */
	struct str whole;
	bool has_start, has_end, has_metadata;
	int64_t start, end; /* in ns, measured on the event's clock */
};

/*
 * Reads a whole event, and sets *own from its id if *own is not known. When the event is damaged, sets w->fault to the
 * reason and w->p to the damaged place, and returns false.
 */
bool plaidml_event_read(struct plaidml_event *ev, struct str bytes, struct plaidml_stream *own, struct wire *w);

/*
 * Reads the id in a field's bytes. On errors, does the same as plaidml_event_read(). If `first` is set and *own is not
 * known, sets *own to the stream of the id.
 */
bool plaidml_ref_read(
    struct plaidml_ref *ref, struct str bytes, struct plaidml_stream *own, bool first, struct wire *w);

/*
 * Appends an id as JSON: "32 hex digits", an integer, or "stream:index". `key` is the key of an id with n > 0.
 */
void plaidml_put_id(struct buf *b, struct str key);

/* --- plaidml_record.c: stores the activities, and aligns their clocks --- */

enum plaidml_role { PLAIDML_HOST, PLAIDML_RUN, PLAIDML_QUEUE, PLAIDML_EXECUTING };

struct plaidml_verb {
	struct buf json;
	enum plaidml_role role;
};

/*
 * A member that refers to another object holds 1 + the index of that object in its map; 0 means that there is no such
 * object.
 */
struct plaidml_activity {
	int64_t start, end;
	/* the number of its first event, counted from 1; 0 if it has no events, but other activities refer to it */
	uint64_t seq;
	uint32_t parent, clock, domain, verb;
	uint32_t kernel, name; /* kernel: from a RunInfo; name: from a KernelInfo */
	uint32_t corr;
	bool has_start, has_end, has_run, has_name, written;
};

struct plaidml_clock {
	int64_t epoch; /* ns to add to the times of this clock */
	bool placed;   /* `epoch` is known, so times of this clock can be converted to the main clock */
};

struct plaidml_tree {
	struct map ids, clock_ids, verb_names, names; /* names: the names of kernels, as JSON */
	struct plaidml_activity *activities;          /* in the order of their ids in `ids` */
	struct plaidml_clock *clocks;
	struct plaidml_verb *verbs;
	size_t cap, clocks_cap, verbs_cap;
	uint64_t events;
	uint32_t runs;
};

/* Adds the contents of an event, except its metadata, to its activity. Returns the activity's index. */
uint32_t plaidml_tree_add(struct plaidml_tree *t, const struct plaidml_event *ev);

/*
 * Aligns the clocks. If activities are on another clock than their parents, the epoch of their clock is the epoch of
 * the parents' clock plus the maximum of (parent's start - child's start). Negative differences are ignored. As a
 * result, no activity starts before its parent. The minimum epoch becomes 0. A clock that is not linked to the first
 * one stays unplaced.
 */
void plaidml_tree_align(struct plaidml_tree *t);

/* Removes the activities, but keeps the clocks. */
void plaidml_tree_reset(struct plaidml_tree *t);
void plaidml_tree_free(struct plaidml_tree *t);

/* --- plaidml_message.c: converts metadata to args, by type --- */

enum plaidml_meta {
	PLAIDML_RUNINFO,
	PLAIDML_KERNELINFO,
	PLAIDML_BUILDINFO,
	PLAIDML_PLATFORMINFO,
	PLAIDML_DEVICEINFO,
	PLAIDML_PROGRAMINFO,
	PLAIDML_SCHEDULE,
	PLAIDML_UNKNOWN
};

/* Returns the type of metadata that has a URL such as "type.vertex.ai/vertexai.tile.hal.opencl.proto.KernelInfo". */
enum plaidml_meta plaidml_meta_of(struct str url);

/*
 * Appends the members of the message, with a comma before each one except the first one of an object. False when the
 * message, or a message inside it, is damaged: *fault is then the reason, and the appended text is not JSON.
 */
bool plaidml_meta_put(
    struct buf *b, enum plaidml_meta meta, struct str message, struct plaidml_stream *own, const char **fault);

/*
 * Returns the text in the message that becomes the record's name; p == NULL when it has none. The message must be
 * undamaged.
 */
struct str plaidml_meta_name(enum plaidml_meta meta, struct str message);

/* --- plaidml.c: the reader's state --- */

struct plaidml_run {
	bool raw_clock; /* device times are not converted to the host's clock */
};

struct plaidml {
	struct plaidml_log log;
	struct plaidml_tree tree;
	struct plaidml_stream own;
	struct plaidml_event *events; /* the events of the record that is being converted */
	size_t n, at, cap;
	struct str record;
	uint64_t record_at;   /* the record's offset in the log */
	struct wire metadata; /* the part of the current event that has not been read */
	uint32_t activity;    /* the activity of the current event */
	bool telling, finished, failed;
	size_t rest; /* after the end of the log: the next activity to check for a missing start or end */
	struct buf name, id, parent, clock, args; /* texts of members of the last record */
	char corr[NUM_ROOM];
};

/* --- plaidml_record.c: makes the records --- */

/*
 * Makes *e the record of an activity, and marks the activity as written. False when the record is not selected, or was
 * lost.
 */
bool plaidml_activity_record(struct plaidml *p, struct reader *r, uint32_t number, struct event *e);

/*
 * Reads one metadata message of p->activity, an Any {1 type_url, 2 value}, and stores the parts that other records
 * need. True when *e is a record.
 */
bool plaidml_metadata_record(struct plaidml *p, struct reader *r, struct str any, struct event *e);

#endif

/* plaidml: what the files of the reader of PlaidML's event logs share. */
#ifndef PLAIDML_H
#define PLAIDML_H

#include "trace2ndjson/formats/format.h"
#include "base/map.h"
#include "base/num_format.h"
#include "plaidml_wire.h"

/* --- plaidml_log.c: the records of a log, each behind its length; of a source, or of a copy in a temporary file --- */

struct plaidml_log {
	struct source *src;      /* NULL: the copy's */
	int copy;
	uint64_t at, size;    /* of the copy: how much was read, how much there is */
	struct buf window;    /* of the copy; the bytes from `used` on are not consumed */
	size_t used;
	uint64_t offset;      /* of the next record's length in the log */
	bool ended;
	struct fault failure; /* of reading the copy */
};

/*
 * The next record, a view until the next call: 1; 0 at the end; -1 when one was lost (*f: what and the
 * byte): call again for those that follow. `max`: of the bytes of a record.
 */
int plaidml_log_next(struct plaidml_log *log, size_t max, struct str *record, struct fault *f);

/* Copies what is left of the source into a temporary file: its descriptor, or -1 and *f. *size: bytes in it. */
int plaidml_log_copy(struct source *src, uint64_t *size, struct fault *f);

/* --- plaidml_event.c: what one event says --- */

/*
 * An id as a key of a map: 16 bytes are a uuid (schema v1), 8 an index into the log's own stream (v2), 24
 * an index and the uuid of another stream. n is 0 for none: absent, nil, index 0.
 */
struct plaidml_ref {
	char key[24];
	uint8_t n;
	bool index; /* written in v2's way, also when none */
};

struct plaidml_stream { /* the log's own, which its first event names */
	char uuid[16];
	bool known;
};

struct plaidml_event {
	struct plaidml_ref id, parent, clock, domain;
	struct str verb;   /* p == NULL when absent; views of the record */
	struct str whole;
	bool has_start, has_end, has_metadata;
	int64_t start, end; /* ns on the event's clock */
};

/* Reads an event whole; on a fault false with w->fault, and w->p at the place. `own` is learned on the way. */
bool plaidml_event_read(struct plaidml_event *ev, struct str bytes, struct plaidml_stream *own, struct wire *w);

/* The id that a field's bytes are; false with w->fault as above. `first` learns the log's own stream. */
bool plaidml_ref_read(struct plaidml_ref *ref, struct str bytes, struct plaidml_stream *own, bool first, struct wire *w);

/* Appends an id as JSON: "32 hex digits", an integer, "stream:index". `key` is that of a ref, n > 0. */
void plaidml_put_id(struct buf *b, struct str key);

/* --- plaidml_tree.c: what is known of each activity, and how its clock stands to the others --- */

enum plaidml_role { PLAIDML_HOST, PLAIDML_RUN, PLAIDML_QUEUE, PLAIDML_EXECUTING };

struct plaidml_verb {
	struct buf json;
	enum plaidml_role role;
};

/* Numbers of other things are 1 more than their places in the maps, 0 for none. */
struct plaidml_activity {
	int64_t start, end;
	uint64_t seq;          /* ordinal from 1 of the first event, 0: only others speak of it */
	uint32_t parent, clock, domain, verb;
	uint32_t kernel, name; /* what RunInfo says; what KernelInfo says */
	uint32_t corr;
	bool has_start, has_end, has_run, has_name, written;
};

struct plaidml_clock {
	int64_t epoch; /* what to add */
	bool placed;   /* on the main clock */
};

struct plaidml_tree {
	struct map ids, clock_ids, verb_names, names; /* names: JSON texts of kernels */
	struct plaidml_activity *activities; /* as numbered by ids */
	struct plaidml_clock *clocks;
	struct plaidml_verb *verbs;
	size_t cap, clocks_cap, verbs_cap;
	uint64_t events;
	uint32_t runs;
};

/* The activity of that id (n > 0): its number, for plaidml_tree.activities; added when new. */
uint32_t plaidml_tree_at(struct plaidml_tree *t, const struct plaidml_ref *ref);

/* Adds what an event says to its activity: the activity's number. Metadata are left to the caller. */
uint32_t plaidml_tree_add(struct plaidml_tree *t, const struct plaidml_event *ev);

/*
 * Places the clocks: for activities on another clock than their parent's, the child's clock is ahead by the
 * greatest of (parent's start - child's start), negative ones ignored: so nothing starts before it was asked
 * for. The least epoch becomes 0. A clock that nothing links to the first one stays unplaced.
 */
void plaidml_tree_align(struct plaidml_tree *t);

/* Of an activity of a device: the nearest above it, or itself, that is a Kernel::Run or has a RunInfo; or NULL. */
const struct plaidml_activity *plaidml_tree_run(const struct plaidml_tree *t, const struct plaidml_activity *a);

/* Forgets the activities, not the clocks. */
void plaidml_tree_reset(struct plaidml_tree *t);
void plaidml_tree_free(struct plaidml_tree *t);

/* --- plaidml_meta.c: metadata, by their types, as args --- */

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

/* By the type's URL, "type.vertex.ai/vertexai.tile.hal.opencl.proto.KernelInfo". */
enum plaidml_meta plaidml_meta_of(struct str url);

/*
 * Appends the members that the message says, each with a comma before it unless it is the first in its
 * object. False when a message in it is damaged: *fault says how, and what was appended is no JSON.
 */
bool plaidml_meta_put(struct buf *b, enum plaidml_meta meta, struct str message, struct plaidml_stream *own,
    const char **fault);

/* The text of what becomes the record's name, p == NULL when there is none. Of a message that can be read. */
struct str plaidml_meta_name(enum plaidml_meta meta, struct str message);

/* --- plaidml_message.c: messages as JSON, by tables --- */

enum plaidml_type {
	PLAIDML_NUMBER, /* int64, and what fits it */
	PLAIDML_UINT,
	PLAIDML_BOOL,
	PLAIDML_TEXT,
	PLAIDML_ID,
	PLAIDML_MESSAGE,
	PLAIDML_SIZES,  /* map<uint64, uint64>: [{"size","count"},...] by size */
	PLAIDML_KEYS,   /* map<string, ...>: its keys, sorted */
	PLAIDML_SHAPES, /* map<string, TensorShape or ProgramInput>: [{"name",...},...] by name */
	PLAIDML_DTYPE,  /* the type of a tensor's elements */
	PLAIDML_PLACE   /* NUMBER that is written as 0 when absent */
};

struct plaidml_field {
	uint32_t no;
	enum plaidml_type type;
	bool many;
	const char *name;
	const struct plaidml_field *of; /* PLAIDML_MESSAGE: its rows; the last row has no name */
};

bool plaidml_message_put(struct buf *b, const struct plaidml_field *rows, struct str message,
    struct plaidml_stream *own, const char **fault);

/* --- plaidml.c: the reader's state --- */

struct plaidml_run {
	bool raw_clock; /* device times stay on the device's clock */
};

struct plaidml {
	struct plaidml_log log;
	struct plaidml_tree tree;
	struct plaidml_stream own;
	struct plaidml_event *events; /* of the record that is being told */
	size_t n, at, cap;
	struct str record;
	uint64_t record_at;           /* its place in the log */
	struct wire metadata;         /* what is left of the event that is being told */
	uint32_t activity;            /* and whose it is */
	bool telling, finished, failed;
	size_t rest;                  /* at the end: the next activity that may be unclosed */
	struct buf name, id, parent, clock, args; /* members of the record made last */
	char corr[NUM_ROOM];
};

/* --- plaidml_record.c: the records that are made --- */

/* The record of an activity; false when it is not wanted, or was lost. It counts as written then. */
bool plaidml_activity_record(struct plaidml *p, struct reader *r, uint32_t number, struct event *e);

/*
 * Takes one metadata message, an Any {1 type_url, 2 value} of p->activity: what the other records need of
 * it is kept. True when it makes a record.
 */
bool plaidml_metadata_record(struct plaidml *p, struct reader *r, struct str any, struct event *e);

#endif

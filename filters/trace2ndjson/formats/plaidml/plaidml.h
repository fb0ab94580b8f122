/* plaidml: the functions and types that the files of the reader of PlaidML's event logs share. */
#ifndef PLAIDML_H
#define PLAIDML_H

#include "trace2ndjson/formats/format.h"
#include "base/map.h"
#include "base/num_format.h"
#include "plaidml_wire.h"

/*
 * --- plaidml_log.c: reads the length-prefixed records of a log, from a source or from its copy in a temporary file ---
 */

struct plaidml_log {
	struct source *src; /* NULL: read the copy */
	int copy;
	uint64_t at, size; /* of the copy: bytes read so far, bytes in total */
	struct buf window; /* of the copy; the bytes from `used` on are not consumed */
	size_t used;
	uint64_t offset; /* of the next record's length, in the log */
	bool ended;
	struct fault failure; /* from reading the copy */
};

/*
 * Reads the next record, a view until the next call. Returns 1; 0 at the end; -1 when a record was lost (*f: reason and
 * byte): the next call returns the following one. `max`: maximum size of a record in bytes.
 */
int plaidml_log_next(struct plaidml_log *log, size_t max, struct str *record, struct fault *f);

/* Copies the rest of the source to a temporary file. Returns its descriptor, or -1 and *f; sets *size to its bytes. */
int plaidml_log_copy(struct source *src, uint64_t *size, struct fault *f);

/* --- plaidml_event.c: reads one event --- */

/*
 * An id as a key of a map: 16 bytes are a uuid (schema v1), 8 an index into the log's own stream (v2), 24 an index and
 * the uuid of another stream. n is 0 when there is no id: absent, nil, index 0.
 */
struct plaidml_ref {
	char key[24];
	uint8_t n;
	bool index; /* written in the form of v2, also when n is 0 */
};

struct plaidml_stream { /* the log's own, which its first event names */
	char uuid[16];
	bool known;
};

struct plaidml_event {
	struct plaidml_ref id, parent, clock, domain;
	struct str verb; /* p == NULL when absent; views of the record */
	struct str whole;
	bool has_start, has_end, has_metadata;
	int64_t start, end; /* ns on the event's clock */
};

/* Reads a whole event and learns `own` from it; on a fault returns false with w->fault, and w->p at the fault. */
bool plaidml_event_read(struct plaidml_event *ev, struct str bytes, struct plaidml_stream *own, struct wire *w);

/* Reads the id in a field's bytes; false with w->fault as above. `first`: sets *own to the stream of this id. */
bool plaidml_ref_read(
    struct plaidml_ref *ref, struct str bytes, struct plaidml_stream *own, bool first, struct wire *w);

/* Appends an id as JSON: "32 hex digits", an integer, "stream:index". `key` is the key of a ref with n > 0. */
void plaidml_put_id(struct buf *b, struct str key);

/* --- plaidml_tree.c: stores the activities, and aligns their clocks --- */

enum plaidml_role { PLAIDML_HOST, PLAIDML_RUN, PLAIDML_QUEUE, PLAIDML_EXECUTING };

struct plaidml_verb {
	struct buf json;
	enum plaidml_role role;
};

/* Numbers of other objects are 1 + their index in the maps; 0: no such object. */
struct plaidml_activity {
	int64_t start, end;
	uint64_t seq; /* ordinal from 1 of the first event; 0: only other events refer to it */
	uint32_t parent, clock, domain, verb;
	uint32_t kernel, name; /* from RunInfo; from KernelInfo */
	uint32_t corr;
	bool has_start, has_end, has_run, has_name, written;
};

struct plaidml_clock {
	int64_t epoch; /* ns to add */
	bool placed;   /* on the main clock */
};

struct plaidml_tree {
	struct map ids, clock_ids, verb_names, names; /* names: JSON texts of kernels */
	struct plaidml_activity *activities;          /* indexed by the numbers of ids */
	struct plaidml_clock *clocks;
	struct plaidml_verb *verbs;
	size_t cap, clocks_cap, verbs_cap;
	uint64_t events;
	uint32_t runs;
};

/* Returns the number of the activity with that id (n > 0), an index of plaidml_tree.activities; adds it when new. */
uint32_t plaidml_tree_at(struct plaidml_tree *t, const struct plaidml_ref *ref);

/* Adds the contents of an event to its activity. Returns the activity's number. The caller handles the metadata. */
uint32_t plaidml_tree_add(struct plaidml_tree *t, const struct plaidml_event *ev);

/*
 * Aligns the clocks: when activities are on another clock than their parents, the epoch of their clock is the epoch of
 * the parents' clock plus the maximum of (parent's start - child's start), without negative differences: so no activity
 * starts before its request. The minimum epoch becomes 0. A clock that is not linked to the first one stays unplaced.
 */
void plaidml_tree_align(struct plaidml_tree *t);

/* For an activity of a device: the nearest ancestor, or itself, that is a Kernel::Run or has a RunInfo; or NULL. */
const struct plaidml_activity *plaidml_tree_run(const struct plaidml_tree *t, const struct plaidml_activity *a);

/* Removes the activities, not the clocks. */
void plaidml_tree_reset(struct plaidml_tree *t);
void plaidml_tree_free(struct plaidml_tree *t);

/* --- plaidml_meta.c: converts metadata to args, by type --- */

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

/* Returns the type for a type URL such as "type.vertex.ai/vertexai.tile.hal.opencl.proto.KernelInfo". */
enum plaidml_meta plaidml_meta_of(struct str url);

/*
 * Appends the members of the message, each with a comma before it unless it is the first in its object. False when a
 * message in it is damaged: *fault is the reason, and the appended text is not JSON.
 */
bool plaidml_meta_put(
    struct buf *b, enum plaidml_meta meta, struct str message, struct plaidml_stream *own, const char **fault);

/* Returns the text for the record's name; p == NULL when it has no such text. The message must be readable. */
struct str plaidml_meta_name(enum plaidml_meta meta, struct str message);

/* --- plaidml_message.c: converts messages to JSON, by tables --- */

enum plaidml_type {
	PLAIDML_NUMBER, /* int64, and smaller integers */
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
	const struct plaidml_field *of; /* PLAIDML_MESSAGE: the rows of its fields; the last row has no name */
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
	struct plaidml_event *events; /* of the record that is being converted */
	size_t n, at, cap;
	struct str record;
	uint64_t record_at;   /* its offset in the log */
	struct wire metadata; /* the unread part of the event that is being converted */
	uint32_t activity;    /* the activity of that event */
	bool telling, finished, failed;
	size_t rest;                              /* at the end: the next activity to check for a missing end */
	struct buf name, id, parent, clock, args; /* members of the last record */
	char corr[NUM_ROOM];
};

/* --- plaidml_record.c: makes the records --- */

/* Makes *e the record of an activity, which is then marked as written; false when it is not selected, or was lost. */
bool plaidml_activity_record(struct plaidml *p, struct reader *r, uint32_t number, struct event *e);

/*
 * Reads one metadata message, an Any {1 type_url, 2 value} of p->activity, and stores the parts that other records
 * need. True when it makes a record.
 */
bool plaidml_metadata_record(struct plaidml *p, struct reader *r, struct str any, struct event *e);

#endif

/* plaidml_message: reads the events of a log, which are protobuf messages, and converts their metadata to JSON. */
#ifndef PLAIDML_MESSAGE_H
#define PLAIDML_MESSAGE_H

#include "trace2ndjson/formats/format.h"
#include "trace2ndjson/formats/protobuf/wire.h"

/* --- ids and events --- */

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

/* Appends an id with the key, n > 0, as JSON: "32 hex digits", an integer, or "stream:index". */
void plaidml_put_id(struct buf *b, struct str key);

/* --- metadata --- */

/* A type of metadata. */
struct plaidml_type {
	const char *name;                   /* the end of its URL */
	enum event_kind kind;               /* of its records */
	const struct plaidml_field *fields; /* NULL: it gives no record */
	uint32_t title;                     /* the field whose text becomes the name of the record, or 0 */
};

/* Returns the type of metadata with a URL such as "type.vertex.ai/vertexai.tile.proto.RunInfo", or NULL. */
const struct plaidml_type *plaidml_type_of(struct str url);

/*
 * Appends the members of the message, with a comma before each one except the first one of an object. False when the
 * message, or a message inside it, is damaged: w->fault is then the reason, and the appended text is not JSON.
 */
bool plaidml_type_put(
    struct buf *b, const struct plaidml_type *type, struct str message, struct plaidml_stream *own, struct wire *w);

/* Returns the text in an undamaged message that becomes the record's name; p == NULL when it has none. */
struct str plaidml_type_title(const struct plaidml_type *type, struct str message);

#endif

/*
 * call_link: reads the members that link a device record to its call, and writes the members that the record gets from
 * the call.
 */
#ifndef CALL_LINK_H
#define CALL_LINK_H

#include "call_table.h"
#include "record/event.h"
#include "pending_records.h"
#include "program/carried_fields.h"

/* The text between a record's prefix and corr, which the next record usually has too, and what it implies. */
struct call_link_shape {
	struct buf text;
	struct pending_record w; /* with who, rank, process and blind */
};

struct call_link {
	struct pending_record w;    /* the record that was read; `device` is not set */
	bool has_corr;              /* if false, only has_ts, ts, attached and at are set in `w` */
	struct buf attachments;     /* attachments in the form for event_attach_write(), without api, delay and queue */
	struct carried_fields take; /* --take, set by the caller */
	struct field *on;           /* the field with the id of a record; NULL: corr. Set by the caller */
	/* shapes[0]: the shape of records without a thread; shapes[1]: the shape of records with a thread */
	struct call_link_shape shapes[2];
};

/*
 * Reads a call or a device record, in at most one pass over the text after its canonical prefix, and the fields of
 * --take. If `tid`, the record is a call: its place includes its thread, and its device records take its fields.
 * `calls` is where the record will be searched for or added; its places are `places`. *l is zero-initialised before the
 * first record; free it with call_link_free().
 */
void call_link_read(
    struct call_link *l, struct event *e, struct call_places *places, const struct call_table *calls, bool tid);

/* Adds the call that was read to the table; has_corr must be true. A call without ts ages as if its ts were `now`. */
void call_link_add(const struct call_link *l, struct event *e, struct call_table *calls, int64_t now);

/*
 * Replaces *to by the members that a device record gets from its call, followed by SCAN_PAD readable bytes. Returns a
 * view of *to.
 */
struct str call_link_tell(
    struct buf *to, const struct pending_record *w, const struct call_table *calls, const struct stored_call *call);

/* Writes the record, whose text is `text`, with the members `told` attached. */
void call_link_write(struct out *o, const struct pending_record *w, struct str text, struct str told);

void call_link_free(struct call_link *l);

#endif

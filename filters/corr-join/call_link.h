/* call_link: calls and device records: the members that link them, and what a device record is told. */
#ifndef CALL_LINK_H
#define CALL_LINK_H

#include "call_table.h"
#include "record/event.h"
#include "pending_records.h"

/* What stood between a record's name and the number of its corr, and what it said: it mostly stands there again. */
struct call_link_shape {
	struct buf text;
	uint32_t who, rank, process;
	bool blind;
};

struct call_link {
	struct pending_record w;  /* all but `device` */
	bool has_corr;     /* else only w.has_ts, ts, attached and at are set */
	struct buf more;   /* its attachments, as event_attach_write() takes them, but for those that joining makes */
	struct call_link_shape shapes[2]; /* without and with a thread */
};

/*
 * Reads a call or a device record, in one walk behind its canonical prefix at most. `tid`: who it is includes
 * its thread. *l is zero-initialised before the first record; call_link_free() it.
 */
void call_link_read(struct call_link *l, struct event *e, struct call_places *places, bool tid);

/* Adds the call that was read, which has_corr, to the calls; one without ts ages as if it had `now`. */
void call_link_add(const struct call_link *l, struct event *e, struct call_table *calls, int64_t now);

/* What a device record is told of a call, in *to, with SCAN_PAD readable bytes behind it. */
struct str call_link_tell(struct buf *to, const struct pending_record *w,
    const struct call_table *calls, const struct call_table_call *call);

/* Writes the record, its text, with `told` attached. */
void call_link_write(struct out *o, const struct pending_record *w, struct str text, struct str told);

void call_link_free(struct call_link *l);

#endif

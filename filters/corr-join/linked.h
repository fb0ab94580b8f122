/* linked: calls and device records: the members that link them, and what a device record is told. */
#ifndef LINKED_H
#define LINKED_H

#include "calls.h"
#include "record/event.h"
#include "pending.h"

/* What stood between a record's name and the number of its corr, and what it said: it mostly stands there again. */
struct linked_shape {
	struct buf text;
	uint32_t who, rank, process;
	bool blind;
};

struct linked {
	struct waiting w;  /* all but `device` */
	bool has_corr;     /* else only w.has_ts, ts, attached and at are set */
	struct buf more;   /* its attachments, as attach_write() takes them, but for those that joining makes */
	struct linked_shape shapes[2]; /* without and with a thread */
};

/*
 * Reads a call or a device record, in one walk behind its canonical prefix at most. `tid`: who it is includes
 * its thread. *l is zero-initialised before the first record; linked_free() it.
 */
void linked_read(struct linked *l, struct event *e, struct calls *calls, bool tid);

/* Adds the call that was read, which has_corr, to the calls; one without ts ages as if it had `now`. */
void linked_add(const struct linked *l, struct event *e, struct calls *calls, int64_t now);

/* What a device record is told of a call, in *to, with SCAN_PAD readable bytes behind it. */
struct str linked_tell(struct buf *to, const struct waiting *w, const struct calls *calls, const struct call *call);

/* Writes the record, its text, with `told` attached. */
void linked_write(struct out *o, const struct waiting *w, struct str text, struct str told);

void linked_free(struct linked *l);

#endif

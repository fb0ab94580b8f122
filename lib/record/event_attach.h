/* event_attach: members added to the text of a record: where they go, and what they take the place of. */
#ifndef EVENT_ATTACH_H
#define EVENT_ATTACH_H

#include "record/event.h"

/*
 * `text` is what is added, each member with its comma before it: ,"delay":5,"queue":2. A member of a name that
 * the record has already gets the new value in its place; the others go before args, or before src, or at
 * the end. All else stays as it is, byte by byte. No name may come twice in `text`, and none may be a standard
 * member's. Both record and text must have SCAN_PAD readable bytes behind them.
 */

/* Writes e->raw with the members of text, and a newline. */
void event_attach_write(struct out *o, const struct event *e, struct str text);

/* The same record into *to, which is emptied; the result lies there, with SCAN_PAD readable bytes behind it. */
struct str event_attach_put(struct buf *to, struct str record, struct str text);

#endif

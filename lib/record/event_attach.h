/* event_attach: adds members to the text of a record, or replaces their values. */
#ifndef EVENT_ATTACH_H
#define EVENT_ATTACH_H

#include "record/event.h"

/*
 * `text` holds the members to add, each preceded by a comma: ,"delay":5,"queue":2. Their names must differ from each
 * other and from the names of all standard members. If the record already has a member of the same name, its value is
 * replaced in place; if it has several, only the first one remains. Other members are inserted before args or src,
 * whichever is first, or else at the end. All other bytes are unchanged. A member whose value is null removes the
 * member of the record; it must be in `text` only if the record has it, see event_attach_remove(). Both record and text
 * must be followed by SCAN_PAD readable bytes.
 */

/* Writes e->raw with the members of text added, and a newline. */
void event_attach_write(struct out *o, const struct event *e, struct str text);

/*
 * Writes a record with the members of text inserted at an offset, and a newline. The record must not have these
 * members; `at` is the offset of the comma before args or src, or of the end of the last member.
 */
void event_attach_insert(struct out *o, struct str record, size_t at, struct str text);

/*
 * Appends the member `name` with the value null to `text` if the record has this member. e->reading must be set:
 * the record was read by event_parse() or event_walk(), or is stored in an event_queue.
 */
void event_attach_remove(struct buf *text, const struct event *e, const char *name);

/* Puts the record with the members of text into *to, followed by SCAN_PAD readable bytes; returns a view of it. */
struct str event_attach_put(struct buf *to, struct str record, struct str text);

#endif

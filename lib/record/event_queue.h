/* event_queue: stores records, as a queue or as a stack, until the caller has read the later records that it needs. */
#ifndef EVENT_QUEUE_H
#define EVENT_QUEUE_H

#include "record/event.h"

struct event_queue_block;

/*
 * Zero-initialise and set `each` to the size of the caller's note on a record. A stored record takes memory for its
 * line and its note, and about 140 bytes more; more than that, by 8 bytes each, if it has more than 7 standard members.
 */
struct event_queue {
	size_t each;
	size_t n; /* number of stored records */
	/* private */
	struct event_queue_block **slots; /* a ring buffer */
	size_t first, cap;
};

/* Stores copies of the record and the note at the end. Returns false when the record is larger than 4 GiB. */
bool event_queue_push(struct event_queue *h, const struct event *e, const void *note);

/*
 * Returns the note of the first record, or NULL when the queue is empty. Sets *e to the record, unless e is NULL. The
 * caller may change the note. The note and the views in *e are valid until the record is removed.
 */
void *event_queue_first(struct event_queue *h, struct event *e);
void event_queue_pop(struct event_queue *h);

/*
 * event_queue_at() does the same as event_queue_first(), for the record with the index i < h->n. event_queue_drop()
 * removes the last record of the queue.
 */
void *event_queue_at(struct event_queue *h, size_t i, struct event *e);
void event_queue_drop(struct event_queue *h);

/*
 * Returns the text of a standard member of the i-th record, which must have been walked before it was stored; p is NULL
 * if the record does not have the member.
 */
struct str event_queue_get(const struct event_queue *h, size_t i, enum event_member m);

void event_queue_free(struct event_queue *h);

#endif

/* event_queue: records kept back, in order, until those that decide about them have come: a queue, or a stack. */
#ifndef EVENT_QUEUE_H
#define EVENT_QUEUE_H

#include "record/event.h"

struct event_queue_slot;

/*
 * Zero-initialise with `each` set: the size of the caller's note on a record. A held record takes its line, its
 * note and about 200 bytes: 8 for each standard member that was found in it, and padding.
 */
struct event_queue {
	size_t each;
	size_t n;          /* how many are held */
	/* private */
	struct event_queue_slot *slots; /* a ring */
	size_t first, cap;
};

/* Stores a copy of the record and of the note, as the last one. False when the record is over 4 GiB. */
bool event_queue_push(struct event_queue *h, const struct event *e, const void *note);

/*
 * The first record's note, NULL when none is held. *e, unless e is NULL, becomes the record. The note may be changed;
 * it and the views in *e are good until the record is removed.
 */
void *event_queue_first(struct event_queue *h, struct event *e);
void event_queue_pop(struct event_queue *h);

/* The same for the i-th of those held, i < h->n; and the last one is removed. */
void *event_queue_at(struct event_queue *h, size_t i, struct event *e);
void event_queue_drop(struct event_queue *h);

/* The text of a standard member of the i-th, a record that was walked before it was held; p == NULL when absent. */
struct str event_queue_get(const struct event_queue *h, size_t i, enum event_member m);

void event_queue_free(struct event_queue *h);

#endif

/* hold: records kept back, in order, until those that decide about them have come: a queue, or a stack. */
#ifndef HOLD_H
#define HOLD_H

#include "event.h"

struct held;

/* Zero-initialise with `each` set: the size of what the caller notes beside a record. */
struct hold {
	size_t each;
	size_t n;          /* how many are held */
	/* its own */
	struct held *slots; /* a ring */
	char *notes;
	size_t first, cap;
};

/* Keeps a copy of the record and of the note, as the last one. */
void hold_push(struct hold *h, const struct event *e, const void *note);

/* The first one and its note (NULL when none is held), good until the next call of another function. */
void *hold_first(struct hold *h, struct event **e);
void hold_pop(struct hold *h);

/* The i-th of those held, i < h->n, in the same way; and the last one goes. */
void *hold_at(struct hold *h, size_t i, struct event **e);
void hold_drop(struct hold *h);

void hold_free(struct hold *h);

#endif

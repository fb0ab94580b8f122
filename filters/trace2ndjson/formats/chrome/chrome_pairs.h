/* chrome_pairs: joins begin and end events (B E, async b e, S F) of the Trace Event format into whole ranges. */
#ifndef CHROME_PAIRS_H
#define CHROME_PAIRS_H

#include "chrome_event.h"
#include "record/places.h"

/* The begin events whose end event has not been read yet, grouped by thread or by id. Zero-initialise. */
struct chrome_pairs {
	/* private */
	struct places keys;           /* threads and ids */
	struct chrome_begin **tops;   /* the last waiting begin event of each key */
	size_t cap, next;             /* next: the key whose begin events chrome_unpaired() returns next */
	struct chrome_begin *current; /* the last returned *e points into this begin event */
	struct buf args, src;
};

/*
 * Adds one half, which is at `offset` in the input. Returns 1 when this completes a pair; *e is then the whole range.
 * Returns 0 for a begin event, which is stored, and -1 for an end event without a begin event.
 */
int chrome_pair(struct chrome_pairs *p, const struct chrome_raw *raw, uint64_t offset, struct event *e);

/* At the end: sets *e to the next begin event without an end, as a record without dur; returns 0 after the last one. */
int chrome_unpaired(struct chrome_pairs *p, struct event *e, uint64_t *offset);
void chrome_pairs_free(struct chrome_pairs *p);

#endif

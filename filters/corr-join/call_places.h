/* call_places: assigns numbers to the ranks, processes and threads of calls and device records. */
#ifndef CALL_PLACES_H
#define CALL_PLACES_H

#include "record/places.h"
#include "record/value_ids.h"

/* The rank, process and thread of a call or of a device record. The texts are JSON; p == NULL for an unknown value. */
struct call_place {
	uint32_t rank, process; /* numbers that stand for the values; equal values have the same number */
	struct str pid, tid;
};

/* Zero-initialise; free with call_places_free(), or keep it until the program exits. */
struct call_places {
	struct places numbers; /* a number for each (rank, pid, tid) */
	struct value_ids ranks, processes;
	struct call_place *list; /* indexed by number */
	size_t cap;
};

enum { CALL_PLACES_MOST = (1 << 25) - 1 }; /* the maximum number */

/*
 * Returns the number of a place; an unknown value is a text with p == NULL. Ends the program when there are more than
 * CALL_PLACES_MOST places.
 */
uint32_t call_places_put(struct call_places *p, struct str rank, struct str pid, struct str tid);

static inline const struct call_place *call_places_get(const struct call_places *p, uint32_t number)
{
	return &p->list[number];
}

void call_places_free(struct call_places *p);

#endif

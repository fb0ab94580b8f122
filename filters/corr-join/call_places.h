/* call_places: the ranks, processes and threads that calls and device records belong to, numbered. */
#ifndef CALL_PLACES_H
#define CALL_PLACES_H

#include "record/places.h"
#include "record/value_ids.h"

/* Who calls, or whom a device record works for. The texts are JSON; p == NULL for an unknown one. */
struct call_place {
	uint32_t rank, process;    /* numbers, equal for equal values */
	struct str pid, tid;
};

/* Zero-initialise; call_places_free() or keep it. */
struct call_places {
	struct places numbers;     /* of rank, pid and tid */
	struct value_ids ranks, processes;
	struct call_place *list;   /* by number */
	size_t cap;
};

enum { CALL_PLACES_MOST = (1 << 27) - 1 }; /* the largest number */

/* The number of a place; p == NULL for what is not known. More than CALL_PLACES_MOST end the program. */
uint32_t call_places_put(struct call_places *p, struct str rank, struct str pid, struct str tid);

static inline const struct call_place *call_places_get(const struct call_places *p, uint32_t number)
{
	return &p->list[number];
}

void call_places_free(struct call_places *p);

#endif

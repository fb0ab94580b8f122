/* work_places: finds the place (rank, device or stream) of a device record, and its stream among those of the place. */
#ifndef WORK_PLACES_H
#define WORK_PLACES_H

#include "record/places.h"

/* The place of a record, and the index of its stream among the streams of this place, in the order of appearance. */
struct work_place {
	size_t place, stream;
};

/*
 * Copy the members that define a place (rank, dev and stream, or rank and dev, or only rank) to `groups`; all other
 * members are zero. Memory grows with the number of streams.
 */
struct work_places {
	struct places groups; /* groups.n is the number of places */
	/* private */
	struct places streams;
	struct work_place *by_stream; /* indexed by stream */
	size_t *n_streams;            /* number of streams, indexed by place */
	size_t by_stream_cap, n_streams_cap;
};

/* Returns the place of a device record; a new place has the number groups.n - 1. */
struct work_place work_places_put(struct work_places *w, struct event *e);

void work_places_free(struct work_places *w);

#endif

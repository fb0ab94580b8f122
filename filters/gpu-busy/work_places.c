#include "work_places.h"

#include "base/mem.h"

struct work_place work_places_put(struct work_places *w, struct event *e)
{
	const size_t known = w->streams.n;
	size_t stream, place;

	if (!known)
		w->streams = (struct places){.members = {EVENT_RANK, EVENT_DEV, EVENT_STREAM}, .n_members = 3};
	stream = places_put_event(&w->streams, e);
	if (stream == known) {
		place = places_put_event(&w->groups, e);
		w->n_streams = mem_grow_zero(w->n_streams, &w->n_streams_cap, place + 1, sizeof *w->n_streams);
		w->by_stream = mem_grow(w->by_stream, &w->by_stream_cap, stream + 1, sizeof *w->by_stream);
		w->by_stream[stream] = (struct work_place){place, w->n_streams[place]++};
	}
	return w->by_stream[stream];
}

void work_places_free(struct work_places *w)
{
	places_free(&w->groups);
	places_free(&w->streams);
	mem_free(w->by_stream, w->n_streams);
}

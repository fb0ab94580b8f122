#include "work_places.h"

#include "base/mem.h"

/* Adds the record's stream, which is new, and its place if that is new too. */
static void add_stream(struct work_places *w, struct event *e)
{
	const size_t known = w->groups.n, place = places_put_event(&w->groups, e);

	if (place == known) {
		w->n_streams = mem_grow(w->n_streams, &w->n_streams_cap, known + 1, sizeof *w->n_streams);
		w->n_streams[place] = 0;
	}
	w->by_stream = mem_grow(w->by_stream, &w->by_stream_cap, w->streams.n, sizeof *w->by_stream);
	w->by_stream[w->streams.n - 1] = (struct work_place){place, w->n_streams[place]++};
}

struct work_place work_places_put(struct work_places *w, struct event *e)
{
	size_t known, stream;

	if (!w->streams.n)
		w->streams = (struct places){.members = {EVENT_RANK, EVENT_DEV, EVENT_STREAM}, .n_members = 3};
	known = w->streams.n;
	stream = places_put_event(&w->streams, e);
	if (stream == known)
		add_stream(w, e);
	return w->by_stream[stream];
}

void work_places_free(struct work_places *w)
{
	places_free(&w->groups);
	places_free(&w->streams);
	mem_free(w->by_stream, w->n_streams);
}

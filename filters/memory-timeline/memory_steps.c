#include "memory_steps.h"

#include "base/heap.h"

#include <stdlib.h>

/* Steps that end at the same time end in the order in which their names first occurred, as in most traces. */
static bool ends_before(const void *a, const void *b)
{
	const struct memory_step *x = a, *y = b;

	return x->end < y->end || (x->end == y->end && x->name < y->name);
}

static struct place_steps *steps_of(struct memory_steps *s, size_t place)
{
	s->places = mem_grow_zero(s->places, &s->n_places, place + 1, sizeof *s->places);
	return &s->places[place];
}

void memory_steps_add(struct memory_steps *s, size_t place, int64_t end, struct str name)
{
	struct place_steps *r = steps_of(s, place);

	r->open = mem_grow(r->open, &r->open_cap, r->n_open + 1, sizeof *r->open);
	r->open[r->n_open++] = (struct memory_step){end, map_put(&s->names, name)};
	heap_sift_up(r->open, r->n_open, sizeof *r->open, ends_before);
}

const struct place_steps *memory_steps_until(struct memory_steps *s, size_t place, int64_t ts, bool all)
{
	struct place_steps *r = steps_of(s, place);

	while (r->n_open && (all || r->open[0].end < ts)) {
		r->ended = mem_grow(r->ended, &r->ended_cap, r->n + 1, sizeof *r->ended);
		r->ended[r->n++] = r->open[0];
		r->open[0] = r->open[--r->n_open];
		heap_sift_down(r->open, r->n_open, sizeof *r->open, ends_before);
	}
	return r;
}

void memory_steps_free(struct memory_steps *s)
{
	size_t i;

	for (i = 0; i < s->n_places; i++)
		mem_free(s->places[i].ended, s->places[i].open);
	free(s->places);
	map_free(&s->names);
}

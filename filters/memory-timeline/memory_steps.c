#include "memory_steps.h"

#include "base/heap.h"

#include <stdlib.h>

/* Steps that end at the same time end in the order in which their names first occurred, as in most traces. */
static bool ends_before(const void *a, const void *b)
{
	const struct memory_step *x = a, *y = b;

	return x->end < y->end || (x->end == y->end && x->name < y->name);
}

static struct rank_steps *rank_of(struct memory_steps *s, size_t rank)
{
	s->ranks = mem_grow_zero(s->ranks, &s->cap, rank + 1, sizeof *s->ranks);
	if (rank >= s->n_ranks)
		s->n_ranks = rank + 1;
	return &s->ranks[rank];
}

void memory_steps_add(struct memory_steps *s, size_t rank, int64_t end, struct str name)
{
	struct rank_steps *r = rank_of(s, rank);

	r->open = mem_grow(r->open, &r->open_cap, r->n_open + 1, sizeof *r->open);
	r->open[r->n_open++] = (struct memory_step){end, map_put(&s->names, name)};
	heap_sift_up(r->open, r->n_open, sizeof *r->open, ends_before);
}

const struct rank_steps *memory_steps_until(struct memory_steps *s, size_t rank, int64_t ts, bool all)
{
	struct rank_steps *r = rank_of(s, rank);

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

	for (i = 0; i < s->n_ranks; i++) {
		free(s->ranks[i].ended);
		free(s->ranks[i].open);
	}
	free(s->ranks);
	map_free(&s->names);
}

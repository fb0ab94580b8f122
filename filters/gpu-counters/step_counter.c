#include "step_counter.h"

#include "base/heap.h"
#include "base/mem.h"

#include <stdlib.h>

struct step_counter_level {
	double value;
	uint64_t ups, downs;
};

struct step_counter {
	bool any;
	int64_t at;                      /* the ts of the last step that was taken */
	struct step_counter_step *steps; /* a heap of the steps that have not been taken yet */
	size_t n, cap;
	uint64_t seq;
	struct step_counter_level *levels; /* indexed by quantity */
	size_t levels_cap;
};

struct step_counter *step_counter_new(void)
{
	return mem_zero(1, sizeof(struct step_counter));
}

void step_counter_free(struct step_counter *c)
{
	mem_free(c->steps, c->levels);
	free(c);
}

static bool comes_before(const void *a, const void *b)
{
	const struct step_counter_step *x = a, *y = b;

	if (x->ts != y->ts)
		return x->ts < y->ts;
	if ((x->by < 0) != (y->by < 0))
		return x->by < 0;
	return x->seq < y->seq;
}

bool step_counter_add(struct step_counter *c, int64_t ts, size_t which, double by)
{
	if (c->any && ts < c->at)
		return false;
	c->steps = mem_grow(c->steps, &c->cap, c->n + 1, sizeof *c->steps);
	c->steps[c->n++] = (struct step_counter_step){ts, which, by, c->seq++};
	heap_sift_up(c->steps, c->n, sizeof *c->steps, comes_before);
	return true;
}

bool step_counter_next(struct step_counter *c, int64_t ts, struct step_counter_step *step, double *value)
{
	struct step_counter_level *v;

	if (!c->n || c->steps[0].ts > ts)
		return false;
	*step = c->steps[0];
	c->steps[0] = c->steps[--c->n];
	heap_sift_down(c->steps, c->n, sizeof *c->steps, comes_before);
	c->any = true;
	c->at = step->ts;
	c->levels = mem_grow_zero(c->levels, &c->levels_cap, step->which + 1, sizeof *c->levels);
	v = &c->levels[step->which];
	v->ups += step->by >= 0;
	v->downs += step->by < 0;
	v->value = v->ups == v->downs ? 0 : v->value + step->by;
	*value = v->value;
	return true;
}

#include "step_counter.h"

#include "base/heap.h"
#include "base/mem.h"

#include <stdlib.h>

static bool comes_before(const void *a, const void *b)
{
	const struct level_step *x = a, *y = b;

	if (x->ts != y->ts)
		return x->ts < y->ts;
	if ((x->by < 0) != (y->by < 0))
		return x->by < 0;
	return x->seq < y->seq;
}

bool step_counter_add(struct step_counter *l, int64_t ts, size_t which, double by)
{
	if (l->any && ts < l->at)
		return false;
	l->steps = mem_grow(l->steps, &l->cap, l->n + 1, sizeof *l->steps);
	l->steps[l->n++] = (struct level_step){ts, which, by, l->seq++};
	heap_sift_up(l->steps, l->n, sizeof *l->steps, comes_before);
	return true;
}

static struct level *level(struct step_counter *l, size_t which)
{
	if (which >= l->n_levels) {
		l->levels = mem_grow(l->levels, &l->levels_cap, which + 1, sizeof *l->levels);
		while (l->n_levels <= which)
			l->levels[l->n_levels++] = (struct level){0};
	}
	return &l->levels[which];
}

bool step_counter_next(struct step_counter *l, int64_t ts, struct level_step *step, double *value)
{
	struct level *v;

	if (!l->n || l->steps[0].ts > ts)
		return false;
	*step = l->steps[0];
	l->steps[0] = l->steps[--l->n];
	heap_sift_down(l->steps, l->n, sizeof *l->steps, comes_before);
	l->any = true;
	l->at = step->ts;
	v = level(l, step->which);
	v->ups += step->by >= 0;
	v->downs += step->by < 0;
	v->value = v->ups == v->downs ? 0 : v->value + step->by;
	*value = v->value;
	return true;
}

void step_counter_free(struct step_counter *l)
{
	free(l->steps);
	free(l->levels);
	*l = (struct step_counter){0};
}

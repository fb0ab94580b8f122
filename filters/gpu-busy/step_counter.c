#include "step_counter.h"

#include "base/mem.h"

#include <stdlib.h>

static bool before(const struct level_step *a, const struct level_step *b)
{
	if (a->ts != b->ts)
		return a->ts < b->ts;
	if ((a->by < 0) != (b->by < 0))
		return a->by < 0;
	return a->seq < b->seq;
}

static void swap(struct level_step *a, struct level_step *b)
{
	struct level_step kept = *a;

	*a = *b;
	*b = kept;
}

bool step_counter_add(struct step_counter *l, int64_t ts, size_t which, double by)
{
	size_t i;

	if (l->any && ts < l->at)
		return false;
	l->steps = mem_grow(l->steps, &l->cap, l->n + 1, sizeof *l->steps);
	l->steps[l->n] = (struct level_step){ts, which, by, l->seq++};
	for (i = l->n++; i && before(&l->steps[i], &l->steps[(i - 1) / 2]); i = (i - 1) / 2)
		swap(&l->steps[i], &l->steps[(i - 1) / 2]);
	return true;
}

static struct level_step pop(struct step_counter *l)
{
	const struct level_step first = l->steps[0];
	size_t i = 0, least;

	l->steps[0] = l->steps[--l->n];
	for (;;) {
		least = i;
		if (2 * i + 1 < l->n && before(&l->steps[2 * i + 1], &l->steps[least]))
			least = 2 * i + 1;
		if (2 * i + 2 < l->n && before(&l->steps[2 * i + 2], &l->steps[least]))
			least = 2 * i + 2;
		if (least == i)
			return first;
		swap(&l->steps[i], &l->steps[least]);
		i = least;
	}
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
	*step = pop(l);
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

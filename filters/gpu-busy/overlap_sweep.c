#include "overlap_sweep.h"

#include "base/heap.h"
#include "base/mem.h"
#include "base/int_math.h"

#include <stdlib.h>

struct overlap_sweep_interval {
	int64_t end;
	unsigned type;
};

static unsigned now(const struct overlap_sweep *s)
{
	unsigned set = 0, type;

	for (type = 0; type < OVERLAP_SWEEP_TYPES; type++)
		set |= (unsigned)(s->running[type] > 0) << type;
	return set;
}

static void advance(struct overlap_sweep *s, int64_t ts)
{
	int64_t *time = &s->time[now(s)];

	*time = int_add(*time, int_sub(ts, s->at));
	s->at = ts;
}

static bool ends_before(const void *a, const void *b)
{
	const struct overlap_sweep_interval *x = a, *y = b;

	return x->end < y->end;
}

static void push(struct overlap_sweep *s, int64_t end, unsigned type)
{
	s->open = mem_grow(s->open, &s->cap, s->n + 1, sizeof *s->open);
	s->open[s->n++] = (struct overlap_sweep_interval){end, type};
	heap_sift_up(s->open, s->n, sizeof *s->open, ends_before);
	s->running[type]++;
}

static void pop(struct overlap_sweep *s)
{
	s->running[s->open[0].type]--;
	s->open[0] = s->open[--s->n];
	heap_sift_down(s->open, s->n, sizeof *s->open, ends_before);
}

void overlap_sweep_to(struct overlap_sweep *s, int64_t ts)
{
	while (s->n && s->open[0].end <= ts) {
		advance(s, s->open[0].end);
		pop(s);
	}
	if (s->any)
		advance(s, ts);
}

void overlap_sweep_add(struct overlap_sweep *s, int64_t start, int64_t end, unsigned type)
{
	if (!s->any) {
		s->any = true;
		s->first = s->at = s->end = start;
	}
	overlap_sweep_to(s, start);
	if (end < start)
		end = start;
	if (end > s->end)
		s->end = end;
	if (end > start)
		push(s, end, type);
}

int64_t overlap_sweep_union(const struct overlap_sweep *s, unsigned any)
{
	return overlap_sweep_both(s, any, any);
}

int64_t overlap_sweep_both(const struct overlap_sweep *s, unsigned a, unsigned b)
{
	int64_t sum = 0;
	unsigned set;

	for (set = 0; set < OVERLAP_SWEEP_SETS; set++) {
		if (set & a && set & b)
			sum = int_add(sum, s->time[set]);
	}
	return sum;
}

void overlap_sweep_free(struct overlap_sweep *s)
{
	free(s->open);
	*s = (struct overlap_sweep){0};
}

#include "point_series.h"

#include "base/mem.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>

static int compare_points(const void *arg, size_t a, size_t b)
{
	const struct point *list = arg;

	return list[a].x != list[b].x ? (list[a].x < list[b].x ? -1 : 1) : (a > b) - (a < b);
}

/* Sorts the points; points with the same x stay in the order of input. */
static void sort_points(struct point_series *s)
{
	size_t *order = order_sort(s->n, compare_points, s->list), i;
	struct point *sorted = mem_alloc((s->n + 1) * sizeof *sorted);

	for (i = 0; i < s->n; i++)
		sorted[i] = s->list[order[i]];
	free(order);
	free(s->list);
	s->list = sorted;
	s->cap = s->n + 1;
	s->unordered = false;
}

/* The points of one column that are kept. */
struct column {
	size_t first, low, high, last;
};

/* Moves the points of a column to s->list[n], in the order of x; returns the new n. */
static size_t keep_column(struct point_series *s, size_t n, const struct column *c)
{
	const size_t early = c->low < c->high ? c->low : c->high, late = c->low < c->high ? c->high : c->low;
	const size_t keep[] = {c->first, early, late, c->last};
	size_t i;

	for (i = 0; i < 4; i++) {
		if (!i || keep[i] != keep[i - 1])
			s->list[n++] = s->list[keep[i]];
	}
	return n;
}

void point_series_thin(struct point_series *s, double low, double high, size_t columns)
{
	const double scale = isfinite(high - low) ? 1 : 0.5; /* so that no difference of two values overflows */
	const double width = high > low ? (high * scale - low * scale) / (double)columns : 1;
	struct column c = {0, 0, 0, 0};
	size_t i, n = 0;
	double end;

	if (s->unordered)
		sort_points(s);
	if (s->n <= 4 * columns)
		return;
	for (i = 0; i < s->n; i = c.last + 1) {
		c = (struct column){i, i, i, i};
		end = low * scale + width * (floor((s->list[i].x * scale - low * scale) / width) + 1);
		while (c.last + 1 < s->n && s->list[c.last + 1].x * scale < end) {
			c.last++;
			if (s->list[c.last].y < s->list[c.low].y)
				c.low = c.last;
			if (s->list[c.last].y > s->list[c.high].y)
				c.high = c.last;
		}
		n = keep_column(s, n, &c);
	}
	s->n = n;
}

void point_series_add(struct point_series *s, double x, double y)
{
	if (s->n == POINT_SERIES_MOST) {
		if (s->unordered)
			sort_points(s);
		point_series_thin(s, s->list[0].x, s->list[s->n - 1].x, POINT_SERIES_COLUMNS);
	}
	s->list = mem_grow(s->list, &s->cap, s->n + 1, sizeof *s->list);
	s->unordered |= s->n && x < s->list[s->n - 1].x;
	s->list[s->n++] = (struct point){x, y};
	s->all++;
}

#include "heat_grid.h"

#include "base/int_math.h"
#include "base/mem.h"

#include <stdlib.h>

static int64_t floor_divide(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

void heat_grid_widen(struct heat_grid *g)
{
	const int64_t first = g->first;
	int64_t leading = g->width, factor, i;
	size_t lane;

	while (leading >= 10)
		leading /= 10;
	factor = leading == 1 ? 2 : 5;
	g->first = floor_divide(g->first, factor);
	for (lane = 0; lane < g->lanes; lane++) {
		struct heat_cell merged[HEAT_GRID_COLUMNS] = {{0, 0}};

		for (i = first; i <= g->last; i++) {
			merged[floor_divide(i, factor) - g->first].time += g->rows[lane][i - first].time;
			merged[floor_divide(i, factor) - g->first].values += g->rows[lane][i - first].values;
		}
		memcpy(g->rows[lane], merged, sizeof merged);
	}
	g->last = floor_divide(g->last, factor);
	g->width *= factor;
}

/* Moves all columns, so that `first` becomes the first one. */
static void begin_at(struct heat_grid *g, int64_t first)
{
	const size_t by = (size_t)(g->first - first);
	size_t lane;

	for (lane = 0; lane < g->lanes; lane++) {
		memmove(g->rows[lane] + by, g->rows[lane], (HEAT_GRID_COLUMNS - by) * sizeof **g->rows);
		memset(g->rows[lane], 0, by * sizeof **g->rows);
	}
	g->first = first;
}

/* Makes room for the columns of an interval. */
static void include(struct heat_grid *g, int64_t from, int64_t to)
{
	int64_t low, high;

	for (;; heat_grid_widen(g)) {
		low = floor_divide(from, g->width);
		high = floor_divide(to, g->width);
		if (!g->any) {
			g->first = g->last = low;
			g->any = true;
		}
		if ((int128)(high > g->last ? high : g->last) - (low < g->first ? low : g->first) < HEAT_GRID_COLUMNS)
			break;
	}
	if (low < g->first)
		begin_at(g, low);
	g->last = high > g->last ? high : g->last;
}

static void add_interval(struct heat_grid *g, size_t lane, int64_t from, int64_t to, double value)
{
	const int64_t low = floor_divide(from, g->width), high = floor_divide(to, g->width);
	int64_t i, begin, end;
	double time;

	for (i = low; i <= high; i++) {
		begin = i == low ? from : i * g->width;
		end = i == high ? to : (i + 1) * g->width;
		time = (double)(end - begin);
		g->rows[lane][i - g->first].time += time;
		g->rows[lane][i - g->first].values += time * value;
	}
}

void heat_grid_add(struct heat_grid *g, size_t lane, int64_t from, int64_t to, double value)
{
	if (lane >= g->lanes) {
		g->rows = mem_grow(g->rows, &g->cap, lane + 1, sizeof *g->rows);
		memset(g->rows[g->lanes], 0, (lane + 1 - g->lanes) * sizeof *g->rows);
		g->lanes = lane + 1;
	}
	include(g, from, to);
	add_interval(g, lane, from, to, value);
}

void heat_grid_free(struct heat_grid *g)
{
	free(g->rows);
}

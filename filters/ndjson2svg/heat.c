/*
 * heat: rows of streams, threads or ranks, and columns of time. The color is the share of the time of a cell in which
 * records ran, or, if several ran at a time, their mean number; with -f the mean of their values.
 */
#include "chart.h"
#include "timeline_rows.h"
#include "base/err.h"
#include "base/int_math.h"

#include <math.h>
#include <stdlib.h>

enum { DEFAULT_ROWS = 200, COLUMNS = 500 };

/*
 * --- the grid ---
 *
 * Sums of time in columns of time. The columns become wider when the times do not fit in COLUMNS, so that memory is
 * bounded and all sums stay exact.
 */

/* A cell: the time that records ran in it, in ns, and the sum of their values, each multiplied by its time. */
struct heat_cell {
	double time, values;
};

/* Zero-initialise, and set width to 1. */
struct heat_grid {
	struct heat_cell (*rows)[COLUMNS]; /* by row; rows[row][i] is the column first + i */
	size_t n_rows;
	int64_t width;       /* of a column, in ns: 1 or 2 times a power of ten */
	int64_t first, last; /* numbers of the first and last column that are in use; column i begins at i * width */
	size_t cap;
	bool any;
};

static int64_t floor_divide(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* Makes columns two or five times as wide, so that the widths are 1, 2, 10, 20, 100 ... ns. */
static void widen_grid(struct heat_grid *g)
{
	const int64_t first = g->first;
	int64_t leading = g->width, factor, i;
	size_t row;

	while (leading >= 10)
		leading /= 10;
	factor = leading == 1 ? 2 : 5;
	g->first = floor_divide(g->first, factor);
	for (row = 0; row < g->n_rows; row++) {
		struct heat_cell merged[COLUMNS] = {{0, 0}};

		for (i = first; i <= g->last; i++) {
			merged[floor_divide(i, factor) - g->first].time += g->rows[row][i - first].time;
			merged[floor_divide(i, factor) - g->first].values += g->rows[row][i - first].values;
		}
		memcpy(g->rows[row], merged, sizeof merged);
	}
	g->last = floor_divide(g->last, factor);
	g->width *= factor;
}

/* Makes room for the columns of an interval. */
static void include_interval(struct heat_grid *g, int64_t from, int64_t to)
{
	int64_t low, high;
	size_t row, by;

	for (;; widen_grid(g)) {
		low = floor_divide(from, g->width);
		high = floor_divide(to, g->width);
		if (!g->any) {
			g->first = g->last = low;
			g->any = true;
		}
		if ((int128)(high > g->last ? high : g->last) - (low < g->first ? low : g->first) < COLUMNS)
			break;
	}
	by = low < g->first ? (size_t)(g->first - low) : 0;
	for (row = 0; by && row < g->n_rows; row++) {
		memmove(g->rows[row] + by, g->rows[row], (COLUMNS - by) * sizeof **g->rows);
		memset(g->rows[row], 0, by * sizeof **g->rows);
	}
	g->first -= (int64_t)by;
	g->last = high > g->last ? high : g->last;
}

/* Adds a value that holds from `from` to `to` (from < to, both within half of the range of int64). */
static void add_interval(struct heat_grid *g, size_t row, int64_t from, int64_t to, double value)
{
	int64_t low, high, i, begin, end;
	double time;

	g->rows = mem_grow_zero(g->rows, &g->cap, row + 1, sizeof *g->rows);
	g->n_rows = row < g->n_rows ? g->n_rows : row + 1;
	include_interval(g, from, to);
	low = floor_divide(from, g->width);
	high = floor_divide(to, g->width);
	for (i = low; i <= high; i++) {
		begin = i == low ? from : i * g->width;
		end = i == high ? to : (i + 1) * g->width;
		time = (double)(end - begin);
		g->rows[row][i - g->first].time += time;
		g->rows[row][i - g->first].values += time * value;
	}
}

/* --- the chart --- */

struct heat {
	struct chart *chart;
	struct timeline_rows timeline;
	struct heat_grid grid;
	uint64_t left_out;
};

static void open_heat(void *state)
{
	struct heat *h = state;

	h->grid.width = 1;
	if (h->chart->options.rows == CHART_ROWS_EACH)
		opt_invalid("--rows", STR("each"), "stream, thread, depth or rank");
	timeline_rows_begin(&h->timeline, h->chart);
}

static void add_cell(void *state, struct event *e)
{
	struct heat *h = state;
	struct chart *c = h->chart;
	const uint64_t most = c->options.top ? c->options.top : DEFAULT_ROWS;
	struct value v;
	size_t row;
	int64_t end;

	if (!chart_value(c, e, &v))
		return;
	if (!event_has_time(e) || (end = event_end(e)) <= e->ts || end > INT64_MAX / 2 || e->ts < INT64_MIN / 2) {
		c->valueless += !c->options.values.n;
		return;
	}
	row = timeline_rows_find(&h->timeline, c, e, most);
	if (row == MAP_NONE) {
		h->left_out++;
		return;
	}
	add_interval(&h->grid, row, e->ts, end, v.d);
}

/* --- drawing --- */

/* Returns the value of a cell: the mean number of records that ran at a time, or the mean of their values. */
static double cell_value(const struct heat *h, const struct heat_cell *cell)
{
	if (!h->chart->options.values.n)
		return cell->time / (double)h->grid.width;
	return cell->time > 0 ? cell->values / cell->time : 0;
}

struct heat_page {
	double left, right, top, row, most;
	struct display_unit values, time;
};

/* Draws the row at a position from the top. */
static void draw_heat_row(struct heat *h, const struct heat_page *p, size_t position)
{
	struct canvas *canvas = h->chart->canvas;
	const size_t n = (size_t)(h->grid.last - h->grid.first) + 1, row = h->timeline.order[position];
	const double width = (p->right - p->left) / (double)n, y = p->top + p->row * (double)position;
	struct buf text = {0};
	size_t i;

	canvas_text(canvas, p->left - canvas->space, y + p->row / 2, CANVAS_END, CANVAS_PLAIN,
	    h->timeline.labels[position].shown);
	for (i = 0; i < n; i++) {
		const struct heat_cell *cell = &h->grid.rows[row][i];

		if (cell->time <= 0)
			continue;
		text.n = 0;
		display_put(&text, "%s at %v\n%e", h->timeline.labels[position].whole, &p->time,
		    (double)i * (double)h->grid.width, &p->values, (long double)cell_value(h, cell));
		canvas->ops->box(canvas,
		    (struct canvas_box){p->left + width * (double)i, y, width, canvas->cells ? 1 : p->row - 2},
		    color_heat(cell_value(h, cell) / p->most), buf_str(&text));
	}
	buf_free(&text);
}

/* Makes the legend: a label and a color for each step of the values. The labels are stored in *texts. */
static void put_legend(const struct heat_page *p, struct label *labels, enum color *colors, struct map *texts)
{
	struct buf text = {0};
	size_t i;

	for (i = 0; i + 1 < COLORS_HEAT; i++) {
		colors[i] = (enum color)(COLOR_HEAT_1 + i);
		display_put(&text, "up to %v", &p->values, p->most * (double)(i + 1) / (COLORS_HEAT - 1));
		labels[i].shown = labels_store(texts, &text);
	}
	buf_free(&text);
}

static void put_title(struct heat *h, const struct heat_page *p, struct buf *title)
{
	if (h->chart->options.values.n) {
		buf_lit(title, "Mean ");
		chart_value_words(h->chart, title);
	} else if (p->most > 1) {
		buf_lit(title, "Mean number of records at a time");
	} else {
		buf_lit(title, "Share of time in which records ran");
	}
	display_put(title, " in columns of %v", &p->time, (double)h->grid.width);
}

static void draw_heat_page(struct heat *h)
{
	struct chart *c = h->chart;
	struct canvas *canvas = c->canvas;
	double span = (double)(h->grid.last - h->grid.first + 1) * (double)h->grid.width;
	struct heat_page p = {.top = page_top(canvas), .most = 0};
	struct label labels[COLORS_HEAT - 1];
	enum color colors[COLORS_HEAT - 1];
	const struct page_legend legend = {labels, colors, COLORS_HEAT - 1, false};
	struct buf title = {0};
	struct map texts = {0};
	struct axis axis;
	double rest, bottom;
	size_t i;

	p.time = display_unit_of(COLUMN_TIME, &c->options.table, span);
	labels_fit(canvas, h->timeline.labels, h->timeline.n, floor(canvas->width * 0.3), &texts);
	p.left = canvas->margin + labels_widest(canvas, h->timeline.labels, h->timeline.n) + canvas->space;
	p.right = canvas->width - 2 * canvas->margin;
	while ((double)(h->grid.last - h->grid.first + 1) > p.right - p.left)
		widen_grid(&h->grid);
	span = (double)(h->grid.last - h->grid.first + 1) * (double)h->grid.width;
	p.most = c->options.values.n ? 0 : 1;
	for (i = 0; i < h->timeline.n * COLUMNS; i++)
		p.most = fmax(p.most, cell_value(h, &h->grid.rows[h->timeline.order[i / COLUMNS]][i % COLUMNS]));
	if (c->options.values.n)
		p.values = chart_unit(c, p.most);
	else
		p.values = display_unit_of(p.most > 1 ? COLUMN_ANY : COLUMN_SHARE, NULL, 1);
	put_legend(&p, labels, colors, &texts);
	rest = p.top + axis_height(canvas) + page_legend_height(canvas, &legend);
	p.row = page_row(canvas, h->timeline.n, canvas->cells ? 1 : h->timeline.n > 40 ? 12 : 22, rest);
	bottom = p.top + p.row * (double)h->timeline.n;
	axis = axis_of(&p.time, 0, span, p.left, p.right, axis_room(canvas, &p.time, 0, span), p.time.per == 1);
	put_title(h, &p, &title);
	page_begin(canvas, rest + p.row * (double)h->timeline.n, buf_str(&title));
	axis_draw_across(canvas, &axis, p.top, bottom, STR("time since the first record"), false);
	for (i = 0; i < h->timeline.n; i++)
		draw_heat_row(h, &p, i);
	page_legend_draw(canvas, &legend, bottom + axis_height(canvas));
	canvas->ops->end(canvas);
	map_free(&texts);
	buf_free(&title);
}

static bool draw_heat(void *state)
{
	struct heat *h = state;

	chart_report_rows(h->chart, h->left_out);
	if (!h->timeline.keys.n)
		return false;
	timeline_rows_sort(&h->timeline, true);
	if (h->timeline.n < h->timeline.keys.n && h->chart->options.rows == CHART_ROWS_STREAM)
		hint("records without a device or stream are not shown; --rows thread shows those of the host");
	draw_heat_page(h);
	return true;
}

static void close_heat(void *state)
{
	struct heat *h = state;

	timeline_rows_free(&h->timeline);
	free(h->grid.rows);
}

const struct chart_kind chart_heat = {
    .name = "heat",
    .options = "field top rows",
    .size = sizeof(struct heat),
    .open = open_heat,
    .add = add_cell,
    .draw = draw_heat,
    .close = close_heat,
};

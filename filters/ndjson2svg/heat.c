/*
 * heat: rows of streams, threads or ranks, and columns of time. The colour is the share of the time of a cell in which
 * records ran, or with -f the mean of their values.
 */
#include "chart.h"
#include "heat_grid.h"
#include "lanes.h"
#include "base/err.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { DEFAULT_ROWS = 200 };

struct heat {
	struct chart *chart;
	struct lanes lanes;
	struct heat_grid grid;
	uint64_t left_out;
};

static void *open_heat(struct chart *chart)
{
	struct heat *h = mem_zero(1, sizeof *h);

	h->chart = chart;
	h->grid.width = 1;
	if (chart->options.rows == CHART_ROWS_EACH)
		opt_invalid("--rows", STR("each"), "stream, thread, depth or rank");
	lanes_begin(&h->lanes, chart);
	return h;
}

static void take(void *state, struct event *e)
{
	struct heat *h = state;
	struct chart *c = h->chart;
	const uint64_t most = c->options.top ? c->options.top : DEFAULT_ROWS;
	struct value v = {.d = 1};
	size_t lane;
	int64_t end;

	if (c->options.values.n) {
		if (!chart_value(c, e, &v))
			return;
	} else if (event_get_kind(e) == KIND_META) {
		return;
	} else {
		c->records++;
	}
	if (!event_has_time(e) || (end = event_end(e)) <= e->ts || end > INT64_MAX / 2 || e->ts < INT64_MIN / 2) {
		c->valueless += !c->options.values.n;
		return;
	}
	lane = lanes_of(&h->lanes, c, e, most);
	if (lane == MAP_NONE) {
		h->left_out++;
		return;
	}
	heat_grid_add(&h->grid, lane, e->ts, end, v.d);
}

/* --- drawing --- */

/* Returns the value of a cell: the share of time in which records ran, or the mean of their values. */
static double cell_value(const struct heat *h, const struct heat_cell *cell)
{
	if (!h->chart->options.values.n)
		return cell->time / (double)h->grid.width;
	return cell->time > 0 ? cell->values / cell->time : 0;
}

static double find_most(const struct heat *h)
{
	double most = 0;
	size_t lane, i;

	for (lane = 0; lane < h->lanes.keys.n; lane++) {
		for (i = 0; i < HEAT_GRID_COLUMNS; i++)
			most = fmax(most, cell_value(h, &h->grid.rows[lane][i]));
	}
	return h->chart->options.values.n ? most : fmax(most, 1);
}

struct heat_page {
	double left, right, top, row, most;
	struct measure values, time;
};

static void draw_lane(struct heat *h, const struct heat_page *p, size_t lane)
{
	struct canvas *canvas = h->chart->canvas;
	const size_t n = (size_t)(h->grid.last - h->grid.first) + 1, place = h->lanes.place[lane];
	const double width = (p->right - p->left) / (double)n, y = p->top + p->row * (double)place;
	struct buf text = {0};
	size_t i;

	canvas_text(
	    canvas, p->left - canvas->space, y + p->row / 2, CANVAS_END, CANVAS_PLAIN, h->lanes.labels[place].shown);
	for (i = 0; i < n; i++) {
		const struct heat_cell *cell = &h->grid.rows[lane][i];

		if (cell->time <= 0)
			continue;
		text.n = 0;
		buf_add(&text, h->lanes.labels[place].whole.p, h->lanes.labels[place].whole.n);
		buf_lit(&text, " at ");
		measure_put(&text, &p->time, (double)i * (double)h->grid.width);
		buf_char(&text, '\n');
		measure_put_exact(&text, &p->values, cell_value(h, cell));
		canvas->ops->box(canvas,
		    (struct canvas_box){p->left + width * (double)i, y, width, canvas->cells ? 1 : p->row - 2},
		    colours_heat(cell_value(h, cell) / p->most), (struct str){text.p, text.n});
	}
	buf_free(&text);
}

/* Makes the legend: a label and a colour for each step of the values. The labels are stored in *texts. */
static void put_legend(const struct heat_page *p, struct label *labels, enum colour *colours, struct map *texts)
{
	struct buf text = {0};
	size_t i;

	for (i = 0; i + 1 < COLOURS_HEAT; i++) {
		colours[i] = (enum colour)(COLOUR_HEAT_1 + i);
		buf_lit(&text, "up to ");
		measure_put(&text, &p->values, p->most * (double)(i + 1) / (COLOURS_HEAT - 1));
		labels[i].shown = labels_store(texts, &text);
	}
	buf_free(&text);
}

static void put_title(struct heat *h, const struct heat_page *p, struct buf *to)
{
	if (h->chart->options.values.n) {
		buf_lit(to, "Mean ");
		chart_value_words(h->chart, to);
	} else {
		buf_lit(to, "Share of time in which records ran");
	}
	buf_lit(to, " in columns of ");
	measure_put(to, &(struct measure){p->time.unit, false, p->time.per}, (double)h->grid.width);
}

static void draw_page(struct heat *h)
{
	struct chart *c = h->chart;
	struct canvas *canvas = c->canvas;
	double span = (double)(h->grid.last - h->grid.first + 1) * (double)h->grid.width;
	struct heat_page p = {.top = chart_top(c), .most = 0};
	struct label labels[COLOURS_HEAT - 1];
	enum colour colours[COLOURS_HEAT - 1];
	const struct chart_legend legend = {labels, colours, COLOURS_HEAT - 1, false};
	struct buf room = {0}, title = {0};
	struct map texts = {0};
	struct axis axis;
	double rest, bottom;
	size_t i;

	p.time = measure_of(COLUMN_TIME, c->options.table.time, NULL, span);
	labels_fit(canvas, h->lanes.labels, h->lanes.keys.n, floor(canvas->width * 0.3), &room);
	p.left = canvas->margin + labels_widest(canvas, h->lanes.labels, h->lanes.keys.n) + canvas->space;
	p.right = canvas->width - 2 * canvas->margin;
	while ((double)(h->grid.last - h->grid.first + 1) > p.right - p.left)
		heat_grid_widen(&h->grid);
	span = (double)(h->grid.last - h->grid.first + 1) * (double)h->grid.width;
	p.most = find_most(h);
	p.values = c->options.values.n ? chart_measure(c, p.most) : measure_of(COLUMN_SHARE, NULL, NULL, 1);
	put_legend(&p, labels, colours, &texts);
	rest = p.top + axis_height(canvas) + chart_legend_height(c, &legend);
	p.row = chart_row(c, h->lanes.keys.n, canvas->cells ? 1 : h->lanes.keys.n > 40 ? 12 : 22, rest);
	bottom = p.top + p.row * (double)h->lanes.keys.n;
	axis = axis_of(&p.time, 0, span, p.left, p.right, axis_room(canvas, &p.time, 0, span), p.time.per == 1);
	put_title(h, &p, &title);
	chart_begin(c, rest + p.row * (double)h->lanes.keys.n, (struct str){title.p, title.n});
	axis_draw_across(canvas, &axis, p.top, bottom, STR("time since the first record"), false);
	for (i = 0; i < h->lanes.keys.n; i++)
		draw_lane(h, &p, i);
	chart_legend_draw(c, &legend, bottom + axis_height(canvas));
	canvas->ops->end(canvas);
	map_free(&texts);
	buf_free(&room);
	buf_free(&title);
}

static void draw(void *state)
{
	struct heat *h = state;

	if (h->left_out) {
		warn("%" PRIu64 " records of further rows are not shown; -t shows more", h->left_out);
		h->chart->lost = !h->chart->options.top;
	}
	if (!h->lanes.keys.n) {
		chart_nothing(h->chart);
		return;
	}
	lanes_sort(&h->lanes);
	draw_page(h);
}

static void close_heat(void *state)
{
	struct heat *h = state;

	lanes_free(&h->lanes);
	heat_grid_free(&h->grid);
	free(h);
}

const struct chart_kind chart_heat = {
    .name = "heat",
    .help = "streams, threads or ranks by time",
    .options = "field top rows",
    .keys = "",
    .open = open_heat,
    .take = take,
    .draw = draw,
    .close = close_heat,
};

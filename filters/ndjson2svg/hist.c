/* hist: the number of records in each range of values. In a terminal, as horizontal bars. */
#include "picture/bars.h"
#include "chart.h"
#include "stats/histogram_bins.h"

#include <math.h>
#include <stdlib.h>

enum { KEEP = 1000000 }; /* counts are exact for up to a million values */

struct hist {
	struct chart *chart;
	struct quantile values;
	struct histogram_bins bins;
};

static void add_to_bin(void *state, struct event *e)
{
	struct hist *h = state;
	struct value v;

	if (!chart_value(h->chart, e, &v))
		return;
	if (v.type == VALUE_INT)
		quantile_add_int(&h->values, v.i, KEEP);
	else
		quantile_add_real(&h->values, v.d, KEEP);
}

/* --- drawing --- */

/* Writes as many edges below the axis as there is room for. All bins have the same width. */
static void draw_edges(const struct hist *h, double left, double width, double y)
{
	struct canvas *canvas = h->chart->canvas;
	struct buf text = {0};
	double free_from = 0, x, wide;
	struct display_unit m;
	size_t i;

	for (i = 0; i <= h->bins.n; i++) {
		text.n = 0;
		m = chart_unit(h->chart, fabs(h->bins.edges[i])); /* edges can span decades */
		if (isfinite(h->bins.edges[i]))
			display_put(&text, "%e", &m, (long double)h->bins.edges[i]);
		x = left + width * (double)i;
		wide = canvas_width(canvas, buf_str(&text), CANVAS_SOFT);
		if (x - wide / 2 < free_from)
			continue;
		canvas_text(canvas, x, y, CANVAS_MIDDLE, CANVAS_SOFT, buf_str(&text));
		free_from = x + wide / 2 + canvas->space;
	}
	buf_free(&text);
}

static void draw_bins(const struct hist *h, const struct axis *axis, double left, double width, double bottom)
{
	struct canvas *canvas = h->chart->canvas;
	struct buf text = {0};
	size_t i, n;
	double y;

	for (i = 0; i < h->bins.n; i++) {
		if (!h->bins.counts[i])
			continue;
		y = axis_at(axis, (double)h->bins.counts[i]);
		text.n = 0;
		display_put(&text, "%i", (double)h->bins.counts[i]);
		n = text.n;
		display_put(&text, h->bins.counts[i] == 1 ? " record\n" : " records\n");
		display_unit_put_range(&text, chart_value_kind(h->chart), &h->chart->options.table, h->bins.edges[i],
		    h->bins.edges[i + 1]);
		canvas->ops->box(canvas,
		    (struct canvas_box){left + width * ((double)i + 0.04), y, width * 0.92, bottom - y}, COLOR_BAR,
		    buf_str(&text));
		if (canvas_width(canvas, (struct str){text.p, n}, CANVAS_SOFT) < width)
			canvas_text(canvas, left + width * ((double)i + 0.5), y - 9, CANVAS_MIDDLE, CANVAS_SOFT,
			    (struct str){text.p, n});
	}
	buf_free(&text);
}

static void draw_hist_page(struct hist *h, struct str title)
{
	struct chart *c = h->chart;
	struct canvas *canvas = c->canvas;
	const double most = (double)histogram_bins_most(&h->bins);
	const struct display_unit m = display_unit_of(COLUMN_ANY, NULL, most);
	const double top = page_top(canvas) + 24, height = canvas->height > 0 ? canvas->height : 400;
	const double bottom = fmax(height - axis_height(canvas) - 6, top + 40);
	const double left = canvas->margin + axis_room(canvas, &m, 0, most), right = canvas->width - 2 * canvas->margin;
	const double width = (right - left) / (double)h->bins.n;
	struct axis axis = axis_of(&m, 0, most * 1.06, bottom, top, 40, true);
	struct buf name = {0};

	page_begin(canvas, bottom + axis_height(canvas) + 6, title);
	axis_draw_upright(canvas, &axis, left, right, STR("records"));
	canvas->ops->rule(canvas, left, bottom, right, bottom, false);
	draw_bins(h, &axis, left, width, bottom);
	draw_edges(h, left, width, bottom + 12);
	chart_value_words(c, &name);
	canvas_text(canvas, (left + right) / 2, bottom + 12 + canvas->line, CANVAS_MIDDLE, CANVAS_SOFT, buf_str(&name));
	canvas->ops->end(canvas);
	buf_free(&name);
}

static bool draw_hist(void *state)
{
	struct hist *h = state;
	struct chart *c = h->chart;
	struct buf title = {0};

	histogram_bins_of(&h->bins, &c->options.bins, &h->values);
	if (!h->bins.n)
		return false;
	display_put(&title, "%i records by ", (double)h->values.n);
	chart_value_words(c, &title);
	if (c->canvas->cells)
		bars_draw_bins(c->canvas, &h->bins, chart_value_kind(c), &c->options.table, buf_str(&title));
	else
		draw_hist_page(h, buf_str(&title));
	buf_free(&title);
	return true;
}

static void close_hist(void *state)
{
	struct hist *h = state;

	histogram_bins_free(&h->bins);
	quantile_free(&h->values);
}

const struct chart_kind chart_hist = {
    .name = "hist",
    .options = "field bins log",
    .values = "dur",
    .size = sizeof(struct hist),
    .add = add_to_bin,
    .draw = draw_hist,
    .close = close_hist,
};

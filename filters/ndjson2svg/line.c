/* line: values over a time or a number, one line for each value of --color. steps: the same, drawn as steps. */
#include "chart.h"
#include "point_series.h"
#include "base/err.h"
#include "base/int_math.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
	MOST_LINES = 100,
	MOST_MARKS = 200, /* a line of at most this number of points has a mark with a tip at each point */
};

struct line_chart {
	struct chart *chart;
	bool steps;
	struct map names;
	struct point_series series[MOST_LINES];
	struct buf name;
	bool has_origin;
	int64_t origin; /* the first time; times are drawn relative to it */
	uint64_t strange, left_out;
	struct page_plot plot; /* for drawing */
};

static void open_line(void *state)
{
	struct line_chart *l = state;

	l->steps = l->chart->kind == &chart_steps;
	if (l->chart->options.keys.n > 1)
		opt_invalid("-g", STR("more than one field"), "one field for the x axis");
}

static struct field *x_field(const struct line_chart *l)
{
	return &l->chart->options.keys.list[0];
}

/* Gets the x of a record: a time since the first one, or a number. */
static bool get_x(struct line_chart *l, struct event *e, double *x)
{
	struct value v;

	if (!field_get(x_field(l), e, 0, &v) || !value_is_number(&v)) {
		l->strange++;
		return false;
	}
	if (chart_kind_of(l->chart, x_field(l)) != COLUMN_STAMP || v.type == VALUE_REAL) {
		*x = v.d;
		return true;
	}
	if (!l->has_origin)
		l->origin = v.i;
	l->has_origin = true;
	*x = (double)int_sub(v.i, l->origin);
	return true;
}

static void add_point(void *state, struct event *e)
{
	struct line_chart *l = state;
	struct chart *c = l->chart;
	struct value v;
	double x;
	size_t i;

	if (!chart_value(c, e, &v) || !get_x(l, e, &x))
		return;
	l->name.n = 0;
	if (c->options.color.n)
		chart_series_name(c, &c->options.color, 0, e, &l->name, NULL);
	i = l->names.n < MOST_LINES ? map_put(&l->names, buf_str(&l->name)) : map_find(&l->names, buf_str(&l->name));
	if (i == MAP_NONE)
		l->left_out++;
	else
		point_series_add(&l->series[i], x, v.d);
}

/* Sets the limits of both axes, in values. */
static void find_limits(struct line_chart *l, double *x, double *y)
{
	size_t i, k;

	x[0] = y[0] = INFINITY;
	x[1] = y[1] = -INFINITY;
	for (i = 0; i < l->names.n; i++) {
		for (k = 0; k < l->series[i].n; k++) {
			const struct point *p = &l->series[i].list[k];

			x[0] = fmin(x[0], p->x);
			x[1] = fmax(x[1], p->x);
			y[0] = fmin(y[0], p->y);
			y[1] = fmax(y[1], p->y);
		}
	}
	for (i = 0; l->has_origin && i < l->names.n; i++) { /* times become relative to the earliest one */
		for (k = 0; k < l->series[i].n; k++)
			l->series[i].list[k].x -= x[0];
	}
	x[1] -= l->has_origin ? x[0] : 0;
	x[0] = l->has_origin ? 0 : x[0];
	if (!l->chart->options.zoom) {
		y[0] = fmin(y[0], 0);
		y[1] = fmax(y[1], 0);
	}
	if (l->chart->options.zoom || y[0] < 0)
		y[0] -= 0.05 * (y[1] - y[0]);
	y[1] += 0.05 * (y[1] - y[0]);
}

static void draw_curve(struct line_chart *l, const struct point_series *s, enum color color, struct str tip)
{
	struct canvas *canvas = l->chart->canvas;
	double x, y, before = 0;
	size_t i;

	canvas->ops->curve(canvas, color, tip);
	for (i = 0; i < s->n; i++) {
		x = axis_at(&l->plot.x, s->list[i].x);
		y = axis_at(&l->plot.y, s->list[i].y);
		if (l->steps && i)
			canvas->ops->point(canvas, x, before);
		canvas->ops->point(canvas, x, y);
		before = y;
	}
	if (l->steps && s->n)
		canvas->ops->point(canvas, l->plot.right, before);
	canvas->ops->curve_end(canvas);
}

/* Draws each point as a mark with its values. */
static void draw_marks(struct line_chart *l, const struct point_series *s, enum color color, struct str name)
{
	struct canvas *canvas = l->chart->canvas;
	const struct axis *x = &l->plot.x, *y = &l->plot.y;
	struct buf text = {0};
	size_t i;

	for (i = 0; i < s->n; i++) {
		text.n = 0;
		display_put(&text, name.n ? "%s\n%e at %e" : "%s%e at %e", name, &y->unit, (long double)s->list[i].y,
		    &x->unit, (long double)s->list[i].x);
		canvas->ops->box(canvas,
		    (struct canvas_box){axis_at(x, s->list[i].x) - 2.5, axis_at(y, s->list[i].y) - 2.5, 5, 5}, color,
		    buf_str(&text));
	}
	buf_free(&text);
}

static void draw_series(struct line_chart *l, size_t i, enum color color)
{
	const struct point_series *s = &l->series[i];
	const struct str name = map_key(&l->names, i);
	struct buf tip = {0};

	display_put(&tip, name.n ? "%s: %i points" : "%s%i points", name, (double)s->all);
	draw_curve(l, s, color, buf_str(&tip));
	if (!l->chart->canvas->cells && s->all <= MOST_MARKS)
		draw_marks(l, s, color, name);
	buf_free(&tip);
}

/* Reduces the points to those that are visible, and reports it. */
static void thin_points(struct line_chart *l, const double *x, double width)
{
	uint64_t all = 0, drawn = 0;
	size_t i;

	for (i = 0; i < l->names.n; i++) {
		point_series_thin(&l->series[i], x[0], x[1], (size_t)fmax(width, 1));
		all += l->series[i].all;
		drawn += l->series[i].n;
	}
	if (drawn < all)
		note("%" PRIu64 " points are drawn as %" PRIu64
		     ": the first, last, minimum and maximum in each column of pixels",
		    all, drawn);
}

static void draw_line_page(struct line_chart *l, struct page_legend *legend, struct str title)
{
	struct chart *c = l->chart;
	struct canvas *canvas = c->canvas;
	struct display_unit across, up;
	struct buf key = {0}, value = {0};
	double x[2], y[2];
	size_t i;

	find_limits(l, x, y);
	across = display_unit_of(chart_kind_of(c, x_field(l)), &c->options.table, fmax(fabs(x[0]), fabs(x[1])));
	up = chart_unit(c, fmax(fabs(y[0]), fabs(y[1])));
	l->plot = page_plot_of(canvas, legend, canvas->cells ? 24 : 400);
	page_plot_axes(canvas, &l->plot, &across, x, &up, y, false);
	thin_points(l, x, l->plot.right - l->plot.left);
	chart_value_words(c, &value);
	chart_key_words(c, &c->options.keys, 0, &key);
	if (l->has_origin)
		buf_lit(&key, " since the first record");
	page_plot_begin(canvas, &l->plot, legend, title, buf_str(&key), buf_str(&value));
	for (i = 0; i < l->names.n; i++)
		draw_series(l, i, legend->n ? legend->colors[i] : COLOR_COMPUTING);
	canvas->ops->end(canvas);
	bufs_free(&key, &value);
}

static bool draw_lines(void *state)
{
	struct line_chart *l = state;
	struct chart *c = l->chart;
	struct label labels[MOST_LINES];
	enum color colors[MOST_LINES];
	struct page_legend legend = {labels, colors, c->options.color.n ? l->names.n : 0, true};
	struct color_use use = {{0}, 0};
	struct buf title = {0};
	struct map texts = {0};
	size_t i;

	if (l->strange)
		note("%" PRIu64 " record%s in which %s is not a number %s not shown", l->strange,
		    l->strange == 1 ? "" : "s", x_field(l)->spec, l->strange == 1 ? "is" : "are");
	if (l->left_out) {
		warn("%" PRIu64 " records of further lines are not shown: at most %d lines", l->left_out, MOST_LINES);
		c->lost = true;
	}
	if (!l->names.n)
		return false;
	for (i = 0; i < l->names.n; i++) {
		labels[i] = label_of(map_key(&l->names, i));
		colors[i] = color_of_part(&use, labels[i].brief);
	}
	labels_fit(c->canvas, labels, l->names.n, c->canvas->width * 0.6, &texts);
	chart_title(c, " over ", &title);
	draw_line_page(l, &legend, buf_str(&title));
	buf_free(&title);
	map_free(&texts);
	return true;
}

static void close_line(void *state)
{
	struct line_chart *l = state;
	size_t i;

	for (i = 0; i < l->names.n; i++)
		free(l->series[i].list);
	map_free(&l->names);
	buf_free(&l->name);
}

#define LINE_KIND(kind)                                                                                                \
	.name = kind, .options = "field group color zoom", .values = "dur_sum,dur_mean,dur", .keys = "ts",             \
	.size = sizeof(struct line_chart), .open = open_line, .add = add_point, .draw = draw_lines,                    \
	.close = close_line
const struct chart_kind chart_line = {LINE_KIND("line")};
const struct chart_kind chart_steps = {
    LINE_KIND("steps"), .special_kind = "\"inference-steps\"", .special = &chart_step_bars};

/*
 * area: the sum of values over time, as a stack of areas: one for each value of --color, the largest at the bottom. The
 * peak is marked.
 *
 * A column of the picture does not show a mean, which would hide short peaks, but the moment with the largest sum in
 * it. So the highest column is the peak, and its parts are those of that moment.
 */
#include "chart.h"
#include "ranked_sums.h"
#include "base/err.h"
#include "base/heap.h"
#include "base/int_math.h"
#include "base/order.h"
#include "json/write.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
	COLUMNS = 512,
	COLUMNS_MARKS = 200, /* of --marks, for the small picture of a report */
	PARTS = 8,           /* default number of parts with colors */
	PARTS_CELLS = 6,
	MOST_SERIES = 4096, /* further ones are one, because each of them has a part of many columns */
};

/* --- the columns --- */

/* A series now, and at the moment with the largest sum of the open column. */
struct area_series {
	long double now, kept;
	uint64_t best; /* `kept` is the value at best moment number `best`; if there was another one since, `now` is */
	long double lasting;       /* the part of `now` from the last record without an end */
	long double area, at_peak; /* for drawing: the sum of all columns, and the part of the peak */
};

/*
 * The value of a series at the moment of a column. Only values above 0 have a part, so that the
 * memory depends on the series that exist at a time, and not on all of them.
 */
struct area_part {
	double value;
	uint32_t series;
};

/* The moment with the largest sum in a column of time; zero: nothing was there. */
struct area_column {
	int64_t ts;
	long double total;
	struct area_part *parts;
	size_t n;
};

/* A value that ends. */
struct area_end {
	int64_t at;
	size_t series;
	long double value;
};

struct area {
	struct chart *chart;
	struct field end, outside;
	struct ranked_sums names; /* of the series; their values are not used */
	struct area_series *series;
	struct area_end *ends; /* a heap */
	size_t series_cap, n_ends, ends_cap;
	struct area_column columns[COLUMNS];
	long double total; /* of all series, now */
	long double best;  /* if `better`: the largest sum in the open column */
	int64_t best_ts;   /* when it was reached */
	uint64_t bests;    /* number of such moments, in all columns */
	size_t open;       /* the column of `now`; COLUMNS: none is open */
	int64_t first, now;
	int shift;   /* columns are 2^shift ns wide, from `first` on */
	bool begun;  /* `first` and `now` are known */
	bool better; /* there is a best moment since the column was opened */
	uint64_t untimed;
	struct buf name, whole;
	/* for drawing */
	size_t n_columns, peak; /* peak: a column */
	struct chart_parts parts;
	double *sums; /* of each column the sums of the first 0 to parts.n parts */
	struct page_plot plot;
	struct map texts;
};

static long double value_at_best(const struct area *a, size_t i)
{
	return a->series[i].best == a->bests ? a->series[i].kept : a->series[i].now;
}

/* Stores the best moment of the open column. Its values are not copied earlier, because there can be many of them. */
static void close_column(struct area *a)
{
	struct area_column *column = &a->columns[a->open];
	const size_t n = a->names.keys.n;
	size_t i;

	if (a->open < COLUMNS && a->better) {
		free(column->parts);
		*column = (struct area_column){.ts = a->best_ts, .total = a->best};
		for (i = 0; i < n; i++)
			column->n += value_at_best(a, i) > 0;
		column->parts = mem_alloc((column->n + 1) * sizeof *column->parts);
		for (i = column->n = 0; i < n; i++) {
			if (value_at_best(a, i) > 0)
				column->parts[column->n++] =
				    (struct area_part){(double)value_at_best(a, i), (uint32_t)i};
		}
	}
	a->open = COLUMNS;
}

/*
 * Makes each column twice as wide. Of two columns, the one with the larger sum stays. The moment
 * with the peak is never lost. The width doubles, so the number of calls grows only with the
 * logarithm of the length of the trace.
 */
static void widen_columns(struct area *a)
{
	size_t i, other;

	close_column(a);
	for (i = 0; i < COLUMNS; i += 2) {
		other = a->columns[i + 1].total > a->columns[i].total ? i : i + 1;
		free(a->columns[other].parts);
		a->columns[i / 2] = a->columns[i + i + 1 - other];
	}
	memset(a->columns + COLUMNS / 2, 0, COLUMNS / 2 * sizeof *a->columns);
	a->shift++;
}

static uint64_t column_of(const struct area *a, int64_t ts)
{
	return ((uint64_t)ts - (uint64_t)a->first) >> a->shift;
}

/*
 * The current values hold until `to`. The time from a->now to `to` does not include `to`, at which
 * the values may change. Each column that it touches compares the sum with its best moment so far.
 * A column that widen_columns() joined can be opened again: its stored moment then stays unless the
 * sum is larger.
 */
static void hold(struct area *a, int64_t to)
{
	uint64_t i;

	if (!a->begun)
		a->first = a->now = to;
	a->begun = true;
	if (to == a->now)
		return;
	while (column_of(a, to - 1) >= COLUMNS)
		widen_columns(a);
	for (i = column_of(a, a->now); i <= column_of(a, to - 1); i++) {
		if (i != a->open) {
			close_column(a);
			a->open = i;
			a->best = a->columns[i].total;
			a->better = false;
		}
		if (a->total > a->best) {
			const int64_t begin = a->first + (int64_t)(i << a->shift);

			a->best = a->total;
			a->best_ts = begin > a->now ? begin : a->now;
			a->bests++;
			a->better = true;
		}
	}
	a->now = to;
}

/*
 * Before the first change since the best moment, the old value is saved for value_at_best(). So a
 * change and a new best moment take constant time, however many series there are.
 */
static void change_series(struct area *a, size_t i, long double by)
{
	struct area_series *s = &a->series[i];

	if (s->best != a->bests)
		s->kept = s->now;
	s->best = a->bests;
	s->now += by;
	a->total += by;
}

static bool ends_before(const void *a, const void *b)
{
	return ((const struct area_end *)a)->at < ((const struct area_end *)b)->at;
}

/* Goes on to a time, which no value that ends earlier reaches. */
static void advance(struct area *a, int64_t to)
{
	while (a->n_ends && a->ends[0].at <= to) {
		hold(a, a->ends[0].at);
		change_series(a, a->ends[0].series, -a->ends[0].value);
		a->ends[0] = a->ends[--a->n_ends];
		heap_sift_down(a->ends, a->n_ends, sizeof *a->ends, ends_before);
	}
	hold(a, to);
}

/* --- records --- */

static void open_area(void *state)
{
	struct area *a = state;
	struct input *in = &a->chart->in;

	a->open = COLUMNS;
	a->bests = 1;
	opt_field(&a->end, "-f", "end");
	opt_field(&a->outside, "-f", "outside");
	input_uses(in, &a->end);
	input_uses(in, &a->outside);
}

static size_t series_of(struct area *a, struct event *e)
{
	struct chart *c = a->chart;
	size_t i;

	a->name.n = a->whole.n = 0;
	if (c->options.color.n)
		chart_series_name(c, &c->options.color, 0, e, &a->name, &a->whole);
	if (a->names.keys.n >= MOST_SERIES && map_find(&a->names.keys, buf_str(&a->name)) == MAP_NONE) {
		a->name.n = a->whole.n = 0;
		buf_lit(&a->name, "(all others)");
		buf_lit(&a->whole, "(all others)");
	}
	i = ranked_sums_add(&a->names, buf_str(&a->name), buf_str(&a->whole), 0);
	a->series = mem_grow_zero(a->series, &a->series_cap, i + 1, sizeof *a->series);
	return i;
}

/*
 * Gets the end of a record: of a record without a ts the member `end`. A record without an end lasts until the next one
 * of its series, as the value of a counter, unless it says that its end is after the trace.
 */
static bool get_end(struct area *a, struct event *e, bool timed, int64_t *end)
{
	struct value v;

	if (timed && event_get(e, EVENT_DUR).p) {
		*end = event_end(e);
		return true;
	}
	if (timed || !field_get(&a->end, e, 0, &v) || v.type != VALUE_INT)
		return false;
	*end = v.i;
	return true;
}

/* Times must be so far from the limits of int64 that their differences are exact. */
static bool is_near(int64_t ts)
{
	return ts >= INT64_MIN / 2 && ts <= INT64_MAX / 2;
}

/*
 * Adds the value of a record to its series in one of three ways: a record with an end counts until
 * then, such as a freed allocation; one whose end is after the trace counts to the end, such as an
 * allocation that was not freed; any other one replaces the last such value, as the samples of a
 * counter do.
 */
static void hold_value(struct area *a, struct event *e, bool timed, long double value)
{
	const size_t i = series_of(a, e);
	struct area_end end = {.series = i, .value = value};
	struct value v;

	if (get_end(a, e, timed, &end.at)) {
		if (timed && end.at <= e->ts)
			return;
		end.at = is_near(end.at) ? end.at : INT64_MAX / 2;
		a->ends = mem_grow(a->ends, &a->ends_cap, a->n_ends + 1, sizeof *a->ends);
		a->ends[a->n_ends++] = end;
		heap_sift_up(a->ends, a->n_ends, sizeof *a->ends, ends_before);
		change_series(a, i, value);
	} else if (field_get(&a->outside, e, 0, &v) && str_eq(v.text, STR("\"after\""))) {
		change_series(a, i, value);
	} else {
		change_series(a, i, value - a->series[i].lasting);
		a->series[i].lasting = value;
	}
}

static void add_record(void *state, struct event *e)
{
	struct area *a = state;
	struct chart *c = a->chart;
	const bool timed = event_has_time(e);
	struct value v;

	if (!chart_value(c, e, &v))
		return;
	/* A record without ts was there before the first record with one. */
	if (timed ? !is_near(e->ts) : a->begun) {
		a->untimed++;
		return;
	}
	if (chart_exact(&v) < 0) {
		c->negative++;
		return;
	}
	if (timed && !input_in_order(&c->in, e->ts))
		return;
	if (timed)
		advance(a, e->ts);
	hold_value(a, e, timed, chart_exact(&v));
}

/* --- the parts that are drawn --- */

/* Returns the column with the largest sum, of several equal ones the first. */
static size_t find_peak(const struct area *a)
{
	size_t peak = 0, i;

	for (i = 1; i < COLUMNS; i++)
		peak = a->columns[i].total > a->columns[peak].total ? i : peak;
	return peak;
}

/* Orders series by their areas, the largest first. */
static int compare_areas(const void *arg, size_t i, size_t k)
{
	const struct area_series *list = arg;

	if (list[i].area != list[k].area)
		return list[i].area < list[k].area ? 1 : -1;
	return i < k ? -1 : i > k;
}

/* Orders series by their parts of the peak, and those that have none by their areas. */
static int compare_at_peak(const void *arg, size_t i, size_t k)
{
	const struct area_series *list = arg;

	if (list[i].at_peak != list[k].at_peak)
		return list[i].at_peak < list[k].at_peak ? 1 : -1;
	return compare_areas(arg, i, k);
}

/* Measures the series. Returns the number of those that are in a column. */
static size_t measure_series(struct area *a)
{
	const size_t peak = find_peak(a);
	size_t n = 0, i, k;

	for (i = 0; i < COLUMNS; i++) {
		for (k = 0; k < a->columns[i].n; k++) {
			const struct area_part *part = &a->columns[i].parts[k];

			n += a->series[part->series].area <= 0;
			a->series[part->series].area += part->value;
			if (i == peak)
				a->series[part->series].at_peak = part->value;
		}
	}
	return n;
}

/*
 * Gives colors to the series with the largest parts of the peak. Their ranks are in the order of areas; all others have
 * one rank.
 */
static void rank_series(struct area *a)
{
	const size_t all = a->names.keys.n, n = measure_series(a);
	const uint64_t top = a->chart->options.top     ? a->chart->options.top
			     : a->chart->canvas->cells ? PARTS_CELLS
						       : PARTS;
	size_t *by_peak = order_sort(all, compare_at_peak, a->series),
	       *by_area = order_sort(all, compare_areas, a->series);
	bool *chosen = mem_zero(all + 1, sizeof *chosen);
	size_t i;

	for (i = 0; i < n && i < top; i++)
		chosen[by_peak[i]] = true;
	a->parts = chart_parts_of(&a->names, by_area, n, chosen, &a->texts);
	if (!a->chart->options.color.n && n)
		a->parts.colors[0] = COLOR_COMPUTING;
	free(by_peak);
	free(by_area);
	free(chosen);
}

/* Makes at most `most` columns with the sums of their parts. */
static void add_up_columns(struct area *a, double most)
{
	const size_t at_most = most > 1 ? (size_t)most : 1;
	size_t n, i, k;

	rank_series(a); /* before columns are lost: the page has no influence on the ranks */
	for (; (a->n_columns = (size_t)column_of(a, a->now - 1) + 1) > at_most; widen_columns(a))
		;
	n = a->parts.n + 1;
	a->sums = mem_zero(a->n_columns * n, sizeof *a->sums);
	for (i = 0; i < a->n_columns; i++) {
		const struct area_column *column = &a->columns[i];

		for (k = 0; k < column->n; k++)
			a->sums[i * n + a->parts.rank_of[column->parts[k].series] + 1] +=
			    (double)column->parts[k].value;
		for (k = 1; k < n; k++)
			a->sums[i * n + k] += a->sums[i * n + k - 1];
	}
	a->peak = find_peak(a);
}

/* Returns what a part has in a column; `rank` = parts.n: the sum. */
static double part_of(const struct area *a, size_t column, size_t rank)
{
	const double *sums = a->sums + column * (a->parts.n + 1);

	return rank == a->parts.n ? sums[rank] : sums[rank + 1] - sums[rank];
}

/* --- drawing --- */

/* Boxes begin and end at whole pixels, so that there are no gaps between them. */
static double column_edge(const struct area *a, size_t i)
{
	return round(fmin(axis_at(&a->plot.x, ldexp((double)i, a->shift)), a->plot.x.to));
}

/* Returns the place of the lower edge of a part in a column; `rank` = parts.n: of the upper edge of the last one. */
static double part_edge(const struct area *a, size_t column, size_t rank)
{
	return round(axis_at(&a->plot.y, a->sums[column * (a->parts.n + 1) + rank]));
}

/* Appends what a part has in a column, and when: "512 MB at 3.1 ms". */
static void put_moment(struct area *a, size_t column, size_t rank)
{
	display_put(&a->name, "%e at %e", &a->plot.y.unit, (long double)part_of(a, column, rank), &a->plot.x.unit,
	    (long double)int_sub(a->columns[column].ts, a->first));
}

/* Draws a part: a box for each run of columns in which it has the same place. */
static void draw_part(struct area *a, size_t rank)
{
	struct canvas *canvas = a->chart->canvas;
	struct canvas_box box;
	double bottom;
	size_t i, to;

	for (i = 0; i < a->n_columns; i = to) {
		bottom = part_edge(a, i, rank);
		box = (struct canvas_box){.x = column_edge(a, i), .y = part_edge(a, i, rank + 1)};
		for (to = i + 1;
		     to < a->n_columns && part_edge(a, to, rank) == bottom && part_edge(a, to, rank + 1) == box.y; to++)
			;
		box.w = column_edge(a, to) - box.x;
		box.h = bottom - box.y;
		if (box.h < 1)
			continue;
		a->name.n = 0;
		buf_add(&a->name, a->parts.labels[rank].whole.p, a->parts.labels[rank].whole.n);
		if (a->name.n)
			buf_char(&a->name, '\n');
		put_moment(a, i, rank);
		canvas->ops->box(canvas, box, a->parts.colors[rank], buf_str(&a->name));
	}
}

/* Marks the peak by a line, and writes its value above it. */
static void draw_peak(struct area *a)
{
	struct canvas *canvas = a->chart->canvas;
	const double x = floor((column_edge(a, a->peak) + column_edge(a, a->peak + 1)) / 2);
	const double y = part_edge(a, a->peak, a->parts.n), space = canvas->cells ? 0 : 4;
	const bool right = x > (a->plot.x.from + a->plot.x.to) / 2;

	a->name.n = 0;
	buf_lit(&a->name, "peak: ");
	put_moment(a, a->peak, a->parts.n);
	if (canvas->cells)
		canvas->ops->rule(canvas, x, y, x, a->plot.y.from, false);
	else
		canvas->ops->box(
		    canvas, (struct canvas_box){x, y - 6, 1, a->plot.y.from - y + 6}, COLOR_INK, buf_str(&a->name));
	a->name.n = 0;
	display_put(&a->name, "peak %v", &a->plot.y.unit, part_of(a, a->peak, a->parts.n));
	canvas_text(canvas, right ? x - space : x + space, y - canvas->line / 2, right ? CANVAS_END : CANVAS_START,
	    CANVAS_PLAIN, buf_str(&a->name));
}

static void put_title(struct area *a, struct buf *title)
{
	struct chart *c = a->chart;

	if (c->options.values.n)
		chart_title(c, "", title);
	else
		buf_lit(title, "Number of records at a time");
	if (c->options.color.n) {
		buf_lit(title, " by ");
		chart_key_words(c, &c->options.color, 0, title);
	}
	buf_lit(title, " over time");
}

static void draw_area_page(struct area *a, const struct page_legend *legend)
{
	struct chart *c = a->chart;
	struct canvas *canvas = c->canvas;
	const double most = (double)a->columns[a->peak].total * (canvas->cells ? 1.1 : 1.12); /* with room for a text */
	const double span = (double)int_sub(a->now, a->first);
	const struct display_unit time = display_unit_of(COLUMN_TIME, &c->options.table, span);
	const struct display_unit unit =
	    c->options.values.n ? chart_unit(c, most) : display_unit_of(COLUMN_ANY, NULL, most);
	struct buf title = {0};
	size_t i;

	a->plot = page_plot_of(canvas, legend, canvas->cells ? 20 : 360);
	page_plot_axes(canvas, &a->plot, &time, (double[]){0, span}, &unit, (double[]){0, most}, !c->options.values.n);
	put_title(a, &title);
	a->name.n = 0;
	if (c->options.values.n)
		chart_value_words(c, &a->name);
	page_plot_begin(canvas, &a->plot, legend, buf_str(&title), STR("time since the first record"),
	    a->name.n ? buf_str(&a->name) : STR("records"));
	for (i = 0; i < a->parts.n; i++)
		draw_part(a, i);
	if (a->parts.n)
		draw_peak(a);
	canvas->ops->end(canvas);
	buf_free(&title);
}

/* --marks: writes the heights of each part, and a mark at the peak. */
static void write_marks(struct area *a)
{
	const int64_t width = (int64_t)1 << a->shift;
	const double most = part_of(a, a->peak, a->parts.n);
	struct buf *to = &a->whole;
	size_t rank, i;

	for (rank = 0; rank <= a->parts.n; rank++) {
		const bool peak = rank == a->parts.n;

		chart_mark_begin(to);
		json_write_int(to, "ts", peak ? a->columns[a->peak].ts : a->first);
		json_write_int(to, "dur", peak ? (width + 3) / 4 : width * (int64_t)a->n_columns);
		json_write_text(to, "name", peak ? STR("peak") : a->parts.labels[rank].whole);
		json_write_double(to, "at_peak", part_of(a, a->peak, rank));
		json_write_double(to, "peak", most);
		json_write_int(to, "peak_ts", a->columns[a->peak].ts);
		if (!peak) {
			json_write_int(to, "others", a->parts.colors[rank] == COLOR_NONE);
			json_write_begin(to, "shares", '[');
			for (i = 0; i < a->n_columns; i++)
				json_write_double(to, NULL, round(part_of(a, i, rank) / most * 10000) / 10000);
			json_write_end(to, ']');
		}
		chart_mark_end(to, &a->chart->out);
	}
}

static bool draw_area(void *state)
{
	struct area *a = state;
	struct chart *c = a->chart;
	struct page_legend legend;

	chart_report_negative(c);
	if (a->untimed) {
		warn("%" PRIu64 " record%s without a ts on the clock of the trace not shown", a->untimed,
		    a->untimed == 1 ? "" : "s");
		c->lost = true;
	}
	if (a->names.keys.n > MOST_SERIES)
		note("only the first %d values of --color are distinguished; all others are one", MOST_SERIES);
	/* The picture ends with the last end and not with the last start. */
	while (a->n_ends)
		advance(a, a->ends[0].at);
	if (!a->begun) {
		if (c->records > c->valueless + c->negative) {
			warn("no record has a ts on the clock of the trace");
			c->lost = true;
		}
		return false;
	}
	hold(a, a->now + 1); /* what has no end is visible */
	close_column(a);
	add_up_columns(a, c->options.marks ? COLUMNS_MARKS : c->canvas->width * 0.85);
	if (c->options.marks) {
		write_marks(a);
		return true;
	}
	labels_fit(c->canvas, a->parts.labels, a->parts.n, c->canvas->width * 0.6, &a->texts);
	legend = (struct page_legend){a->parts.labels, a->parts.colors, c->options.color.n ? a->parts.n : 0, false};
	draw_area_page(a, &legend);
	return true;
}

static void close_area(void *state)
{
	struct area *a = state;
	size_t i;

	for (i = 0; i < COLUMNS; i++)
		free(a->columns[i].parts);
	field_free(&a->end);
	field_free(&a->outside);
	ranked_sums_free(&a->names);
	map_free(&a->texts);
	mem_free(a->series, a->ends, a->sums);
	chart_parts_free(&a->parts);
	bufs_free(&a->name, &a->whole);
}

const struct chart_kind chart_area = {
    .name = "area",
    .options = "field top color marks",
    .size = sizeof(struct area),
    .open = open_area,
    .add = add_record,
    .draw = draw_area,
    .close = close_area,
};

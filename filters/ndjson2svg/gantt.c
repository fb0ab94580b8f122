/* gantt: a timeline: a box for each record from ts to ts + dur, in the row of its stream, thread, depth or rank. */
#include "chart.h"
#include "ranked_sums.h"
#include "timeline_rows.h"
#include "base/err.h"
#include "base/int_math.h"
#include "json/write.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
	DEFAULT_ROWS = 1000,
	MOST_BOXES = 100000, /* with more, short boxes are joined as for JOIN_COLUMNS */
	JOIN_COLUMNS = 1000,
	PARTS = 8, /* parts that have colors if there are more than COLORS_SERIES */
	PARTS_CELLS = 6,
};

/*
 * --- boxes ---
 *
 * The time is divided into many narrow columns. If there are many boxes, short boxes of the same row and color that
 * begin in the same column are joined, so that memory is bounded.
 */

struct gantt_box {
	/* Times are doubles, which are exact for 2^53 ns: 104 days after the first record. */
	double from, to; /* ns since the first record */
	double busy;     /* the sum of the durations of its records */
	uint32_t row, part, text;
	uint32_t records; /* number of records in it */
};

struct gantt_boxes {
	struct gantt_box *list; /* after sort_boxes(): by row, start, and the longest first */
	size_t n, cap;
	double low, high; /* the first start and the last end */
	size_t most;      /* with more boxes, short boxes are joined */
};

/* Longer boxes come first, so that a box is drawn on top of the box that encloses it. */
static int compare_boxes(const void *a, const void *b)
{
	const struct gantt_box *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to > y->to ? -1 : 1;
	return x->part < y->part ? -1 : x->part > y->part ? 1 : x->text < y->text ? -1 : x->text > y->text;
}

/* By row, part and start, and so by column. */
static int compare_start(const void *a, const void *b)
{
	const struct gantt_box *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from ? 1 : x->text < y->text ? -1 : x->text > y->text;
}

/*
 * Joins short boxes of the same row and part in each column. The sort brings the candidates next to
 * each other, so one pass is enough. A box that has grown to the width of a column takes no more
 * boxes.
 */
static void join_boxes(struct gantt_boxes *b, size_t columns)
{
	const double width = b->high > b->low ? (b->high - b->low) / (double)columns : 1;
	struct gantt_box *into, *box;
	size_t i, n = 0;

	qsort(b->list, b->n, sizeof *b->list, compare_start);
	for (i = 0; i < b->n; i++) {
		box = &b->list[i];
		into = n ? &b->list[n - 1] : NULL;
		if (into && into->row == box->row && into->part == box->part && box->to - box->from < width &&
		    into->to - into->from < width &&
		    (size_t)((into->from - b->low) / width) == (size_t)((box->from - b->low) / width)) {
			into->to = box->to > into->to ? box->to : into->to;
			into->busy += box->busy;
			into->records += box->records;
		} else {
			b->list[n++] = *box;
		}
	}
	b->n = n;
}

static void add_box(struct gantt_boxes *b, const struct gantt_box *box)
{
	b->low = b->n ? fmin(b->low, box->from) : box->from;
	b->high = b->n ? fmax(b->high, box->to) : box->to;
	if (b->n >= b->most) {
		join_boxes(b, JOIN_COLUMNS);
		/*
		 * If joining removes less than half of the boxes, the limit doubles. Otherwise each new box could lead
		 * to another sort of all boxes.
		 */
		b->most = b->n > b->most / 2 ? b->most * 2 : b->most;
	}
	b->list = mem_grow(b->list, &b->cap, b->n + 1, sizeof *b->list);
	b->list[b->n++] = *box;
}

/*
 * Sorts the boxes (at least one). Joins boxes shorter than a column with the boxes of the same row and part that begin
 * in the same column of `columns`.
 */
static void sort_boxes(struct gantt_boxes *b, size_t columns)
{
	join_boxes(b, columns);
	qsort(b->list, b->n, sizeof *b->list, compare_boxes);
}

/* --- the timeline --- */

struct gantt {
	struct chart *chart;
	struct timeline_rows timeline;
	struct gantt_boxes boxes;
	struct ranked_sums parts; /* the values that have colors */
	struct map texts;         /* the texts of boxes: whole, RANKED_SUMS_BETWEEN, brief */
	int64_t origin;           /* the ts of the first record that is drawn */
	uint64_t left_out, records;
	struct buf text, whole;
	/* for drawing */
	struct chart_parts legend;
	double left, right, top, row;
	struct axis axis;
};

/*
 * Sets the defaults of --color and --label. If each record has its own row, its name is beside the
 * row, so the color can show the kind.
 */
static void open_gantt(void *state)
{
	struct gantt *g = state;
	struct chart_options *o = &g->chart->options;

	g->boxes.most = MOST_BOXES;
	timeline_rows_begin(&g->timeline, g->chart);
	if (!o->color.n) {
		opt_fields_add(&o->color, "--color", o->rows == CHART_ROWS_EACH ? "kind" : "name");
		chart_use(g->chart, &o->color.list[0]);
	}
	if (!o->labels.n) {
		opt_fields_add(&o->labels, "--label", "name");
		chart_use(g->chart, &o->labels.list[0]);
	}
}

static void add_record_box(void *state, struct event *e)
{
	struct gantt *g = state;
	struct chart *c = g->chart;
	const uint64_t most = c->options.top ? c->options.top : DEFAULT_ROWS;
	struct gantt_box box = {.records = 1};
	struct value v;
	size_t row;

	if (!chart_value(c, e, &v))
		return;
	if (!event_has_time(e)) {
		c->valueless++;
		return;
	}
	row = timeline_rows_find(&g->timeline, c, e, most);
	if (row == MAP_NONE) {
		g->left_out++;
		return;
	}
	if (!g->records++)
		g->origin = e->ts;
	box.from = (double)int_sub(e->ts, g->origin);
	box.busy = (double)int_sub(event_end(e), e->ts);
	box.to = box.from + box.busy;
	box.row = (uint32_t)row;
	g->text.n = g->whole.n = 0;
	chart_name(c, &c->options.color, 0, 1, e, false, &g->text);
	chart_name(c, &c->options.color, 0, 1, e, true, &g->whole);
	box.part = (uint32_t)ranked_sums_add(&g->parts, buf_str(&g->text), buf_str(&g->whole), box.busy);
	g->text.n = 0;
	chart_name(c, &c->options.labels, 0, c->options.labels.n, e, true, &g->text);
	buf_char(&g->text, RANKED_SUMS_BETWEEN);
	chart_name(c, &c->options.labels, 0, c->options.labels.n, e, false, &g->text);
	box.text = (uint32_t)map_put(&g->texts, buf_str(&g->text));
	add_box(&g->boxes, &box);
}

/* Returns the text of a box: its whole and its short form. */
static struct label box_label(const struct gantt *g, const struct gantt_box *box)
{
	const struct str both = map_key(&g->texts, box->text);

	return (struct label){.whole = ranked_sums_first(both), .brief = ranked_sums_last(both)};
}

/* --- rows --- */

/* Sets the names of the rows, and for each box the row in which it is drawn. A row of one record has its name. */
static void name_rows(struct gantt *g)
{
	size_t i;

	timeline_rows_sort(&g->timeline, false);
	for (i = 0; i < g->boxes.n; i++) {
		struct gantt_box *box = &g->boxes.list[i];

		box->row = (uint32_t)g->timeline.position[box->row];
		if (g->chart->options.rows == CHART_ROWS_EACH)
			g->timeline.labels[box->row] = box_label(g, box);
	}
}

/* --- colors --- */

/* Sets the legend, and colors for the parts with most time. If there are few parts, all have colors. */
static void choose_colors(struct gantt *g)
{
	const size_t n = g->parts.keys.n, most = n <= COLORS_SERIES ? n : g->chart->canvas->cells ? PARTS_CELLS : PARTS;
	size_t *order = ranked_sums_order(&g->parts), i;
	bool *chosen = mem_zero(n, sizeof *chosen);

	for (i = 0; i < most; i++)
		chosen[order[i]] = true;
	g->legend = chart_parts_of(&g->parts, order, n, chosen, &g->texts);
	free(order);
	free(chosen);
}

/* --- drawing --- */

static void put_tip(struct gantt *g, const struct gantt_box *box)
{
	const struct str name = box_label(g, box).whole;
	struct buf *to = &g->text;

	to->n = 0;
	buf_add(to, name.p, name.n);
	if (box->records > 1) {
		buf_char(to, ' ');
		chart_others(to, box->records - 1);
	}
	display_put(to, "\n%e at %e", &g->axis.unit, (long double)box->busy, &g->axis.unit,
	    (long double)(box->from - g->boxes.low));
}

/*
 * Draws a box, and its text if it fits before the next box of the row begins, at `next`. A short
 * box has a minimum width, so that it can be seen. A box of several records has no text, because it
 * has no single name, and neither has a box whose name is beside its row.
 */
static void draw_box(struct gantt *g, const struct gantt_box *box, double next)
{
	struct canvas *canvas = g->chart->canvas;
	const double x = axis_at(&g->axis, box->from - g->boxes.low), end = axis_at(&g->axis, box->to - g->boxes.low);
	const double y = g->top + g->row * box->row, wide = fmax(end - x, canvas->cells ? 0.3 : 0.8);
	const double room = fmin(wide, axis_at(&g->axis, next - g->boxes.low) - x) - 6;

	put_tip(g, box);
	canvas->ops->box(canvas,
	    (struct canvas_box){x, canvas->cells ? y : y + g->row * 0.1, wide, canvas->cells ? 1 : g->row * 0.8},
	    g->legend.colors[g->legend.rank_of[box->part]], buf_str(&g->text));
	if (canvas->cells || g->chart->options.rows == CHART_ROWS_EACH || room < 12 || box->records > 1)
		return;
	g->text.n = 0;
	label_cut_inside(canvas, &g->text, box_label(g, box).brief, room);
	if (g->text.n)
		canvas->ops->text(canvas, (struct canvas_point){x + 3, y + g->row / 2, CANVAS_START}, CANVAS_INSIDE,
		    g->legend.colors[g->legend.rank_of[box->part]], buf_str(&g->text));
}

static void draw_gantt_page(struct gantt *g)
{
	struct chart *c = g->chart;
	struct canvas *canvas = c->canvas;
	const double span = g->boxes.high - g->boxes.low;
	const struct display_unit time = display_unit_of(COLUMN_TIME, &c->options.table, span);
	struct page_legend legend = {g->legend.labels, g->legend.colors, g->legend.n, false};
	static const char *const words[] = {
	    " by stream", " by thread", " by depth of the call", " in the order read", " by rank"};
	const size_t n_rows = g->timeline.n;
	const struct gantt_box *list;
	struct buf title = {0};
	double rest, bottom;
	size_t i;

	labels_fit(canvas, g->timeline.labels, n_rows, floor(canvas->width * 0.36), &g->texts);
	labels_fit(canvas, g->legend.labels, g->legend.n, floor(canvas->width * 0.6), &g->texts);
	g->top = page_top(canvas) + canvas->line;
	rest = g->top + axis_height(canvas) + page_legend_height(canvas, &legend) + canvas->margin / 2;
	g->row = page_row(canvas, n_rows, canvas->cells ? 1 : n_rows > 40 ? 18 : 26, rest);
	g->left = canvas->margin + labels_widest(canvas, g->timeline.labels, n_rows) + canvas->space;
	g->right = canvas->width - 2 * canvas->margin;
	g->axis = axis_of(&time, 0, span, g->left, g->right, axis_room(canvas, &time, 0, span), time.per == 1);
	bottom = g->top + g->row * (double)n_rows;
	/*
	 * The columns in which boxes are joined are those of the plot, whose width is known only
	 * now.
	 */
	sort_boxes(&g->boxes, (size_t)fmax(g->right - g->left, 1));
	if (g->boxes.n < g->records)
		note("%" PRIu64
		     " records are drawn as %zu boxes: short records of a row and color share a column of pixels",
		    g->records, g->boxes.n);
	display_put(
	    &title, g->records == 1 ? "%i record%t" : "%i records%t", (double)g->records, words[c->options.rows]);
	page_begin(canvas, rest + g->row * (double)n_rows, buf_str(&title));
	page_legend_draw(canvas, &legend, bottom + axis_height(canvas));
	axis_draw_across(canvas, &g->axis, g->top, bottom, STR("time since the first record"), true);
	for (i = 0; i < n_rows; i++)
		canvas_text(canvas, g->left - canvas->space, g->top + g->row * ((double)i + 0.5), CANVAS_END,
		    CANVAS_PLAIN, g->timeline.labels[i].shown);
	list = g->boxes.list;
	for (i = 0; i < g->boxes.n; i++)
		draw_box(
		    g, &list[i], i + 1 < g->boxes.n && list[i + 1].row == list[i].row ? list[i + 1].from : INFINITY);
	canvas->ops->end(canvas);
	buf_free(&title);
}

/* --marks: writes the boxes. ts and dur are from the first start to the last end of the records in a box. */
static void write_marks(struct gantt *g)
{
	size_t i;

	name_rows(g);
	sort_boxes(&g->boxes, CHART_MARKS_COLUMNS);
	for (i = 0; i < g->boxes.n; i++) {
		const struct gantt_box *box = &g->boxes.list[i];

		chart_mark_begin(&g->text);
		json_write_int(&g->text, "ts", int_add(g->origin, (int64_t)box->from));
		json_write_int(&g->text, "dur", (int64_t)(box->to - box->from));
		json_write_text(&g->text, "name", box_label(g, box).whole);
		json_write_text(&g->text, "lane", g->timeline.labels[box->row].whole);
		json_write_int(&g->text, "count", box->records);
		json_write_int(&g->text, "busy", (int64_t)box->busy);
		chart_mark_end(&g->text, &g->chart->out);
	}
}

static bool draw_gantt(void *state)
{
	struct gantt *g = state;

	chart_report_rows(g->chart, g->left_out);
	if (!g->boxes.n)
		return false;
	if (g->chart->options.marks) {
		write_marks(g);
		return true;
	}
	choose_colors(g);
	name_rows(g);
	draw_gantt_page(g);
	return true;
}

static void close_gantt(void *state)
{
	struct gantt *g = state;

	timeline_rows_free(&g->timeline);
	free(g->boxes.list);
	ranked_sums_free(&g->parts);
	map_free(&g->texts);
	chart_parts_free(&g->legend);
	bufs_free(&g->text, &g->whole);
}

const struct chart_kind chart_gantt = {
    .name = "gantt",
    .options = "top rows label color marks",
    .size = sizeof(struct gantt),
    .open = open_gantt,
    .add = add_record_box,
    .draw = draw_gantt,
    .close = close_gantt,
};

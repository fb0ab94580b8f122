/*
 * stacked: a bar for each group, with the parts of the group in percent. With --facet, a panel for each value of a
 * field.
 */
#include "stacked_private.h"

#include <math.h>
#include <stdlib.h>

static void *open_stacked(struct chart *chart)
{
	struct stacked *s = mem_zero(1, sizeof *s);

	s->chart = chart;
	return s;
}

static struct str view(const struct buf *b)
{
	return (struct str){b->p, b->n};
}

/*
 * With one key, all records are one group. With several keys, the first is the group, and the others are the part. A
 * report of several levels has all keys only in the records of its last level.
 */
static void take(void *state, struct event *e)
{
	struct stacked *s = state;
	struct chart *c = s->chart;
	struct opt_fields *keys = &c->options.keys;
	const size_t first = keys->n > 1;
	struct value v;

	if (chart_is_subtotal(c, e) || !chart_value(c, e, &v))
		return;
	if (chart_exact(&v) <= 0) {
		s->negative += chart_exact(&v) < 0;
		return;
	}
	s->key.n = s->whole.n = s->part.n = 0;
	if (c->options.facet.n)
		chart_name(c, &c->options.facet, 0, 1, e, false, &s->key);
	sums_add(&s->panels, view(&s->key), STR(""), chart_exact(&v));
	buf_char(&s->key, SUMS_BETWEEN);
	chart_name(c, keys, 0, first, e, false, &s->key);
	chart_name(c, keys, 0, first, e, true, &s->whole);
	sums_add(&s->groups, view(&s->key), view(&s->whole), chart_exact(&v));
	chart_name(c, keys, first, keys->n, e, false, &s->part);
	s->whole.n = 0;
	chart_name(c, keys, first, keys->n, e, true, &s->whole);
	sums_add(&s->parts, view(&s->part), view(&s->whole), chart_exact(&v));
	buf_char(&s->key, SUMS_BETWEEN);
	buf_add(&s->key, s->part.p, s->part.n);
	sums_add(&s->cells, view(&s->key), STR(""), chart_exact(&v));
}

/* --- drawing --- */

struct stacked_page {
	double left, right, row;
	struct measure measure;
	struct buf text;
};

/* Writes the share in a part of a bar, and the name of the part if there is room. */
static void write_inside(
    struct stacked *s, struct canvas_box box, enum colour colour, struct str share, struct str name)
{
	struct canvas *canvas = s->chart->canvas;
	const double room = box.w - canvas->space;
	const struct canvas_place at = {box.x + box.w / 2, box.y + box.h / 2, CANVAS_MIDDLE};
	struct buf text = {0};

	if (canvas->cells || canvas_width(canvas, share, CANVAS_INSIDE) > room)
		return;
	buf_add(&text, share.p, share.n);
	buf_lit(&text, "  ");
	buf_add(&text, name.p, name.n);
	if (canvas_width(canvas, view(&text), CANVAS_INSIDE) > room)
		text.n = share.n;
	canvas->ops->text(canvas, at, CANVAS_INSIDE, colour, view(&text));
	buf_free(&text);
}

/* Sets the names of a part of a bar: the parts without a colour are named if the bar has only one of them. */
static void name_part(
    struct stacked *s, const struct stacked_row *row, size_t rank, struct str *name, struct str *whole)
{
	*name = s->legend[rank].shown;
	*whole = s->legend[rank].whole;
	if (s->colours[rank] != COLOUR_NONE || !row->grey)
		return;
	s->part.n = 0;
	chart_others(&s->part, row->grey);
	*name = *whole = view(&s->part);
	if (row->grey > 1)
		return;
	*name = map_key(&s->parts.keys, row->grey_part);
	*whole = sums_whole(&s->parts, row->grey_part, *name);
}

static void draw_parts(struct stacked *s, struct stacked_page *p, const struct stacked_row *row, double y)
{
	struct canvas *canvas = s->chart->canvas;
	const double thick = canvas->cells ? 1 : p->row * 0.78, width = p->right - p->left;
	struct str name, whole;
	struct canvas_box box = {p->left, y + (p->row - thick) / 2, 0, thick};
	double part;
	size_t i, n;

	for (i = 0; i < s->n_ranks; i++) {
		if (row->by_rank[i] <= 0)
			continue;
		part = (double)(row->by_rank[i] / row->value);
		name_part(s, row, i, &name, &whole);
		p->text.n = 0;
		measure_put_share(&p->text, (double)row->by_rank[i], (double)row->value);
		n = p->text.n;
		buf_lit(&p->text, " of ");
		buf_add(&p->text, row->label.whole.p, row->label.whole.n);
		buf_lit(&p->text, "\n");
		buf_add(&p->text, whole.p, whole.n);
		buf_lit(&p->text, "\n");
		measure_put_exact(&p->text, &p->measure, row->by_rank[i]);
		box.w = width * part;
		canvas->ops->box(canvas, box, s->colours[i], view(&p->text));
		write_inside(s, box, s->colours[i], str_head(view(&p->text), n), name);
		box.x += box.w;
	}
}

static void draw_row(
    struct stacked *s, struct stacked_page *p, const struct stacked_row *row, struct str name, double y)
{
	struct canvas *canvas = s->chart->canvas;
	const double middle = y + p->row / 2;

	if (row->heading) {
		canvas_text(canvas, canvas->margin, middle, CANVAS_START, CANVAS_PLAIN, name);
		return;
	}
	draw_parts(s, p, row, y);
	canvas_text(canvas, p->left - canvas->space, middle, CANVAS_END, CANVAS_PLAIN, name);
	p->text.n = 0;
	measure_put(&p->text, &p->measure, (double)row->value);
	canvas_text(canvas, p->right + canvas->space, middle, CANVAS_START, CANVAS_SOFT, view(&p->text));
}

/* Returns the names of the rows, and sets the left and right limits of the bars. */
static struct label *place(struct stacked *s, struct stacked_page *p, struct buf *room)
{
	struct canvas *canvas = s->chart->canvas;
	struct label *labels = mem_alloc((s->n_rows ? s->n_rows : 1) * sizeof *labels);
	double values = 0;
	size_t i;

	for (i = 0; i < s->n_rows; i++) {
		labels[i] = s->rows[i].label;
		p->text.n = 0;
		measure_put(&p->text, &p->measure, (double)s->rows[i].value);
		values = fmax(values, canvas_width(canvas, view(&p->text), CANVAS_SOFT));
	}
	labels_fit(canvas, labels, s->n_rows, floor(canvas->width * 0.36), room);
	labels_fit(canvas, s->legend, s->n_ranks, floor(canvas->width * 0.6), room + 1);
	p->left = canvas->margin + labels_widest(canvas, labels, s->n_rows) + canvas->space;
	p->right = canvas->width - canvas->margin - values - canvas->space;
	return labels;
}

static void draw_page(struct stacked *s, struct str title, struct str axis_words)
{
	struct chart *c = s->chart;
	struct canvas *canvas = c->canvas;
	const struct measure percent = measure_of(COLUMN_SHARE, NULL, NULL, 1);
	struct chart_legend legend = {s->legend, s->colours, s->n_ranks, false};
	struct stacked_page p = {.row = 0};
	struct buf room[2] = {{0}, {0}};
	struct label *labels;
	struct axis axis;
	double top = chart_top(c), rest, bottom, most = 0;
	size_t i;

	for (i = 0; i < s->n_rows; i++)
		most = fmax(most, (double)s->rows[i].value);
	p.measure = chart_measure(c, most);
	labels = place(s, &p, room);
	rest = top + axis_height(canvas) + chart_legend_height(c, &legend) + canvas->margin / 2;
	p.row = chart_row(c, s->n_rows, canvas->cells ? 1 : s->n_rows > 40 ? 18 : 26, rest);
	bottom = top + p.row * (double)s->n_rows;
	axis = axis_of(&percent, 0, 1, p.left, p.right, axis_room(canvas, &percent, 0, 1), false);
	chart_begin(c, rest + p.row * (double)s->n_rows, title);
	chart_legend_draw(c, &legend, bottom + axis_height(canvas));
	axis_draw_across(canvas, &axis, top, bottom, axis_words, false);
	for (i = 0; i < s->n_rows; i++)
		draw_row(s, &p, &s->rows[i], labels[i].shown, top + p.row * (double)i);
	canvas->ops->end(canvas);
	free(labels);
	buf_free(&room[0]);
	buf_free(&room[1]);
	buf_free(&p.text);
}

static void draw(void *state)
{
	struct stacked *s = state;
	struct chart *c = s->chart;
	struct opt_fields *keys = &c->options.keys;
	struct buf title = {0}, axis = {0};

	chart_report_negative(s->negative);
	if (!s->parts.keys.n) {
		chart_nothing(c);
		return;
	}
	stacked_add_rows(s);
	stacked_choose_parts(s);
	chart_title(c, " by ", &title);
	buf_lit(&axis, "share of ");
	chart_value_words(c, &axis);
	if (keys->n > 1) {
		buf_lit(&axis, " of each ");
		chart_key_words(c, keys, 0, &axis);
	}
	draw_page(s, view(&title), view(&axis));
	buf_free(&title);
	buf_free(&axis);
}

static void close_stacked(void *state)
{
	struct stacked *s = state;
	size_t i;

	for (i = 0; i < s->n_rows; i++)
		free(s->rows[i].by_rank);
	free(s->rows);
	free(s->row_of);
	free(s->rank_of);
	free(s->legend);
	free(s->colours);
	sums_free(&s->panels);
	sums_free(&s->groups);
	sums_free(&s->cells);
	sums_free(&s->parts);
	map_free(&s->texts);
	buf_free(&s->key);
	buf_free(&s->whole);
	buf_free(&s->part);
	free(s);
}

const struct chart_kind chart_stacked = {
    .name = "stacked",
    .help = "the parts of groups, in percent",
    .options = "field group top bars facet",
    .values = "dur_sum,dur",
    .keys = "name",
    .open = open_stacked,
    .take = take,
    .draw = draw,
    .close = close_stacked,
};

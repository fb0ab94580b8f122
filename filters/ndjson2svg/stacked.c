/*
 * stacked: a bar for each group, with the parts of the group in percent. With --facet, a panel for each value of a
 * field.
 */
#include "chart.h"
#include "ranked_sums.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>

enum { DEFAULT_BARS = 20 };

enum {
	PARTS = 8,       /* default number of parts */
	PARTS_MOST = 16, /* default number of parts if further parts are large in their bars */
	PARTS_CELLS = 6, /* both for a terminal, which has few characters */
	PARTS_CELLS_MOST = 15,
	LARGE = 20, /* a part is large if it is at least 1 / LARGE of its bar */
};

/* A bar, or the title of a panel. */
struct stacked_row {
	struct label label;
	bool heading;
	size_t others; /* number of groups in this bar, if it stands for several */
	size_t grey;   /* number of parts without a color, and the last of them */
	size_t grey_part;
	long double value;
	long double *by_rank;
};

struct stacked {
	struct chart *chart;
	struct ranked_sums panels, groups, cells; /* keys: panel; panel, group; panel, group, part */
	struct ranked_sums parts;
	struct buf key, whole, part;
	/* for drawing */
	struct chart_parts ranks;
	struct stacked_row *rows;
	size_t n_rows, cap_rows;
	size_t *row_of; /* the row of each group */
	struct map texts;
	double left, right, row;
	struct display_unit unit;
};

/*
 * With one key, all records are one group. With several keys, the first is the group, and the others are the part. A
 * report of several levels has all keys only in the records of its last level.
 */
static void add_layer(void *state, struct event *e)
{
	struct stacked *s = state;
	struct chart *c = s->chart;
	struct opt_fields *keys = &c->options.keys;
	const size_t first = keys->n > 1;
	long double value;

	if (chart_is_subtotal(c, e) || !chart_positive(c, e, &value))
		return;
	s->key.n = s->whole.n = s->part.n = 0;
	if (c->options.facet.n)
		chart_name(c, &c->options.facet, 0, 1, e, false, &s->key);
	ranked_sums_add(&s->panels, buf_str(&s->key), STR(""), value);
	buf_char(&s->key, RANKED_SUMS_BETWEEN);
	chart_name(c, keys, 0, first, e, false, &s->key);
	chart_name(c, keys, 0, first, e, true, &s->whole);
	ranked_sums_add(&s->groups, buf_str(&s->key), buf_str(&s->whole), value);
	chart_name(c, keys, first, keys->n, e, false, &s->part);
	s->whole.n = 0;
	chart_name(c, keys, first, keys->n, e, true, &s->whole);
	ranked_sums_add(&s->parts, buf_str(&s->part), buf_str(&s->whole), value);
	buf_char(&s->key, RANKED_SUMS_BETWEEN);
	buf_add(&s->key, s->part.p, s->part.n);
	ranked_sums_add(&s->cells, buf_str(&s->key), STR(""), value);
}

/* --- the bars that are drawn --- */

static struct stacked_row *add_row(struct stacked *s, struct label label)
{
	s->rows = mem_grow(s->rows, &s->cap_rows, s->n_rows + 1, sizeof *s->rows);
	s->rows[s->n_rows] = (struct stacked_row){.label = label};
	return &s->rows[s->n_rows++];
}

/* Adds the bars of a panel: the largest groups, and one for all others. */
static void add_bars(struct stacked *s, const size_t *order, struct str panel)
{
	const uint64_t most = s->chart->options.bars ? s->chart->options.bars : DEFAULT_BARS;
	struct stacked_row *others = NULL;
	uint64_t bars = 0;
	size_t i;

	for (i = 0; i < s->groups.keys.n; i++) {
		if (!str_eq(ranked_sums_first(map_key(&s->groups.keys, order[i])), panel))
			continue;
		if (bars++ < most)
			add_row(s, ranked_sums_label(&s->groups, order[i]));
		else if (!others)
			others = add_row(s, (struct label){.brief = {NULL, 0}});
		if (others)
			others->others++;
		s->row_of[order[i]] = s->n_rows - 1;
	}
	if (others)
		others->label = chart_others_label(&s->texts, others->others);
}

/* Adds the rows: for each panel its title and its largest groups, and one row for its other groups. */
static void add_rows(struct stacked *s)
{
	size_t *panels = ranked_sums_order(&s->panels), *groups = ranked_sums_order(&s->groups), i;
	struct buf text = {0};

	s->row_of = mem_alloc((s->groups.keys.n ? s->groups.keys.n : 1) * sizeof *s->row_of);
	for (i = 0; i < s->panels.keys.n; i++) {
		const struct str panel = map_key(&s->panels.keys, panels[i]);

		if (s->chart->options.facet.n) {
			chart_key_words(s->chart, &s->chart->options.facet, 0, &text);
			display_put(&text, " %s", panel);
			add_row(s, (struct label){.brief = labels_store(&s->texts, &text), .whole = panel})->heading =
			    true;
		}
		add_bars(s, groups, panel);
	}
	mem_free(panels, groups);
	buf_free(&text);
}

/* --- the parts that have colors --- */

/* A part of a bar. */
struct stacked_part {
	size_t row, part;
	long double value;
};

struct stacked_parts {
	struct stacked *s;
	struct stacked_part *list; /* sorted by bar; in a bar, the largest part first */
	size_t n;
};

static int compare_parts(const void *a, const void *b)
{
	const struct stacked_part *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return x->part < y->part ? -1 : x->part > y->part;
}

static int compare_rows(const void *arg, size_t a, size_t b)
{
	const struct stacked_row *rows = arg;

	if (rows[a].value != rows[b].value)
		return rows[a].value < rows[b].value ? 1 : -1;
	return a < b ? -1 : a > b;
}

/* Sums the cells by bar and part, because a bar can stand for several groups, and sets the sums of the bars. */
static struct stacked_parts add_up_parts(struct stacked *s)
{
	struct stacked_parts p = {.s = s, .list = mem_alloc(s->cells.keys.n * sizeof *p.list)};
	struct map seen = {0};
	size_t k;

	for (k = 0; k < s->cells.keys.n; k++) {
		const struct str key = map_key(&s->cells.keys, k);
		const size_t pair[] = {s->row_of[map_find(&s->groups.keys, ranked_sums_first(key))],
		    map_find(&s->parts.keys, ranked_sums_last(key))};
		const size_t i = map_put(&seen, (struct str){(const char *)pair, sizeof pair});

		if (i == p.n)
			p.list[p.n++] = (struct stacked_part){pair[0], pair[1], 0};
		p.list[i].value += s->cells.list[k].value;
		s->rows[pair[0]].value += s->cells.list[k].value;
	}
	map_free(&seen);
	qsort(p.list, p.n, sizeof *p.list, compare_parts);
	return p;
}

/* Marks the parts that have colors in `chosen`. */
static void choose_in_turns(const struct stacked_parts *p, size_t few, size_t most, bool *chosen)
{
	const struct stacked_row *rows = p->s->rows;
	size_t *begin = mem_zero(p->s->n_rows + 1, sizeof *begin), n_chosen = 0, turn, i;
	size_t *order = order_sort(p->s->n_rows, compare_rows, rows);
	bool more = true;

	/* The parts of bar i are p->list[begin[i]] to p->list[begin[i + 1] - 1]. */
	for (i = 0; i < p->n; i++)
		begin[p->list[i].row + 1]++;
	for (i = 0; i < p->s->n_rows; i++)
		begin[i + 1] += begin[i];
	for (turn = 0; more && n_chosen < most; turn++) {
		more = false;
		for (i = 0; i < p->s->n_rows && n_chosen < most; i++) {
			const size_t at = begin[order[i]] + turn;
			const struct stacked_part *part = at < begin[order[i] + 1] ? &p->list[at] : NULL;

			if (!part)
				continue;
			more = true;
			/* After `few` parts, only parts that are large in their bar get one of the further colors. */
			if (chosen[part->part] || (n_chosen >= few && part->value * LARGE < rows[order[i]].value))
				continue;
			chosen[part->part] = true;
			n_chosen++;
		}
	}
	mem_free(begin, order);
}

/*
 * Chooses the parts that have colors, and sets the legend and the values of the rows. In turns, each bar chooses its
 * largest part, then its second largest part, and so on, so that no bar is grey because its parts are small in other
 * bars.
 */
static void choose_parts(struct stacked *s)
{
	const uint64_t top = s->chart->options.top;
	const size_t n = s->parts.keys.n, limit = top < SIZE_MAX ? (size_t)top : SIZE_MAX;
	size_t *order = ranked_sums_order(&s->parts), i;
	bool *chosen = mem_zero(n, sizeof *chosen);
	struct stacked_parts p = add_up_parts(s);

	if (top)
		choose_in_turns(&p, limit, limit, chosen);
	else if (s->chart->canvas->cells)
		choose_in_turns(&p, PARTS_CELLS, PARTS_CELLS_MOST, chosen);
	else
		choose_in_turns(&p, PARTS, PARTS_MOST, chosen);
	s->ranks = chart_parts_of(&s->parts, order, n, chosen, &s->texts);
	for (i = 0; i < s->n_rows; i++)
		s->rows[i].by_rank = mem_zero(s->ranks.n, sizeof *s->rows[i].by_rank);
	for (i = 0; i < p.n; i++) {
		struct stacked_row *row = &s->rows[p.list[i].row];

		row->by_rank[s->ranks.rank_of[p.list[i].part]] += p.list[i].value;
		if (!chosen[p.list[i].part]) {
			row->grey++;
			row->grey_part = p.list[i].part;
		}
	}
	mem_free(order, chosen, p.list);
}

/* --- drawing --- */

/* Writes the share in a part of a bar, and the name of the part if there is room. */
static void write_inside(struct stacked *s, struct canvas_box box, enum color color, struct str share, struct str name)
{
	struct canvas *canvas = s->chart->canvas;
	const double room = box.w - canvas->space;
	const struct canvas_point at = {box.x + box.w / 2, box.y + box.h / 2, CANVAS_MIDDLE};
	struct buf text = {0};

	if (canvas->cells || canvas_width(canvas, share, CANVAS_INSIDE) > room)
		return;
	display_put(&text, "%s  %s", share, name);
	if (canvas_width(canvas, buf_str(&text), CANVAS_INSIDE) > room)
		text.n = share.n;
	canvas->ops->text(canvas, at, CANVAS_INSIDE, color, buf_str(&text));
	buf_free(&text);
}

static void draw_parts(struct stacked *s, const struct stacked_row *row, double y)
{
	struct canvas *canvas = s->chart->canvas;
	const double thick = canvas->cells ? 1 : s->row * 0.78, width = s->right - s->left;
	struct canvas_box box = {s->left, y + (s->row - thick) / 2, 0, thick};
	struct str name, whole;
	struct label grey;
	size_t i, n;

	for (i = 0; i < s->ranks.n; i++) {
		if (row->by_rank[i] <= 0)
			continue;
		name = s->ranks.labels[i].shown;
		whole = s->ranks.labels[i].whole;
		if (s->ranks.colors[i] == COLOR_NONE && row->grey) { /* named if the bar has only one of them */
			grey = row->grey > 1 ? chart_others_label(&s->texts, row->grey)
					     : ranked_sums_label(&s->parts, row->grey_part);
			name = grey.brief;
			whole = grey.whole;
		}
		s->part.n = 0;
		display_put(&s->part, "%p", (double)row->by_rank[i], (double)row->value);
		n = s->part.n;
		display_put(&s->part, " of %s\n%s\n%e", row->label.whole, whole, &s->unit, row->by_rank[i]);
		box.w = width * (double)(row->by_rank[i] / row->value);
		canvas->ops->box(canvas, box, s->ranks.colors[i], buf_str(&s->part));
		write_inside(s, box, s->ranks.colors[i], str_head(buf_str(&s->part), n), name);
		box.x += box.w;
	}
}

static void draw_row(struct stacked *s, const struct stacked_row *row, struct str name, double y)
{
	struct canvas *canvas = s->chart->canvas;
	const double middle = y + s->row / 2;

	if (row->heading) {
		canvas_text(canvas, canvas->margin, middle, CANVAS_START, CANVAS_PLAIN, name);
		return;
	}
	draw_parts(s, row, y);
	canvas_text(canvas, s->left - canvas->space, middle, CANVAS_END, CANVAS_PLAIN, name);
	s->part.n = 0;
	display_put(&s->part, "%v", &s->unit, (double)row->value);
	canvas_text(canvas, s->right + canvas->space, middle, CANVAS_START, CANVAS_SOFT, buf_str(&s->part));
}

static void draw_stacked_page(struct stacked *s, struct str title, struct str axis_words)
{
	struct chart *c = s->chart;
	struct canvas *canvas = c->canvas;
	const struct display_unit percent = display_unit_of(COLUMN_SHARE, NULL, 1);
	struct page_legend legend = {s->ranks.labels, s->ranks.colors, s->ranks.n, false};
	struct label *labels = mem_alloc((s->n_rows ? s->n_rows : 1) * sizeof *labels);
	struct axis axis;
	double top = page_top(canvas), rest, bottom, most = 0, values = 0;
	size_t i;

	for (i = 0; i < s->n_rows; i++)
		most = fmax(most, (double)s->rows[i].value);
	s->unit = chart_unit(c, most);
	for (i = 0; i < s->n_rows; i++) {
		labels[i] = s->rows[i].label;
		s->part.n = 0;
		display_put(&s->part, "%v", &s->unit, (double)s->rows[i].value);
		values = fmax(values, canvas_width(canvas, buf_str(&s->part), CANVAS_SOFT));
	}
	labels_fit(canvas, labels, s->n_rows, floor(canvas->width * 0.36), &s->texts);
	labels_fit(canvas, s->ranks.labels, s->ranks.n, floor(canvas->width * 0.6), &s->texts);
	s->left = canvas->margin + labels_widest(canvas, labels, s->n_rows) + canvas->space;
	s->right = canvas->width - canvas->margin - values - canvas->space;
	rest = top + axis_height(canvas) + page_legend_height(canvas, &legend) + canvas->margin / 2;
	s->row = page_row(canvas, s->n_rows, canvas->cells ? 1 : s->n_rows > 40 ? 18 : 26, rest);
	bottom = top + s->row * (double)s->n_rows;
	axis = axis_of(&percent, 0, 1, s->left, s->right, axis_room(canvas, &percent, 0, 1), false);
	page_begin(canvas, rest + s->row * (double)s->n_rows, title);
	page_legend_draw(canvas, &legend, bottom + axis_height(canvas));
	axis_draw_across(canvas, &axis, top, bottom, axis_words, false);
	for (i = 0; i < s->n_rows; i++)
		draw_row(s, &s->rows[i], labels[i].shown, top + s->row * (double)i);
	canvas->ops->end(canvas);
	free(labels);
}

static bool draw_stacks(void *state)
{
	struct stacked *s = state;
	struct chart *c = s->chart;
	struct opt_fields *keys = &c->options.keys;
	struct buf title = {0}, axis = {0};

	chart_report_negative(s->chart);
	if (!s->parts.keys.n)
		return false;
	add_rows(s);
	choose_parts(s);
	chart_title(c, " by ", &title);
	buf_lit(&axis, "share of ");
	chart_value_words(c, &axis);
	if (keys->n > 1) {
		buf_lit(&axis, " of each ");
		chart_key_words(c, keys, 0, &axis);
	}
	draw_stacked_page(s, buf_str(&title), buf_str(&axis));
	bufs_free(&title, &axis);
	return true;
}

static void close_stacked(void *state)
{
	struct stacked *s = state;
	size_t i;

	for (i = 0; i < s->n_rows; i++)
		free(s->rows[i].by_rank);
	free(s->rows);
	free(s->row_of);
	chart_parts_free(&s->ranks);
	ranked_sums_free(&s->panels);
	ranked_sums_free(&s->groups);
	ranked_sums_free(&s->cells);
	ranked_sums_free(&s->parts);
	map_free(&s->texts);
	bufs_free(&s->key, &s->whole, &s->part);
}

const struct chart_kind chart_stacked = {
    .name = "stacked",
    .options = "field group top bars facet",
    .values = "dur_sum,dur",
    .keys = "name",
    .size = sizeof(struct stacked),
    .add = add_layer,
    .draw = draw_stacks,
    .close = close_stacked,
};

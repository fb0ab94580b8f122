/* share: the parts of a whole, as a ring or bars; with two keys, as two rings: groups inside, their parts outside. */
#include "picture/bars.h"
#include "chart.h"
#include "ranked_sums.h"

#include <math.h>
#include <stdlib.h>

enum { DEFAULT_TOP = 8, DEFAULT_TOP_PARTS = 5 };

struct share_chart {
	struct chart *chart;
	struct ranked_sums groups; /* by the first key */
	struct ranked_sums parts;  /* by both keys, if there are two */
	struct buf key, whole;
	long double total;
};

/* A part that is drawn: one sum, or the sum of all that are not shown. */
struct slice {
	struct label label;
	long double value;
	enum color color;
	int level;       /* 0: of the whole, 1: of the group before it */
	double from, to; /* shares of the circle */
	struct str tip, note;
};

struct slices {
	struct slice *list;
	size_t n, cap;
	struct map texts; /* the texts of slices */
	struct color_use use;
	struct map named; /* the names of parts, of which equal ones have the same color */
	enum color *colors;
	size_t colors_cap;
};

static void open_share(void *state)
{
	const struct share_chart *s = state;

	if (s->chart->options.keys.n > 2)
		opt_invalid("-g", str_of("three or more keys"), "one or two keys");
}

static void add_part(void *state, struct event *e)
{
	struct share_chart *s = state;
	struct chart *c = s->chart;
	struct opt_fields *keys = &c->options.keys;
	long double value;
	size_t i;

	if (chart_is_subtotal(c, e) || !chart_positive(c, e, &value))
		return;
	s->total += value;
	s->key.n = 0;
	for (i = 0; i < keys->n; i++) {
		s->whole.n = 0;
		if (i)
			buf_char(&s->key, RANKED_SUMS_BETWEEN);
		chart_series_name(c, keys, i, e, &s->key, &s->whole);
		ranked_sums_add(i ? &s->parts : &s->groups, buf_str(&s->key), buf_str(&s->whole), value);
	}
}

static void add_slice(struct slices *to, struct label label, long double value, enum color color, int level)
{
	to->list = mem_grow(to->list, &to->cap, to->n + 1, sizeof *to->list);
	to->list[to->n++] = (struct slice){.label = label, .value = value, .color = color, .level = level};
}

static enum color color_of_slice(struct slices *to, struct str name)
{
	const size_t known = to->named.n, i = map_put(&to->named, name);

	to->colors = mem_grow(to->colors, &to->colors_cap, i + 1, sizeof *to->colors);
	if (i == known)
		to->colors[i] = color_of_part(&to->use, name);
	return to->colors[i];
}

/* Adds the largest sums, and one slice for all others: groups with their parts, or at level 1 the parts of a group. */
static void add_slices(struct share_chart *s, struct slices *to, int level, struct str group)
{
	const struct ranked_sums *sums = level ? &s->parts : &s->groups;
	const uint64_t top = s->chart->options.top;
	const size_t most = top ? (size_t)top : level ? DEFAULT_TOP_PARTS : DEFAULT_TOP;
	size_t *order = ranked_sums_order(sums), i, shown = 0, left = 0;
	long double rest = 0;

	for (i = 0; i < sums->keys.n; i++) {
		const struct label label = ranked_sums_label(sums, order[i]);

		if (level && !str_eq(ranked_sums_first(map_key(&sums->keys, order[i])), group))
			continue;
		if (shown == most) {
			rest += sums->list[order[i]].value;
			left++;
			continue;
		}
		shown++;
		add_slice(to, label, sums->list[order[i]].value, color_of_slice(to, label.brief), level);
		if (!level)
			add_slices(s, to, 1, label.brief);
	}
	if (left)
		add_slice(to, chart_others_label(&to->texts, left), rest, COLOR_NONE, level);
	free(order);
}

/* Sets the places on the circle, the tips and the notes. */
static void place_slices(struct share_chart *s, struct slices *to, const struct display_unit *m)
{
	double at[2] = {0, 0};
	struct buf text = {0};
	struct slice *slice;
	size_t i;

	for (i = 0; i < to->n; i++) {
		slice = &to->list[i];
		at[1] = slice->level ? at[1] : at[0];
		slice->from = at[slice->level];
		slice->to = at[slice->level] += (double)(slice->value / s->total);
		display_put(&text, "%p", (double)slice->value, (double)s->total);
		slice->note = labels_store(&to->texts, &text);
		display_put(&text, "%s\n%e, %s", slice->label.whole, m, slice->value, slice->note);
		slice->tip = labels_store(&to->texts, &text);
	}
	buf_free(&text);
}

/* In a terminal: bars; the parts of a group are indented. */
static void draw_bars(struct share_chart *s, struct slices *slices, struct str title)
{
	const struct display_unit percent = display_unit_of(COLUMN_SHARE, NULL, 1);
	struct bar *bars = mem_zero(slices->n, sizeof *bars);
	struct buf text = {0};
	size_t i;

	for (i = 0; i < slices->n; i++) {
		const struct slice *slice = &slices->list[i];

		bars[i] = (struct bar){.label = slice->label,
		    .level = (size_t)slice->level + 1,
		    .value = (double)(slice->value / s->total),
		    .note = slice->note,
		    .color = slice->level ? COLOR_BAR : COLOR_COMPUTING};
	}
	chart_value_words(s->chart, &text);
	bars_draw(s->chart->canvas, bars, slices->n, &percent, title, buf_str(&text));
	free(bars);
	buf_free(&text);
}

/* Draws the list to the right of the rings. */
static void draw_list(struct canvas *canvas, struct slices *slices, const struct display_unit *m, double x, double top)
{
	const double right = canvas->width - canvas->margin, row = 22;
	struct label *labels = mem_alloc(slices->n * sizeof *labels);
	struct buf value = {0};
	double y, indent, values = 0;
	size_t i;

	for (i = 0; i < slices->n; i++, value.n = 0) {
		labels[i] = slices->list[i].label;
		display_put(&value, "%v", m, (double)slices->list[i].value);
		values = fmax(values, canvas_width(canvas, buf_str(&value), CANVAS_SOFT));
	}
	labels_fit(canvas, labels, slices->n, right - x - 90 - 16 - values - 2 * canvas->space, &slices->texts);
	for (i = 0; i < slices->n; i++, value.n = 0) {
		const struct slice *slice = &slices->list[i];

		indent = slice->level ? 16 : 0;
		y = top + row * ((double)i + 0.5);
		display_put(&value, "%v", m, (double)slice->value);
		canvas->ops->box(
		    canvas, (struct canvas_box){x + indent, y - 6, 12, 12}, slice->color, (struct str){NULL, 0});
		canvas_text(canvas, x + 80, y, CANVAS_END, slice->level ? CANVAS_SOFT : CANVAS_PLAIN, slice->note);
		canvas_text(canvas, x + 90 + indent, y, CANVAS_START, slice->level ? CANVAS_SOFT : CANVAS_PLAIN,
		    labels[i].shown);
		canvas_text(canvas, right, y, CANVAS_END, CANVAS_SOFT, buf_str(&value));
	}
	free(labels);
	buf_free(&value);
}

static void draw_rings(struct share_chart *s, struct slices *slices, const struct display_unit *m, struct str title)
{
	struct canvas *canvas = s->chart->canvas;
	const double top = page_top(canvas), list = 22 * (double)slices->n, radius = fmin(150, canvas->width * 0.2);
	const double height = fmax(fmax(list, 2 * radius) + 16, canvas->height - top);
	const double x = canvas->margin + radius, y = list > 2 * radius ? top + radius + 8 : top + height / 2 - 8;
	struct buf total = {0};
	size_t i;

	page_begin(canvas, top + height, title);
	for (i = 0; i < slices->n; i++) {
		const struct slice *slice = &slices->list[i];
		const double inner = slice->level      ? 0.72
				     : s->parts.keys.n ? 0.4
						       : 0.5,
			     outer = slice->level || !s->parts.keys.n ? 1 : 0.7;

		canvas->ops->sector(canvas,
		    (struct canvas_sector){x, y, inner * radius, outer * radius, slice->from, slice->to}, slice->color,
		    slice->tip);
	}
	display_put(&total, "%v", m, (double)s->total);
	canvas_text(canvas, x, y, CANVAS_MIDDLE, CANVAS_PLAIN, buf_str(&total));
	draw_list(canvas, slices, m, x + radius + 36, list > 2 * radius ? top : y - list / 2);
	canvas->ops->end(canvas);
	buf_free(&total);
}

static bool draw_shares(void *state)
{
	struct share_chart *s = state;
	const struct display_unit m = chart_unit(s->chart, (double)s->total);
	struct slices slices = {0};
	struct buf title = {0};

	chart_report_negative(s->chart);
	if (!s->groups.keys.n)
		return false;
	chart_title(s->chart, " by ", &title);
	add_slices(s, &slices, 0, (struct str){NULL, 0});
	place_slices(s, &slices, &m);
	if (s->chart->canvas->cells)
		draw_bars(s, &slices, buf_str(&title));
	else
		draw_rings(s, &slices, &m, buf_str(&title));
	mem_free(slices.list, slices.colors);
	maps_free(&slices.named, &slices.texts);
	buf_free(&title);
	return true;
}

static void close_share(void *state)
{
	struct share_chart *s = state;

	ranked_sums_free(&s->groups);
	ranked_sums_free(&s->parts);
	bufs_free(&s->key, &s->whole);
}

const struct chart_kind chart_share = {
    .name = "share",
    .options = "field group top",
    .values = "dur_sum,dur,count",
    .keys = "name",
    .size = sizeof(struct share_chart),
    .open = open_share,
    .add = add_part,
    .draw = draw_shares,
    .close = close_share,
};

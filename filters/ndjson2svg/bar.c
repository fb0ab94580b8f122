/* bar: a bar for each record, the largest first, and one for all others. */
#include "picture/bars.h"
#include "chart.h"

#include <math.h>
#include <stdlib.h>

enum { DEFAULT_TOP = 40 };

/* A record. `text` has its whole name, and then its short name. */
struct item {
	long double value;
	double error;
	uint64_t number; /* of the record */
	char *text;
	size_t whole, brief; /* lengths */
	enum color color;
};

struct bar_chart {
	struct chart *chart;
	struct item *items; /* the largest records so far, and those read since the last call of keep_top() */
	size_t n, cap, top;
	bool full;        /* items[top - 1] is the smallest record that is stored */
	long double rest; /* the sum of all other records */
	uint64_t n_rest, n_all;
	struct buf text;
};

static void open_bar(void *state)
{
	struct bar_chart *b = state;
	const uint64_t top = b->chart->options.top;

	b->top = top ? (size_t)(top < SIZE_MAX / 4 ? top : SIZE_MAX / 4) : DEFAULT_TOP;
}

static int compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Sorts the records; if there are more than `top`, adds the others to the rest. */
static void keep_top(struct bar_chart *b)
{
	if (!b->chart->options.as_read && b->n)
		qsort(b->items, b->n, sizeof *b->items, compare_items);
	for (; b->n > b->top; b->n_rest++) {
		b->rest += b->items[--b->n].value;
		free(b->items[b->n].text);
	}
	b->full = b->n == b->top;
}

/* Adds an item with the names in b->text. */
static void add_item(struct bar_chart *b, struct item item)
{
	item.number = b->n_all;
	item.brief = b->text.n - item.whole;
	item.text = mem_alloc(b->text.n);
	memcpy(item.text, b->text.p, b->text.n);
	b->items = mem_grow(b->items, &b->cap, b->n + 1, sizeof *b->items);
	b->items[b->n++] = item;
}

static void add_bar(void *state, struct event *e)
{
	struct bar_chart *b = state;
	struct chart *c = b->chart;
	struct chart_options *o = &c->options;
	struct item item;
	struct value v;

	if (!chart_value(c, e, &v))
		return;
	b->n_all++;
	if (b->full && (o->as_read || chart_exact(&v) <= b->items[b->top - 1].value)) {
		b->rest += chart_exact(&v);
		b->n_rest++;
		return;
	}
	item = (struct item){.value = chart_exact(&v), .error = -1};
	if (o->error.n && chart_number(&o->error.list[0], e, &item.error))
		item.error *= chart_factor(c);
	b->text.n = 0;
	chart_name(c, &o->keys, 0, o->keys.n, e, true, &b->text);
	item.whole = b->text.n;
	item.color = chart_color(e, buf_str(&b->text), COLOR_BAR);
	chart_name(c, &o->keys, 0, o->keys.n, e, false, &b->text);
	add_item(b, item);
	if (b->n >= 2 * b->top || (o->as_read && b->n >= b->top))
		keep_top(b);
}

/* Returns the bar of an item; its texts are stored in *texts. */
static struct bar make_bar(const struct display_unit *m, const struct item *item, struct map *texts)
{
	struct bar bar = {.value = (double)item->value, .error = item->error, .color = item->color};
	struct buf text = {0};

	bar.label.whole = (struct str){item->text, item->whole};
	bar.label.brief = (struct str){item->text + item->whole, item->brief};
	display_put(&text, "%v", m, bar.value);
	bar.note = labels_store(texts, &text);
	display_put(&text, "%s\n%e", bar.label.whole, m, item->value);
	if (item->error >= 0)
		display_put(&text, " ± %e", m, (long double)item->error);
	bar.tip = labels_store(texts, &text);
	buf_free(&text);
	return bar;
}

/* Appends an item for all other records, if their sum has a meaning. */
static void add_rest(struct bar_chart *b)
{
	struct item item = {.value = b->rest, .error = -1, .color = COLOR_NONE};

	if (!b->n_rest || !chart_adds_up(b->chart) || b->chart->options.error.n || b->chart->options.as_read)
		return;
	b->text.n = 0;
	chart_others(&b->text, b->n_rest);
	item.whole = b->text.n;
	chart_others(&b->text, b->n_rest);
	add_item(b, item);
}

static bool draw_bars(void *state)
{
	struct bar_chart *b = state;
	struct chart *c = b->chart;
	struct buf title = {0}, axis = {0};
	struct map texts = {0};
	struct display_unit m;
	struct bar *bars;
	double most = 0;
	size_t i;

	keep_top(b);
	if (!b->n)
		return false;
	chart_title(c, " by ", &title);
	if (b->n_rest)
		display_put(&title, c->options.as_read ? ": the first %i of %i" : ": the largest %i of %i",
		    (double)b->n, (double)b->n_all);
	add_rest(b);
	bars = mem_zero(b->n, sizeof *bars);
	for (i = 0; i < b->n; i++)
		most = fmax(most, fabs((double)b->items[i].value));
	m = chart_unit(c, most);
	for (i = 0; i < b->n; i++)
		bars[i] = make_bar(&m, &b->items[i], &texts);
	chart_value_words(c, &axis);
	bars_draw(c->canvas, bars, b->n, &m, buf_str(&title), buf_str(&axis));
	free(bars);
	map_free(&texts);
	bufs_free(&title, &axis);
	return true;
}

static void close_bar(void *state)
{
	struct bar_chart *b = state;
	size_t i;

	for (i = 0; i < b->n; i++)
		free(b->items[i].text);
	free(b->items);
	buf_free(&b->text);
}

const struct chart_kind chart_bar = {
    .name = "bar",
    .options = "field group top err as-read",
    .values = "dur_sum,dur_mean,dur,dur_max,dur_p50,dur_p99,dur_share,count",
    .keys = "name",
    .size = sizeof(struct bar_chart),
    .open = open_bar,
    .add = add_bar,
    .draw = draw_bars,
    .close = close_bar,
};

#include "stats/accumulator_state.h"

#include "json/iter.h"
#include "json/scan.h"
#include "json/write.h"

enum { LINE = 64 * 1024 }; /* items beyond this number of bytes are written in lines before that of the group */

/* --- arrays --- */

void state_array_begin(struct state_array *w, const char *name)
{
	w->name = name;
	w->items.n = 0;
	buf_char(&w->items, '[');
}

void state_array_item(struct state_array *w)
{
	if (w->items.n < LINE)
		return;
	w->line.n = 0;
	json_write_begin(&w->line, NULL, '{');
	json_write_int(&w->line, "field", (int64_t)w->field);
	buf_char(&w->items, ']');
	json_write_json(&w->line, w->name, json_write_str(&w->items));
	json_write_end(&w->line, '}');
	out_line(w->out, json_write_str(&w->line));
	w->lines++;
	state_array_begin(w, w->name);
}

void state_array_end(struct state_array *w, struct buf *object)
{
	if (w->items.n == 1)
		return;
	buf_char(&w->items, ']');
	json_write_json(object, w->name, json_write_str(&w->items));
}

/* --- members --- */

static void put_exact(struct buf *b, const char *key, const struct exact_number *x)
{
	json_write_key(b, key);
	buf_char(b, '"');
	exact_put(b, x);
	buf_char(b, '"');
}

static void put_sum(struct buf *b, const char *key, const struct exact_sum *sum)
{
	struct exact_number x;

	exact_sum_get(sum, &x);
	put_exact(b, key, &x);
}

static void put_int(struct buf *b, const char *key, const struct exact_number *x)
{
	json_write_key(b, key);
	exact_put_int(b, x);
}

static void put_number(struct buf *b, const char *key, const struct number *v)
{
	struct exact_number x;

	if (!v->whole) {
		json_write_double(b, key, v->d + 0.0); /* -0 becomes 0 */
		return;
	}
	exact_int(&x, v->i);
	put_int(b, key, &x);
}

static void put_reals(const struct accumulator *a, struct buf *b)
{
	const struct accumulator_reals *r = a->numbers->reals;

	json_write_begin(b, "real", '{');
	json_write_int(b, "n", (int64_t)r->n);
	put_sum(b, "sum", &r->sum);
	if (a->spread)
		put_sum(b, "sq", &a->spread->reals);
	if (r->wide)
		json_write_int(b, "wide", (int64_t)r->wide);
	put_number(b, "min", &r->min);
	put_number(b, "max", &r->max);
	json_write_end(b, '}');
}

static void put_numbers(const struct accumulator *a, struct buf *b)
{
	const struct accumulator_numbers *numbers = a->numbers;
	struct exact_number x;

	if (numbers->n) {
		json_write_int(b, "n", (int64_t)numbers->n);
		exact_int(&x, numbers->sum);
		put_int(b, "sum", &x);
		if (a->spread) {
			exact_wide(&x, a->spread->high, a->spread->low);
			put_int(b, "sq", &x);
		}
		json_write_int(b, "min", numbers->min);
		json_write_int(b, "max", numbers->max);
	}
	if (numbers->reals)
		put_reals(a, b);
}

static void put_kept(const struct accumulator_kept *k, struct buf *b, const char *key)
{
	if (k->value.type != VALUE_NONE)
		state_position_write(b, key, k->at, k->value.text);
}

static void put_quantile(struct quantile *q, struct buf *b, struct state_array *w)
{
	struct quantile_item item;
	size_t cursor = 0;

	if (q->counted && q->fractions)
		json_write_bool(b, "frac", true);
	state_array_begin(w, q->counted ? "bins" : "vals");
	while (quantile_next(q, &cursor, &item)) {
		state_array_item(w);
		json_write_begin(&w->items, NULL, '[');
		if (item.bucket || item.whole)
			json_write_int(&w->items, NULL, item.i);
		else
			json_write_double(&w->items, NULL, item.d);
		json_write_int(&w->items, NULL, (int64_t)item.count);
		json_write_end(&w->items, ']');
	}
	state_array_end(w, b);
}

/* A part of a list is written as [PART,[VALUE,...]]; a long one as several of these. */
static void put_segment(struct value_list_segment *segment, struct state_array *w)
{
	struct str key, value;
	struct iter elements;
	size_t written = 0;

	scan_pad(&segment->text);
	iter_init(&elements, json_write_str(&segment->text));
	while (iter_next(&elements, &key, &value) > 0) {
		if (written && w->items.n >= LINE) {
			json_write_end(&w->items, ']');
			json_write_end(&w->items, ']');
			written = 0;
		}
		if (!written++) {
			state_array_item(w);
			json_write_begin(&w->items, NULL, '[');
			json_write_int(&w->items, NULL, (int64_t)segment->part);
			json_write_begin(&w->items, NULL, '[');
		}
		json_write_json(&w->items, NULL, value);
	}
	json_write_end(&w->items, ']');
	json_write_end(&w->items, ']');
}

static void put_list(struct value_list *l, struct buf *b, struct state_array *w)
{
	size_t i;

	state_array_begin(w, "list");
	for (i = 0; i < l->n; i++)
		put_segment(&l->segments[i], w);
	state_array_end(w, b);
}

void accumulator_put(const struct accumulator *a, struct buf *object, struct state_array *w)
{
	put_numbers(a, object);
	if (a->values && a->values->others)
		json_write_int(object, "other", (int64_t)a->values->others);
	if (a->edges) {
		put_kept(&a->edges->first, object, "first");
		put_kept(&a->edges->last, object, "last");
	}
	if (a->weighted) {
		put_sum(object, "wsum", &a->weighted->sum);
		put_sum(object, "weights", &a->weighted->weights);
	}
	if (a->quantile)
		put_quantile(a->quantile, object, w);
	if (a->list)
		put_list(a->list, object, w);
}

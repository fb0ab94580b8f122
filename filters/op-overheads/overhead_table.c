#include "overhead_table_private.h"

#include "json/string.h"
#include "json/write.h"
#include "base/int_math.h"
#include "base/order.h"

#include <stdlib.h>

const char *overhead_table_type(enum overhead type)
{
	static const char *const types[OVERHEAD_N] = {"op", "t1", "t2", "t3", "t4", "t5"};

	return types[type];
}

struct overhead_table *overhead_table_new(bool shapes, bool iqr)
{
	struct overhead_table *s = mem_zero(1, sizeof *s);

	s->shapes = shapes;
	s->iqr = iqr;
	return s;
}

/* --- values --- */

static size_t text_number(struct overhead_table *s, struct str json)
{
	return json.p ? value_ids_put(&s->texts, json) : OVERHEAD_TABLE_NONE;
}

static struct overhead_table_row *row_of(struct overhead_table *s, const struct overheads_value *v)
{
	size_t key[3] = {v->type, OVERHEAD_TABLE_NONE, text_number(s, v->shape)}, n = s->rows.n, row;

	/* The time between operators belongs to no operator or shape. */
	if (v->type == OVERHEAD_T1)
		key[2] = OVERHEAD_TABLE_NONE;
	else
		key[1] = text_number(s, v->name);
	row = map_put(&s->rows, (struct str){(const char *)key, sizeof key});
	if (row == n) {
		s->list = mem_grow(s->list, &s->cap, n + 1, sizeof *s->list);
		s->list[row] = (struct overhead_table_row){.type = v->type, .name = key[1], .shape = key[2]};
	}
	return &s->list[row];
}

static void add_number(struct overhead_table_row *r, int64_t ns)
{
	struct value value = {.type = VALUE_INT, .i = ns, .d = (double)ns};

	accumulator_add_int(&r->numbers, ns);
	accumulator_add_rest(&(struct accumulator){.numbers = &r->numbers, .spread = &r->spread}, &value,
	    (struct record_place){0, 0}, 0);
}

static void take_launches(struct overhead_table_row *r, const struct overheads *o, const struct overheads_value *v)
{
	size_t i;

	if (!v->n_launches || (r->launches.n && (r->root < v->root || (r->root == v->root && r->seq < v->seq))))
		return;
	r->root = v->root;
	r->seq = v->seq;
	r->launches.n = 0;
	for (i = 0; i < v->n_launches; i++)
		json_write_json(&r->launches, NULL, overheads_name(o, v->launches[i]));
}

void overhead_table_add(struct overhead_table *s, const struct overheads *o, const struct overheads_value *v)
{
	struct overhead_table_row *r = row_of(s, v);

	if (s->iqr && v->type != OVERHEAD_OP)
		quantile_add_int(&r->values, v->ns, SIZE_MAX);
	else
		add_number(r, v->ns);
	if (v->type == OVERHEAD_OP)
		take_launches(r, o, v);
}

/* Adds up the values without the outliers, and frees the values. */
static void leave_out(struct overhead_table_row *r)
{
	struct quantile *q = &r->values;
	double low, high, reach;
	size_t i;

	if (!q->n)
		return;
	low = quantile_double(quantile_at(q, 25));
	high = quantile_double(quantile_at(q, 75));
	reach = 1.5 * (high - low);
	for (i = 0; i < q->n; i++) {
		const int64_t v = q->kept[i]; /* `kept` contains all values; they are integers */

		if ((double)v >= low - reach && (double)v <= high + reach)
			add_number(r, v);
	}
	quantile_free(q);
}

double overhead_table_mean(const struct overhead_table_row *r)
{
	return accumulator_mean(&r->numbers);
}

double overhead_table_deviation(const struct overhead_table_row *r)
{
	struct exact_number x, y;

	accumulator_variance(&r->numbers, &r->spread, 0, &x, &y);
	return exact_root(&x, &y);
}

/* --- order --- */

static int compare_texts(const struct overhead_table *s, size_t a, size_t b)
{
	if (a == b)
		return 0;
	if (a == OVERHEAD_TABLE_NONE || b == OVERHEAD_TABLE_NONE)
		return a == OVERHEAD_TABLE_NONE ? -1 : 1;
	return str_cmp(value_ids_text(&s->texts, a), value_ids_text(&s->texts, b));
}

/* Orders rows by type, name and shape. */
static int by_name(const void *table, size_t a, size_t b)
{
	const struct overhead_table *s = table;
	const struct overhead_table_row *x = &s->list[a], *y = &s->list[b];
	int order;

	if (x->type != y->type)
		return x->type < y->type ? -1 : 1;
	order = compare_texts(s, x->name, y->name);
	return order ? order : compare_texts(s, x->shape, y->shape);
}

/* Orders rows by type, descending sum, name and shape. */
static int by_weight(const void *table, size_t a, size_t b)
{
	const struct overhead_table *s = table;
	const struct overhead_table_row *x = &s->list[a], *y = &s->list[b];

	if (x->type == y->type && x->numbers.sum != y->numbers.sum)
		return x->numbers.sum > y->numbers.sum ? -1 : 1;
	return by_name(s, a, b);
}

/* Removes the outliers and returns the indexes of all s->rows.n rows in the order `by`. The caller frees the array. */
static size_t *sorted(struct overhead_table *s, int (*by)(const void *table, size_t a, size_t b))
{
	size_t i;

	for (i = 0; i < s->rows.n; i++)
		leave_out(&s->list[i]);
	return order_sort(s->rows.n, by, s);
}

size_t *overhead_table_by_name(struct overhead_table *s)
{
	return sorted(s, by_name);
}

/* --- rows --- */

static void set_text(struct table *t, size_t column, enum value_type type, struct str json)
{
	struct value v = {.type = type, .text = json};

	table_set(t, column, &v);
}

static void set_launches(struct table *t, size_t column, const struct overhead_table_row *r, struct buf *b)
{
	if (!r->launches.n)
		return;
	b->n = 0;
	buf_char(b, '[');
	buf_add(b, r->launches.p + 1, r->launches.n - 1);
	buf_char(b, ']');
	set_text(t, column, VALUE_OTHER, json_write_str(b));
}

/* Adds a column. All columns of times belong to one field, so they have the same unit. */
static size_t add_column(struct table *t, const char *name, enum column_kind kind)
{
	const size_t n = strlen(name);

	return table_column_of(t, str_of(name), &(const struct column_type){kind, NULL, 0, n, n});
}

void overhead_table_table(struct overhead_table *s, struct out *out, const struct table_options *to)
{
	enum { TYPE, NAME, SHAPE, COUNT, MEAN, STD, LAUNCHES, COLUMNS };
	static const struct {
		const char *name;
		enum column_kind kind;
	} columns[COLUMNS] = {{"type", COLUMN_ANY}, {"name", COLUMN_NAME}, {"shape", COLUMN_ANY}, {"count", COLUMN_ANY},
	    {"mean", COLUMN_TIME}, {"std", COLUMN_TIME}, {"launches", COLUMN_ANY}};
	struct table *t = table_begin(out, to);
	size_t *order = sorted(s, by_weight), at[COLUMNS], i;
	struct buf b = {0};

	for (i = 0; i < COLUMNS; i++) {
		if (i != SHAPE || (s->shapes && s->rows.n))
			at[i] = add_column(t, columns[i].name, columns[i].kind);
	}
	table_kind(t, STR("\"op-overheads\""));
	for (i = 0; i < s->rows.n; i++) {
		const struct overhead_table_row *r = &s->list[order[i]];

		b.n = 0;
		json_quote(&b, str_of(overhead_table_type(r->type)));
		set_text(t, at[TYPE], VALUE_STRING, json_write_str(&b));
		if (r->name != OVERHEAD_TABLE_NONE)
			set_text(t, at[NAME], VALUE_STRING, value_ids_text(&s->texts, r->name));
		if (r->shape != OVERHEAD_TABLE_NONE)
			set_text(t, at[SHAPE], VALUE_OTHER, value_ids_text(&s->texts, r->shape));
		table_set_int(t, at[COUNT], (int128)r->numbers.n);
		table_set_real(t, at[MEAN], overhead_table_mean(r));
		table_set_real(t, at[STD], overhead_table_deviation(r));
		set_launches(t, at[LAUNCHES], r, &b);
		table_row(t);
	}
	table_end(t);
	free(order);
	buf_free(&b);
}

void overhead_table_free(struct overhead_table *s)
{
	size_t i;

	for (i = 0; i < s->rows.n; i++) {
		quantile_free(&s->list[i].values);
		buf_free(&s->list[i].launches);
	}
	free(s->list);
	value_ids_free(&s->texts);
	map_free(&s->rows);
	free(s);
}

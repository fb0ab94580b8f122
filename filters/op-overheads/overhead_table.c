#include "overhead_table.h"

#include "base/int_math.h"
#include "base/map.h"
#include "base/order.h"
#include "json/iter.h"
#include "json/string.h"
#include "json/write.h"
#include "record/value_ids.h"
#include "stats/accumulator.h"

#include <stdlib.h>

/* The overheads that have the same type, operator and shape. For T4, a call takes the place of the operator. */
struct overhead_table_row {
	enum overhead type;
	size_t name, shape; /* indexes of texts, or OVERHEAD_TABLE_NONE */
	struct accumulator_numbers numbers;
	struct accumulator_spread spread;
	struct quantile values; /* with iqr: all values, until the outliers are left out */
	/* root and seq of the first operator that has launches; `launches` has the names of its launches */
	uint64_t root, seq;
	struct buf launches; /* JSON; empty if it has none */
};

#define OVERHEAD_TABLE_NONE SIZE_MAX

struct overhead_table {
	bool shapes, iqr;
	struct value_ids texts; /* names and shapes */
	struct map rows;
	struct overhead_table_row *list;
	size_t cap;
};

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

static struct overhead_table_row *row_of(struct overhead_table *s, const struct overheads_value *v)
{
	size_t key[3] = {v->type, OVERHEAD_TABLE_NONE, OVERHEAD_TABLE_NONE}, n = s->rows.n, row;

	/* The time between operators belongs to no operator or shape. */
	if (v->type != OVERHEAD_T1 && v->shape.p)
		key[2] = value_ids_put(&s->texts, v->shape);
	if (v->type != OVERHEAD_T1 && v->name.p)
		key[1] = value_ids_put(&s->texts, v->name);
	row = map_put(&s->rows, STR_BYTES(key));
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
	    (struct record_position){0, 0}, 0);
}

/*
 * Returns whether an operator at root and seq has launches that precede those of the row: the row has none, or those of
 * a later operator.
 */
static bool launches_before(uint64_t root, uint64_t seq, const struct overhead_table_row *r)
{
	return !r->launches.n || root < r->root || (root == r->root && seq <= r->seq);
}

void overhead_table_add(struct overhead_table *s, const struct overheads *o, const struct overheads_value *v)
{
	struct overhead_table_row *r = row_of(s, v);
	size_t i;

	if (s->iqr && v->type != OVERHEAD_OP)
		quantile_add_int(&r->values, v->ns, SIZE_MAX);
	else
		add_number(r, v->ns);
	if (!v->n_launches || v->type != OVERHEAD_OP || !launches_before(v->root, v->seq, r))
		return;
	r->root = v->root;
	r->seq = v->seq;
	r->launches.n = 0;
	json_write_begin(&r->launches, NULL, '[');
	for (i = 0; i < v->n_launches; i++)
		json_write_json(&r->launches, NULL, overheads_name(o, v->launches[i]));
	json_write_end(&r->launches, ']');
}

/* Returns the standard deviation (of a population) in ns. */
static double deviation(const struct overhead_table_row *r)
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

/* Adds up the values without the outliers, and frees the values. */
static void drop_outliers(struct overhead_table_row *r)
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
		/* `values` contains all values; they are integers */
		if ((double)q->values[i] >= low - reach && (double)q->values[i] <= high + reach)
			add_number(r, q->values[i]);
	}
	quantile_free(q);
}

/* Removes the outliers and returns the indexes of all s->rows.n rows in the order `by`. The caller frees the array. */
static size_t *sorted(struct overhead_table *s, int (*by)(const void *table, size_t a, size_t b))
{
	size_t i;

	for (i = 0; i < s->rows.n; i++)
		drop_outliers(&s->list[i]);
	return order_sort(s->rows.n, by, s);
}

/* --- rows --- */

static void set_text(struct table *t, size_t column, enum value_type type, struct str json)
{
	struct value v = {.type = type, .text = json};

	table_set(t, column, &v);
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
		const struct str name = str_of(columns[i].name);

		/* All columns of times belong to one field, so they have the same unit. */
		if (i != SHAPE || (s->shapes && s->rows.n))
			at[i] = table_column_of(
			    t, name, &(const struct column_meaning){columns[i].kind, NULL, 0, name.n, name.n});
	}
	table_kind(t, STR("\"op-overheads\""));
	for (i = 0; i < s->rows.n; i++) {
		const struct overhead_table_row *r = &s->list[order[i]];

		b.n = 0;
		json_quote(&b, str_of(overhead_table_type(r->type)));
		set_text(t, at[TYPE], VALUE_STRING, buf_str(&b));
		if (r->name != OVERHEAD_TABLE_NONE)
			set_text(t, at[NAME], VALUE_STRING, value_ids_text(&s->texts, r->name));
		if (r->shape != OVERHEAD_TABLE_NONE)
			set_text(t, at[SHAPE], VALUE_OTHER, value_ids_text(&s->texts, r->shape));
		table_set_int(t, at[COUNT], (int128)r->numbers.n);
		table_set_real(t, at[MEAN], accumulator_mean(&r->numbers));
		table_set_real(t, at[STD], deviation(r));
		if (r->launches.n)
			set_text(t, at[LAUNCHES], VALUE_OTHER, buf_str(&r->launches));
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
	value_ids_free(&s->texts);
	map_free(&s->rows);
	mem_free(s->list, s);
}

/* Appends an array of arrays of numbers in the form of Python's tuples: ((2, 3), (4,)). */
static void put_tuple(struct buf *b, struct str json)
{
	struct str key, value;
	struct iter w;
	size_t n = 0;

	buf_char(b, '(');
	iter_init(&w, json);
	while (iter_next(&w, &key, &value) > 0) {
		if (n++)
			buf_lit(b, ", ");
		if (value.n && value.p[0] == '[')
			put_tuple(b, value);
		else
			buf_add(b, value.p, value.n);
	}
	if (n == 1)
		buf_char(b, ',');
	buf_char(b, ')');
}

/*
 * Appends a key in the form of the later version of ml_perf_model: the shapes of the inputs, followed by ((-1,),) for
 * the shapes of the outputs, which are unknown.
 */
static void put_shape_key(const struct overhead_table *s, struct buf *b, struct buf *key, size_t shape)
{
	key->n = 0;
	buf_char(key, '(');
	if (shape == OVERHEAD_TABLE_NONE)
		buf_lit(key, "((-1,),)");
	else
		put_tuple(key, value_ids_text(&s->texts, shape));
	buf_lit(key, ", ((-1,),))");
	json_write_name(b, buf_str(key));
}

/* Appends the value of a row; its key must have been appended before. */
static void put_stat(const struct overhead_table *s, struct buf *b, const struct overhead_table_row *r)
{
	buf_char(b, '[');
	json_write_double(b, NULL, accumulator_mean(&r->numbers) / 1000);
	json_write_double(b, NULL, deviation(r) / 1000);
	if (s->shapes)
		json_write_int(b, NULL, (int64_t)r->numbers.n);
	json_write_end(b, ']');
}

static void put_name_key(const struct overhead_table *s, struct buf *b, size_t name)
{
	struct str text = name == OVERHEAD_TABLE_NONE ? STR("\"\"") : value_ids_text(&s->texts, name);

	json_write_key(b, NULL);
	buf_add(b, text.p, text.n);
	buf_char(b, ':');
}

static void put_type(const struct overhead_table *s, struct buf *b, enum overhead type, const size_t *order)
{
	struct buf key = {0};
	size_t i, name = OVERHEAD_TABLE_NONE;
	bool open = false;

	json_write_begin(b, overhead_table_type(type), '{');
	for (i = 0; i < s->rows.n; i++) {
		const struct overhead_table_row *r = &s->list[order[i]];

		if (r->type != type)
			continue;
		if (open && r->name == name) {
			put_shape_key(s, b, &key, r->shape);
		} else {
			if (open)
				json_write_end(b, '}');
			put_name_key(s, b, r->name);
			open = s->shapes && type != OVERHEAD_T4; /* the values are objects of objects */
			if (open) {
				buf_char(b, '{');
				put_shape_key(s, b, &key, r->shape);
			}
		}
		name = r->name;
		put_stat(s, b, r);
	}
	if (open)
		json_write_end(b, '}');
	json_write_end(b, '}');
	buf_free(&key);
}

/* Appends the launches of each name: those of the first operator that has the name, in the rows of all its shapes. */
static void put_launches(const struct overhead_table *s, struct buf *b, const size_t *order)
{
	const struct overhead_table_row *r, *first = NULL, *next;
	size_t i;

	json_write_begin(b, "launches", '{');
	for (i = 0; i < s->rows.n && s->list[order[i]].type == OVERHEAD_OP; i++) {
		r = &s->list[order[i]];
		next = i + 1 < s->rows.n ? &s->list[order[i + 1]] : NULL;
		if (r->launches.n && (!first || launches_before(r->root, r->seq, first)))
			first = r;
		if (next && next->type == OVERHEAD_OP && next->name == r->name)
			continue;
		if (first) {
			put_name_key(s, b, r->name);
			buf_add(b, first->launches.p, first->launches.n);
		}
		first = NULL;
	}
	json_write_end(b, '}');
}

void overhead_table_json(struct overhead_table *s, struct out *out)
{
	size_t *order = sorted(s, by_name), i;
	struct buf b = {0};
	enum overhead type;

	json_write_begin(&b, NULL, '{');
	for (i = 0; i < s->rows.n; i++) {
		if (s->list[order[i]].type != OVERHEAD_T1)
			continue;
		json_write_key(&b, "t1");
		put_stat(s, &b, &s->list[order[i]]);
	}
	for (type = OVERHEAD_T2; type < OVERHEAD_N; type++)
		put_type(s, &b, type, order);
	put_launches(s, &b, order);
	json_write_end(&b, '}');
	buf_char(&b, '\n');
	out_str(out, buf_str(&b));
	free(order);
	buf_free(&b);
}

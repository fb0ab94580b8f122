#include "overhead_table.h"

#include "json/json.h"
#include "base/int_math.h"
#include "json/write.h"
#include "json/iter.h"

#include <math.h>
#include <stdlib.h>

/* One row of the answer. */
struct opstat {
	enum overhead type;
	size_t name, shape;  /* texts; NONE */
	struct accumulator_numbers numbers;
	struct accumulator_spread spread;
	struct quantile values; /* all of them, where outliers are left out */
	uint64_t root, seq;  /* of the operator whose launches these are: the first that has any */
	struct buf launches; /* elements of an array, each with its comma before it */
};

#define NONE SIZE_MAX

const char *overhead_table_type(enum overhead type)
{
	static const char *const types[OVERHEAD_N] = {"op", "t1", "t2", "t3", "t4", "t5"};

	return types[type];
}

/* --- values --- */

static size_t text_number(struct overhead_table *s, struct str json)
{
	return json.p ? value_ids_put(&s->texts, json) : NONE;
}

static struct opstat *row_of(struct overhead_table *s, const struct overhead_value *v)
{
	size_t key[3] = {v->type, NONE, text_number(s, v->shape)}, n = s->rows.n, row;

	/* Between operators is a matter of none of them. */
	if (v->type == OVERHEAD_T1)
		key[2] = NONE;
	else
		key[1] = text_number(s, v->name);
	row = map_put(&s->rows, (struct str){(const char *)key, sizeof key});
	if (row == n) {
		s->list = mem_grow(s->list, &s->cap, n + 1, sizeof *s->list);
		s->list[row] = (struct opstat){.type = v->type, .name = key[1], .shape = key[2]};
	}
	return &s->list[row];
}

static void add_number(struct opstat *r, int64_t ns)
{
	struct value value = {.type = VALUE_INT, .i = ns, .d = (double)ns};

	accumulator_add_int(&r->numbers, ns);
	accumulator_add_rest(&(struct accumulator){.numbers = &r->numbers, .spread = &r->spread}, &value, 0, NULL);
}

static void take_launches(struct opstat *r, const struct overheads *o, const struct overhead_value *v)
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

void overhead_table_add(struct overhead_table *s, const struct overheads *o, const struct overhead_value *v)
{
	struct opstat *r = row_of(s, v);

	s->shapes = o->shapes;
	if (s->iqr && v->type != OVERHEAD_OP)
		quantile_add_int(&r->values, v->ns, &(size_t){SIZE_MAX});
	else
		add_number(r, v->ns);
	if (v->type == OVERHEAD_OP)
		take_launches(r, o, v);
}

/* What is left without outliers; the values go. */
static void leave_out(struct opstat *r)
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
		const int64_t v = q->kept[i]; /* all are stored, and integers */

		if ((double)v >= low - reach && (double)v <= high + reach)
			add_number(r, v);
	}
	quantile_free(q);
}

static double mean(const struct opstat *r)
{
	return (double)((long double)r->numbers.sum / (long double)r->numbers.n);
}

static double deviation(const struct opstat *r)
{
	return (double)sqrtl(accumulator_variance(&r->spread, r->numbers.n));
}

/* --- order --- */

static const struct overhead_table *ordered; /* what is being sorted */

static int by_text(size_t a, size_t b)
{
	if (a == b)
		return 0;
	if (a == NONE || b == NONE)
		return a == NONE ? -1 : 1;
	return str_cmp(value_ids_text(&ordered->texts, a), value_ids_text(&ordered->texts, b));
}

/* By type; the largest sum first; by name and shape. */
static int by_weight(const void *a, const void *b)
{
	const struct opstat *x = &ordered->list[*(const size_t *)a], *y = &ordered->list[*(const size_t *)b];
	int order;

	if (x->type != y->type)
		return x->type < y->type ? -1 : 1;
	if (x->numbers.sum != y->numbers.sum)
		return x->numbers.sum > y->numbers.sum ? -1 : 1;
	order = by_text(x->name, y->name);
	return order ? order : by_text(x->shape, y->shape);
}

/* By type, name and shape. */
static int by_name(const void *a, const void *b)
{
	const struct opstat *x = &ordered->list[*(const size_t *)a], *y = &ordered->list[*(const size_t *)b];
	int order;

	if (x->type != y->type)
		return x->type < y->type ? -1 : 1;
	order = by_text(x->name, y->name);
	return order ? order : by_text(x->shape, y->shape);
}

/* The rows in order, s->rows.n of them, to be freed; outliers are gone. */
static size_t *sorted(struct overhead_table *s, int (*by)(const void *a, const void *b))
{
	size_t *order = mem_alloc((s->rows.n + 1) * sizeof *order), i;

	for (i = 0; i < s->rows.n; i++) {
		leave_out(&s->list[i]);
		order[i] = i;
	}
	ordered = s;
	qsort(order, s->rows.n, sizeof *order, by);
	return order;
}

/* --- rows --- */

static void set_text(struct table *t, size_t column, enum value_type type, struct str json)
{
	struct value v = {.type = type, .text = json};

	table_set(t, column, &v);
}

static void set_launches(struct table *t, size_t column, const struct opstat *r, struct buf *b)
{
	if (!r->launches.n)
		return;
	b->n = 0;
	buf_char(b, '[');
	buf_add(b, r->launches.p + 1, r->launches.n - 1);
	buf_char(b, ']');
	set_text(t, column, VALUE_OTHER, json_write_str(b));
}

void overhead_table_table(struct overhead_table *s, struct out *out, const struct table_options *to)
{
	enum { TYPE, NAME, SHAPE, COUNT, MEAN, STD, LAUNCHES, COLUMNS };
	static const struct { const char *name; enum column_kind kind; } columns[COLUMNS] = {
	    {"type", COLUMN_ANY}, {"name", COLUMN_NAME}, {"shape", COLUMN_ANY}, {"count", COLUMN_ANY},
	    {"mean", COLUMN_TIME}, {"std", COLUMN_TIME}, {"launches", COLUMN_ANY}};
	struct table *t = table_open(out, to);
	size_t *order = sorted(s, by_weight), at[COLUMNS], i;
	struct buf b = {0};

	for (i = 0; i < COLUMNS; i++) {
		if (i != SHAPE || s->shapes)
			at[i] = table_column(t, str_of(columns[i].name), columns[i].kind);
	}
	for (i = 0; i < s->rows.n; i++) {
		const struct opstat *r = &s->list[order[i]];

		b.n = 0;
		json_quote(&b, str_of(overhead_table_type(r->type)));
		set_text(t, at[TYPE], VALUE_STRING, json_write_str(&b));
		if (r->name != NONE)
			set_text(t, at[NAME], VALUE_STRING, value_ids_text(&s->texts, r->name));
		if (r->shape != NONE)
			set_text(t, at[SHAPE], VALUE_OTHER, value_ids_text(&s->texts, r->shape));
		table_set_int(t, at[COUNT], (num_i128)r->numbers.n);
		table_set_real(t, at[MEAN], mean(r));
		table_set_real(t, at[STD], deviation(r));
		set_launches(t, at[LAUNCHES], r, &b);
		table_row(t);
	}
	table_close(t);
	free(order);
	buf_free(&b);
}

/* --- one object --- */

/* An array of arrays of numbers as Python's tuples: ((2, 3), (4,)). */
static void put_tuple(struct buf *b, struct str json)
{
	struct str key, value;
	struct iter w;
	size_t n = 0;

	buf_char(b, '(');
	iter_open(&w, json);
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

/* The key that the later version has: the shapes of inputs and outputs, which are not known. */
static void put_shape_key(const struct overhead_table *s, struct buf *b, struct buf *key, size_t shape)
{
	key->n = 0;
	buf_char(key, '(');
	if (shape == NONE)
		buf_lit(key, "((-1,),)");
	else
		put_tuple(key, value_ids_text(&s->texts, shape));
	buf_lit(key, ", ((-1,),))");
	json_write_key(b, NULL);
	json_quote(b, json_write_str(key));
	buf_char(b, ':');
}

/* Behind its key. */
static void put_stat(const struct overhead_table *s, struct buf *b, const struct opstat *r)
{
	buf_char(b, '[');
	json_write_double(b, NULL, mean(r) / 1000);
	json_write_double(b, NULL, deviation(r) / 1000);
	if (s->shapes)
		json_write_int(b, NULL, (int64_t)r->numbers.n);
	json_write_close(b, ']');
}

static void put_name_key(const struct overhead_table *s, struct buf *b, size_t name)
{
	struct str text = name == NONE ? STR("\"\"") : value_ids_text(&s->texts, name);

	json_write_key(b, NULL);
	buf_add(b, text.p, text.n);
	buf_char(b, ':');
}

/* t2, t3 and t5 by shape: an object of objects. */
static bool is_nested(const struct overhead_table *s, enum overhead type)
{
	return s->shapes && type != OVERHEAD_T4;
}

static void put_type(const struct overhead_table *s, struct buf *b, enum overhead type, const size_t *order)
{
	struct buf key = {0};
	size_t i, name = NONE;
	bool open = false;

	json_write_open(b, overhead_table_type(type), '{');
	for (i = 0; i < s->rows.n; i++) {
		const struct opstat *r = &s->list[order[i]];

		if (r->type != type)
			continue;
		if (open && r->name == name) {
			put_shape_key(s, b, &key, r->shape);
		} else {
			if (open)
				json_write_close(b, '}');
			put_name_key(s, b, r->name);
			open = is_nested(s, type);
			if (open) {
				buf_char(b, '{');
				put_shape_key(s, b, &key, r->shape);
			}
		}
		name = r->name;
		put_stat(s, b, r);
	}
	if (open)
		json_write_close(b, '}');
	json_write_close(b, '}');
	buf_free(&key);
}

/* Whether a has launches, of an operator that comes before b's. */
static bool launches_before(const struct opstat *a, const struct opstat *b)
{
	if (!a->launches.n || !b->launches.n)
		return a->launches.n;
	return a->root != b->root ? a->root < b->root : a->seq < b->seq;
}

/* Of several shapes the launches of the first operator of the name. */
static const struct opstat *first_of_name(const struct overhead_table *s, const size_t *order, size_t *i)
{
	const struct opstat *first = &s->list[order[*i]], *r;

	for (; *i + 1 < s->rows.n; ++*i) {
		r = &s->list[order[*i + 1]];
		if (r->type != OVERHEAD_OP || r->name != first->name)
			break;
		if (launches_before(r, first))
			first = r;
	}
	return first;
}

static void put_launches(const struct overhead_table *s, struct buf *b, const size_t *order)
{
	const struct opstat *r;
	size_t i;

	json_write_open(b, "launches", '{');
	for (i = 0; i < s->rows.n && s->list[order[i]].type == OVERHEAD_OP; i++) {
		r = first_of_name(s, order, &i);
		if (!r->launches.n)
			continue;
		put_name_key(s, b, r->name);
		buf_char(b, '[');
		buf_add(b, r->launches.p + 1, r->launches.n - 1);
		buf_char(b, ']');
	}
	json_write_close(b, '}');
}

void overhead_table_json(struct overhead_table *s, struct out *out)
{
	size_t *order = sorted(s, by_name), i;
	struct buf b = {0};
	enum overhead type;

	json_write_open(&b, NULL, '{');
	for (i = 0; i < s->rows.n; i++) {
		if (s->list[order[i]].type != OVERHEAD_T1)
			continue;
		json_write_key(&b, "t1");
		put_stat(s, &b, &s->list[order[i]]);
	}
	for (type = OVERHEAD_T2; type < OVERHEAD_N; type++)
		put_type(s, &b, type, order);
	put_launches(s, &b, order);
	json_write_close(&b, '}');
	buf_char(&b, '\n');
	out_str(out, json_write_str(&b));
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
}

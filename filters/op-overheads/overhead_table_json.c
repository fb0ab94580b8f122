/* overhead_table_json: writes the overheads as one object in the form that ml_perf_model reads. */
#include "overhead_table_private.h"

#include "json/iter.h"
#include "json/string.h"
#include "json/write.h"

#include <stdlib.h>

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
	json_write_name(b, json_write_str(key));
}

/* Appends the value of a row; its key must have been appended before. */
static void put_stat(const struct overhead_table *s, struct buf *b, const struct overhead_table_row *r)
{
	buf_char(b, '[');
	json_write_double(b, NULL, overhead_table_mean(r) / 1000);
	json_write_double(b, NULL, overhead_table_deviation(r) / 1000);
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

/*
 * Returns true for t2, t3 and t5 if each shape has its own rows; the values of these types are then objects of objects.
 */
static bool is_nested(const struct overhead_table *s, enum overhead type)
{
	return s->shapes && type != OVERHEAD_T4;
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
		json_write_end(b, '}');
	json_write_end(b, '}');
	buf_free(&key);
}

/* Returns true if a has launches, and b has none or the launches of a later operator. */
static bool launches_before(const struct overhead_table_row *a, const struct overhead_table_row *b)
{
	if (!a->launches.n || !b->launches.n)
		return a->launches.n;
	return a->root != b->root ? a->root < b->root : a->seq < b->seq;
}

/*
 * A name has one row for each shape; *i is the first row of the name. Returns the row with the launches of the first
 * operator that has this name, and sets *i to the last row of the name.
 */
static const struct overhead_table_row *first_of_name(const struct overhead_table *s, const size_t *order, size_t *i)
{
	const struct overhead_table_row *first = &s->list[order[*i]], *r;

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
	const struct overhead_table_row *r;
	size_t i;

	json_write_begin(b, "launches", '{');
	for (i = 0; i < s->rows.n && s->list[order[i]].type == OVERHEAD_OP; i++) {
		r = first_of_name(s, order, &i);
		if (!r->launches.n)
			continue;
		put_name_key(s, b, r->name);
		buf_char(b, '[');
		buf_add(b, r->launches.p + 1, r->launches.n - 1);
		buf_char(b, ']');
	}
	json_write_end(b, '}');
}

void overhead_table_json(struct overhead_table *s, struct out *out)
{
	size_t *order = overhead_table_by_name(s), i;
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
	out_str(out, json_write_str(&b));
	free(order);
	buf_free(&b);
}

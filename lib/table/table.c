#include "table/table_private.h"

#include "json/string.h"
#include "base/num_parse.h"
#include "base/num_format.h"
#include "base/units.h"
#include "base/int_math.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_human(const struct table *t)
{
	return t->options.format >= TABLE_MD;
}

/* --- opening, columns, cells --- */

struct table *table_begin(struct out *o, const struct table_options *options)
{
	struct table *t = mem_zero(1, sizeof *t);

	t->out = o;
	t->options = *options;
	return t;
}

const struct unit *table_given_unit(const struct table *t, enum column_kind kind)
{
	return kind == COLUMN_TIME || kind == COLUMN_STAMP ? t->options.time
	       : kind == COLUMN_SIZE                       ? t->options.size
							   : NULL;
}

size_t table_column(struct table *t, struct str name, enum column_kind kind)
{
	return table_column_of(t, name, &(const struct column_type){kind, NULL, name.n, name.n, name.n});
}

size_t table_column_of(struct table *t, struct str name, const struct column_type *type)
{
	struct table_column *c;
	struct buf text = {0};

	t->columns = mem_grow(t->columns, &t->cap_columns, t->n + 1, sizeof *t->columns);
	t->row = mem_grow(t->row, &t->cap_row, t->n + 1, sizeof *t->row);
	c = &t->columns[t->n];
	*c = (struct table_column){.kind = type->kind, .from = type->unit, .unit = table_given_unit(t, type->kind)};
	column_type_name(&text, name, type, is_human(t) ? NULL : c->unit ? c->unit : c->from);
	c->name = str_dup((struct str){text.p, text.n});
	c->field = str_head(str_of(c->name), type->field_n);
	json_quote(&c->key, str_of(c->name));
	buf_char(&c->key, ':');
	buf_free(&text);
	t->row[t->n] = (struct table_cell){.type = VALUE_NONE};
	return t->n++;
}

void table_kind(struct table *t, struct str json)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		if (!strcmp(t->columns[i].name, "kind"))
			return;
	}
	buf_lit(&t->kind, "\"kind\":");
	buf_add(&t->kind, json.p, json.n);
}

void table_none(struct table *t, size_t column, const char *text)
{
	t->columns[column].none = text;
}

void table_set_cell(struct table *t, size_t column, enum value_type type, struct str text)
{
	t->row[column] = (struct table_cell){type, false, false, t->text.n, text.n};
	buf_add(&t->text, text.p, text.n);
}

void table_set(struct table *t, size_t column, const struct value *v)
{
	table_set_cell(t, column, v->type, v->text);
}

void table_set_int(struct table *t, size_t column, int128 v)
{
	char text[NUM_ROOM];

	table_set_cell(t, column, VALUE_INT, (struct str){text, (size_t)(num_put_i128(text, v) - text)});
}

void table_set_real(struct table *t, size_t column, double v)
{
	char text[NUM_ROOM];

	if (isfinite(v))
		table_set_cell(t, column, VALUE_REAL, (struct str){text, (size_t)(num_put_double(text, v) - text)});
}

void table_set_scaled(struct table *t, size_t column, double v)
{
	table_set_real(t, column, v);
	t->row[column].scaled = !is_human(t);
}

void table_scale_of(const struct table *t, size_t column, int64_t *times, int64_t *over)
{
	const struct table_column *c = &t->columns[column];
	const bool scaled = c->unit && !is_human(t);

	*times = scaled && c->from ? c->from->factor : 1;
	*over = scaled ? c->unit->factor : 1;
}

void table_set_approx(struct table *t, size_t column, double v)
{
	table_set_real(t, column, v);
	t->row[column].approx = true;
}

/* --- numbers --- */

/* Returns the exponent of a power of ten; -1 when factor is not a power of ten. */
static int power_of_ten(int64_t factor)
{
	int shift = 0;

	for (; factor % 10 == 0; factor /= 10)
		shift++;
	return factor == 1 ? shift : -1;
}

double table_scale(const struct table_column *c)
{
	return c->unit ? (double)(c->from ? c->from->factor : 1) / (double)c->unit->factor : 1;
}

/*
 * Returns by how many digits the decimal point moves to the left when a number is written in the column's unit. Returns
 * INT_MIN if the ratio of the units is not a power of ten.
 */
static int point_shift(const struct table_column *c)
{
	int from, to;

	if (!c->unit || c->unit == c->from)
		return 0;
	from = c->from ? power_of_ten(c->from->factor) : 0;
	to = power_of_ten(c->unit->factor);
	return from < 0 || to < 0 ? INT_MIN : to - from;
}

int table_exact_decimals(const struct table_column *c)
{
	int shift = point_shift(c);

	return shift == INT_MIN ? -1 : shift > 0 ? shift : 0;
}

char *table_put_number(char *p, struct str number, const struct table_column *c, int decimals)
{
	int shift = point_shift(c);
	char text[NUM_ROOM], *end;
	double v;

	if (shift == INT_MIN && num_double(number, &v)) {
		end = num_put_double(text, v * table_scale(c));
		number = (struct str){text, (size_t)(end - text)};
		shift = 0;
	}
	end = num_put_scaled(p, number, shift, decimals);
	if (end)
		return end;
	/* The number is too long to write without an exponent, for example 1e300. */
	if (num_double(number, &v))
		return num_put_double(p, v * table_scale(c));
	number = str_head(number, NUM_ROOM);
	memcpy(p, number.p, number.n);
	return p + number.n;
}

/* --- rows --- */

void table_clear_row(struct table *t)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		t->row[i].type = VALUE_NONE;
	t->text.n = 0;
}

static void start(struct table *t)
{
	if (t->options.format != TABLE_NDJSON && t->options.format != TABLE_RAW)
		table_machine_head(t);
	t->started = true;
}

void table_row(struct table *t)
{
	if (is_human(t)) {
		table_text_row(t);
	} else {
		if (!t->started)
			start(t);
		table_machine_row(t);
	}
	table_clear_row(t);
}

void table_end(struct table *t)
{
	size_t i;

	if (is_human(t))
		table_text_end(t);
	else if (!t->started && t->n)
		start(t);
	for (i = 0; i < t->n; i++) {
		free(t->columns[i].name);
		buf_free(&t->columns[i].key);
		buf_free(&t->columns[i].head);
		buf_free(&t->columns[i].name_lines);
		buf_free(&t->columns[i].first);
		map_free(&t->columns[i].texts);
		distinct_texts_free(&t->columns[i].distinct);
	}
	free(t->columns);
	free(t->row);
	buf_free(&t->kind);
	buf_free(&t->text);
	buf_free(&t->held);
	buf_free(&t->one);
	buf_free(&t->two);
	buf_free(&t->brief);
	buf_free(&t->line);
	free(t);
}

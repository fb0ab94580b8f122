#include "table/table.h"

#include "base/num_format.h"
#include "table/table_data.h"
#include "table/table_layout.h"
#include "table/table_machine.h"

#include <math.h>
#include <stdlib.h>

struct table {
	struct out *out;
	struct table_options options;
	struct table_data data;
	struct table_machine machine; /* writes the formats for programs */
	struct table_layout layout;   /* writes the formats for people */
	bool started;                 /* the layout has begun */
};

static bool is_human(const struct table *t)
{
	return t->options.format >= TABLE_MD;
}

struct table *table_begin(struct out *o, const struct table_options *options)
{
	struct table *t = mem_zero(1, sizeof *t);

	t->out = o;
	t->options = *options;
	t->machine.format = options->format;
	t->layout.options = &t->options;
	t->layout.data = &t->data;
	t->layout.out = o;
	return t;
}

size_t table_column(struct table *t, struct str name, enum column_kind kind)
{
	return table_column_of(t, name, &(const struct column_type){kind, NULL, name.n, name.n, name.n});
}

size_t table_column_of(struct table *t, struct str name, const struct column_type *type)
{
	return table_data_column(&t->data, name, type, table_options_unit(&t->options, type->kind), !is_human(t));
}

void table_kind(struct table *t, struct str json)
{
	size_t i;

	for (i = 0; i < t->data.n; i++) {
		if (!strcmp(t->data.columns[i].name, "kind"))
			return;
	}
	buf_lit(&t->machine.kind, "\"kind\":");
	buf_add(&t->machine.kind, json.p, json.n);
}

void table_none(struct table *t, size_t column, const char *text)
{
	t->data.columns[column].none = text;
}

void table_set(struct table *t, size_t column, const struct value *v)
{
	table_data_set(&t->data, column, v->type, v->text);
}

void table_set_int(struct table *t, size_t column, int128 v)
{
	char text[NUM_ROOM];

	table_data_set(&t->data, column, VALUE_INT, (struct str){text, (size_t)(num_put_i128(text, v) - text)});
}

void table_set_real(struct table *t, size_t column, double v)
{
	char text[NUM_ROOM];

	if (isfinite(v))
		table_data_set(
		    &t->data, column, VALUE_REAL, (struct str){text, (size_t)(num_put_double(text, v) - text)});
}

void table_set_scaled(struct table *t, size_t column, double v)
{
	table_set_real(t, column, v);
	t->data.row[column].scaled = !is_human(t);
}

void table_scale_of(const struct table *t, size_t column, int64_t *times, int64_t *over)
{
	const struct table_column *c = &t->data.columns[column];
	const bool scaled = c->unit && !is_human(t);

	*times = scaled && c->from ? c->from->factor : 1;
	*over = scaled ? c->unit->factor : 1;
}

void table_set_approx(struct table *t, size_t column, double v)
{
	table_set_real(t, column, v);
	t->data.row[column].approx = true;
}

void table_row(struct table *t)
{
	if (!is_human(t)) {
		table_machine_row(&t->machine, t->out, &t->data);
	} else if (t->started) {
		table_layout_row(&t->layout);
	} else {
		table_data_hold(&t->data);
		t->started = t->options.look && t->data.n_held > t->options.look;
		if (t->started)
			table_layout_begin(&t->layout, true);
	}
	table_data_clear(&t->data);
}

void table_end(struct table *t)
{
	if (!is_human(t))
		table_machine_head(&t->machine, t->out, &t->data);
	else if (!t->started && t->data.n)
		table_layout_begin(&t->layout, false);
	table_layout_free(&t->layout);
	table_machine_free(&t->machine);
	table_data_free(&t->data);
	free(t);
}

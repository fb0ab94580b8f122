#include "row_writer.h"

#include "column_names.h"

#include <stdlib.h>

/* Sets a cell to all values of a reference with [], as an array. */
static void set_elements(struct row_writer *w, struct event *e, size_t column, struct value *v)
{
	size_t i;

	w->text.n = 0;
	buf_char(&w->text, '[');
	for (i = 1; v->type != VALUE_NONE; i++) {
		if (i > 1)
			buf_char(&w->text, ',');
		buf_add(&w->text, v->text.p, v->text.n);
		field_get(&w->fields->list[column], e, i, v);
	}
	buf_char(&w->text, ']');
	*v = (struct value){.type = VALUE_OTHER, .text = buf_str(&w->text)};
	table_set(w->table, column, v);
}

/* The state of set_member() while it fills one row. */
struct member_row {
	struct row_writer *writer;
	/* column of the preceding member; MAP_NONE for the first member, or if that member has no column */
	size_t column;
	bool missing; /* the row has a member without a column, which was reported */
};

static void set_member(void *arg, struct str name, struct str text)
{
	struct member_row *row = arg;
	struct row_writer *w = row->writer;
	struct buf message = {0};

	row->column = column_names_find(w->members, name, row->column + 1);
	if (row->column != MAP_NONE) {
		if (text.p[0] != 'n') /* null is treated as absent */
			table_set_json(w->table, row->column, text);
		return;
	}
	/* The member first occurred after the columns were fixed. */
	if (!w->missing) {
		buf_lit(&message, "member '");
		buf_add(&message, name.p, name.n < 80 ? name.n : 80);
		buf_lit(&message, "' not shown: the first 1000 records lack it; name columns with -f");
		w->missing = str_dup(buf_str(&message));
		buf_free(&message);
	}
	if (!row->missing)
		input_lost(w->in, w->missing);
	row->missing = true;
}

void row_writer_write(struct row_writer *w, struct event *e)
{
	struct member_row row = {w, MAP_NONE, false};
	struct value v;
	size_t i;

	for (i = 0; i < w->fields->n; i++) {
		if (!field_get(&w->fields->list[i], e, 0, &v))
			continue;
		if (w->fields->list[i].each)
			set_elements(w, e, i, &v);
		else
			table_set(w->table, i, &v);
	}
	if (!w->fields->n)
		column_names_visit(w->members, e->raw, set_member, &row);
	table_row(w->table);
}

void row_writer_free(struct row_writer *w)
{
	buf_free(&w->text);
	free(w->missing);
}

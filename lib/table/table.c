#include "table/table.h"

#include "base/num_format.h"
#include "json/string.h"
#include "table/table_data.h"
#include "table/table_layout.h"

#include <math.h>
#include <stdlib.h>

struct table {
	struct out *out;
	struct table_options options;
	struct table_data data;
	struct table_layout layout; /* writes the formats for people */
	bool started;               /* the layout has begun, or the line with the names was written */
	struct buf kind;            /* ndjson: the key and value of the member `kind`; empty: rows do not have it */
	struct buf decoded;         /* the text of a cell */
};

struct table *table_begin(struct out *o, const struct table_options *options)
{
	struct table *t = mem_zero(1, sizeof *t);

	t->out = o;
	t->options = *options;
	t->data.options = &t->options;
	t->layout.data = &t->data;
	t->layout.out = o;
	return t;
}

size_t table_column(struct table *t, struct str name, enum column_kind kind)
{
	return table_column_of(t, name, &(const struct column_meaning){kind, NULL, name.n, name.n, name.n});
}

size_t table_column_of(struct table *t, struct str name, const struct column_meaning *meaning)
{
	return table_data_column(&t->data, name, meaning);
}

void table_kind(struct table *t, struct str json)
{
	size_t i;

	for (i = 0; i < t->data.n; i++) {
		if (!strcmp(t->data.columns[i].name, "kind"))
			return;
	}
	buf_lit(&t->kind, "\"kind\":");
	buf_add(&t->kind, json.p, json.n);
}

void table_none(struct table *t, size_t column, const char *text)
{
	t->data.columns[column].none = text;
}

void table_set(struct table *t, size_t column, const struct value *v)
{
	table_data_set(&t->data, column, v->type, v->text);
}

void table_set_json(struct table *t, size_t column, struct str json)
{
	struct value v;

	value_of(&v, json);
	table_set(t, column, &v);
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
	t->data.row[column].scaled = !table_options_are_human(&t->options);
}

void table_scale_of(const struct table *t, size_t column, int64_t *times, int64_t *over)
{
	const struct table_column *c = &t->data.columns[column];
	const bool scaled = c->unit && !table_options_are_human(&t->options);

	*times = scaled && c->from ? c->from->factor : 1;
	*over = scaled ? c->unit->factor : 1;
}

void table_set_approx(struct table *t, size_t column, double v)
{
	table_set_real(t, column, v);
	t->data.row[column].approx = true;
}

/* --- the formats for programs, which are written directly into the buffer of the output --- */

/* Returns the text of a JSON string, which is valid until the next call. */
static struct str decoded_text(struct table *t, struct str json)
{
	t->decoded.n = 0;
	json_unescape(&t->decoded, json_inner(json));
	return buf_str(&t->decoded);
}

static char *put_csv(struct table *t, char *p, enum value_type type, struct str s)
{
	const bool string = type == VALUE_STRING;
	size_t i;

	if (string && !memchr(s.p, '\\', s.n)) {
		/*
		 * JSON text without a backslash contains no quote and no line end, so its JSON quotes also serve as CSV
		 * quotes.
		 */
		if (s.n == 2 || memchr(s.p, ',', s.n))
			return str_copy(p, s);
		return str_copy(p, json_inner(s));
	}
	if (string)
		s = decoded_text(t, s);
	if (!memchr(s.p, '"', s.n) && !memchr(s.p, ',', s.n) && !memchr(s.p, '\n', s.n) && !memchr(s.p, '\r', s.n))
		return str_copy(p, s);
	*p++ = '"';
	for (i = 0; i < s.n; i++) { /* doubles the quotes */
		if (s.p[i] == '"')
			*p++ = '"';
		*p++ = s.p[i];
	}
	*p++ = '"';
	return p;
}

static char *put_tsv(struct table *t, char *p, enum value_type type, struct str s)
{
	static const char plain[] = "\t\n\r\\", escaped[] = "tnr\\";
	const char *hit;
	size_t i;

	if (type == VALUE_STRING) {
		if (!memchr(s.p, '\\', s.n))
			return str_copy(p, json_inner(s));
		s = decoded_text(t, s);
	}
	for (i = 0; i < s.n; i++) {
		hit = s.p[i] ? strchr(plain, s.p[i]) : NULL;
		if (hit)
			*p++ = '\\';
		*p++ = hit ? escaped[hit - plain] : s.p[i];
	}
	return p;
}

/* Writes a number, in the unit of its column unless it is in this unit already. */
static char *put_number(const struct table *t, char *p, size_t i)
{
	const struct table_column *c = &t->data.columns[i];
	struct str cell = table_data_text(&t->data, i);

	return c->unit && !t->data.row[i].scaled ? table_column_put(p, c, cell, -1) : str_copy(p, cell);
}

static char *put_cells(struct table *t, char *p)
{
	bool csv = t->options.format == TABLE_CSV;
	char *start = p;
	size_t i;

	for (i = 0; i < t->data.n; i++) {
		if (i)
			*p++ = csv ? ',' : '\t';
		if (table_data_is_number(&t->data, i))
			p = put_number(t, p, i);
		else if (t->data.row[i].type != VALUE_NONE)
			p = (csv ? put_csv : put_tsv)(t, p, t->data.row[i].type, table_data_text(&t->data, i));
	}
	/* Many programs would not read an empty line as a row. */
	if (csv && t->data.n == 1 && p == start)
		p = str_copy(p, STR("\"\""));
	return p;
}

static char *put_members(struct table *t, char *p)
{
	char *start = p;
	size_t i;

	*p++ = '{';
	p = str_copy(p, buf_str(&t->kind));
	for (i = 0; i < t->data.n; i++) {
		if (t->data.row[i].type == VALUE_NONE)
			continue;
		if (p > start + 1)
			*p++ = ',';
		p = str_copy(p, buf_str(&t->data.columns[i].key));
		if (table_data_is_number(&t->data, i))
			p = put_number(t, p, i);
		else
			p = str_copy(p, table_data_text(&t->data, i));
	}
	*p++ = '}';
	return p;
}

/* Writes cells with their texts decoded, whatever bytes they contain. */
static char *put_raw(struct table *t, char *p)
{
	struct str cell;
	size_t i;

	for (i = 0; i < t->data.n; i++) {
		if (t->data.row[i].type == VALUE_NONE)
			continue;
		cell = table_data_text(&t->data, i);
		if (t->data.row[i].type == VALUE_STRING)
			cell = decoded_text(t, cell);
		if (table_data_is_number(&t->data, i))
			p = put_number(t, p, i);
		else
			p = str_copy(p, cell);
		if (!cell.n || p[-1] != '\n')
			*p++ = '\n';
	}
	return p;
}

/* Writes the line with the names of the columns (csv and tsv), if it was not written. */
static void write_names(struct table *t)
{
	const bool csv = t->options.format == TABLE_CSV;
	struct buf name = {0};
	char *p;
	size_t i;

	if (t->started)
		return;
	t->started = true;
	if ((!csv && t->options.format != TABLE_TSV) || !t->data.n)
		return;
	for (i = 0; i < t->data.n; i++) {
		name.n = 0;
		json_quote(&name, str_of(t->data.columns[i].name));
		p = out_room(t->out, 2 * name.n + 4);
		if (i)
			*p++ = csv ? ',' : '\t';
		out_used(t->out, (csv ? put_csv : put_tsv)(t, p, VALUE_STRING, buf_str(&name)));
	}
	out_char(t->out, '\n');
	buf_free(&name);
}

static void write_row(struct table *t)
{
	size_t need = 2 * t->data.text.n + t->kind.n + 8, i;
	char *p;

	write_names(t);
	for (i = 0; i < t->data.n; i++)
		need += t->data.columns[i].key.n + NUM_ROOM + 4;
	p = out_room(t->out, need);
	if (t->options.format == TABLE_RAW) {
		p = put_raw(t, p);
	} else {
		p = t->options.format == TABLE_NDJSON ? put_members(t, p) : put_cells(t, p);
		*p++ = '\n';
	}
	out_used(t->out, p);
}

/* --- rows --- */

void table_row(struct table *t)
{
	if (!table_options_are_human(&t->options)) {
		write_row(t);
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
	if (!table_options_are_human(&t->options))
		write_names(t);
	else if (!t->started && t->data.n)
		table_layout_begin(&t->layout, false);
	table_layout_free(&t->layout);
	bufs_free(&t->kind, &t->decoded);
	table_data_free(&t->data);
	free(t);
}

#include "table/table_machine.h"

#include "base/num_format.h"
#include "json/string.h"

#include <string.h>

static char *put(char *p, const void *from, size_t n)
{
	memcpy(p, from, n);
	return p + n;
}

/* Writes s between quotes and doubles the quotes in it. Writes up to 2 * s.n + 2 bytes. */
static char *put_quoted(char *p, struct str s)
{
	size_t i;

	*p++ = '"';
	for (i = 0; i < s.n; i++) {
		if (s.p[i] == '"')
			*p++ = '"';
		*p++ = s.p[i];
	}
	*p++ = '"';
	return p;
}

/* Returns the text of a JSON string, which is valid until the next call. */
static struct str decoded_text(struct table_machine *m, struct str json)
{
	m->text.n = 0;
	json_unescape(&m->text, json_inner(json));
	return buf_str(&m->text);
}

static char *put_csv(struct table_machine *m, char *p, enum value_type type, struct str s)
{
	bool string = type == VALUE_STRING;

	if (string && !memchr(s.p, '\\', s.n)) {
		/*
		 * JSON text without a backslash contains no quote and no line end, so its JSON quotes also serve as CSV
		 * quotes.
		 */
		if (s.n == 2 || memchr(s.p, ',', s.n))
			return put(p, s.p, s.n);
		return put(p, s.p + 1, s.n - 2);
	}
	if (string)
		s = decoded_text(m, s);
	if (memchr(s.p, '"', s.n) || memchr(s.p, ',', s.n) || memchr(s.p, '\n', s.n) || memchr(s.p, '\r', s.n))
		return put_quoted(p, s);
	return put(p, s.p, s.n);
}

static char *put_tsv(struct table_machine *m, char *p, enum value_type type, struct str s)
{
	static const char plain[] = "\t\n\r\\", escaped[] = "tnr\\";
	const char *hit;
	size_t i;

	if (type == VALUE_STRING) {
		if (!memchr(s.p, '\\', s.n))
			return put(p, s.p + 1, s.n - 2);
		s = decoded_text(m, s);
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
static char *put_number(char *p, const struct table_data *data, size_t i)
{
	const struct table_column *c = &data->columns[i];
	struct str cell = table_data_text(data, i);

	return c->unit && !data->row[i].scaled ? table_column_put(p, c, cell, -1) : put(p, cell.p, cell.n);
}

static char *put_cells(struct table_machine *m, char *p, const struct table_data *data)
{
	bool csv = m->format == TABLE_CSV;
	char *start = p;
	size_t i;

	for (i = 0; i < data->n; i++) {
		if (i)
			*p++ = csv ? ',' : '\t';
		if (table_data_is_number(data, i))
			p = put_number(p, data, i);
		else if (data->row[i].type != VALUE_NONE)
			p = (csv ? put_csv : put_tsv)(m, p, data->row[i].type, table_data_text(data, i));
	}
	/* Many programs would not read an empty line as a row. */
	if (csv && data->n == 1 && p == start)
		p = put(p, "\"\"", 2);
	return p;
}

static char *put_members(struct table_machine *m, char *p, const struct table_data *data)
{
	char *start = p;
	size_t i;

	*p++ = '{';
	if (m->kind.n)
		p = put(p, m->kind.p, m->kind.n);
	for (i = 0; i < data->n; i++) {
		if (data->row[i].type == VALUE_NONE)
			continue;
		if (p > start + 1)
			*p++ = ',';
		p = put(p, data->columns[i].key.p, data->columns[i].key.n);
		if (table_data_is_number(data, i))
			p = put_number(p, data, i);
		else
			p = put(p, table_data_text(data, i).p, data->row[i].n);
	}
	*p++ = '}';
	return p;
}

/* Writes cells with their texts decoded, whatever bytes they contain. */
static char *put_raw(struct table_machine *m, char *p, const struct table_data *data)
{
	struct str cell;
	size_t i;

	for (i = 0; i < data->n; i++) {
		if (data->row[i].type == VALUE_NONE)
			continue;
		cell = table_data_text(data, i);
		if (data->row[i].type == VALUE_STRING)
			cell = decoded_text(m, cell);
		if (table_data_is_number(data, i))
			p = put_number(p, data, i);
		else if (cell.n)
			p = put(p, cell.p, cell.n);
		if (!cell.n || p[-1] != '\n')
			*p++ = '\n';
	}
	return p;
}

void table_machine_head(struct table_machine *m, struct out *out, const struct table_data *data)
{
	const bool csv = m->format == TABLE_CSV;
	struct buf name = {0};
	char *p;
	size_t i;

	if (m->has_head)
		return;
	m->has_head = true;
	if ((!csv && m->format != TABLE_TSV) || !data->n)
		return;
	for (i = 0; i < data->n; i++) {
		name.n = 0;
		json_quote(&name, str_of(data->columns[i].name));
		p = out_room(out, 2 * name.n + 4);
		if (i)
			*p++ = csv ? ',' : '\t';
		out_used(out, (csv ? put_csv : put_tsv)(m, p, VALUE_STRING, buf_str(&name)));
	}
	out_char(out, '\n');
	buf_free(&name);
}

void table_machine_row(struct table_machine *m, struct out *out, const struct table_data *data)
{
	size_t need = 2 * data->text.n + m->kind.n + 8, i;
	char *p;

	table_machine_head(m, out, data);
	for (i = 0; i < data->n; i++)
		need += data->columns[i].key.n + NUM_ROOM + 4;
	p = out_room(out, need);
	if (m->format == TABLE_RAW) {
		p = put_raw(m, p, data);
	} else {
		p = m->format == TABLE_NDJSON ? put_members(m, p, data) : put_cells(m, p, data);
		*p++ = '\n';
	}
	out_used(out, p);
}

void table_machine_free(struct table_machine *m)
{
	buf_free(&m->kind);
	buf_free(&m->text);
}

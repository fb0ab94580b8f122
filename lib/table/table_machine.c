/* table_machine: writes rows in the machine formats (ndjson csv tsv raw), directly into the output's buffer. */
#include "table/table_private.h"

#include "json/string.h"
#include "base/num_format.h"

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

static char *put_csv(struct table *t, char *p, enum value_type type, struct str s)
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
	if (string) {
		t->one.n = 0;
		json_unescape(&t->one, json_inner(s));
		s = (struct str){t->one.p, t->one.n};
	}
	if (memchr(s.p, '"', s.n) || memchr(s.p, ',', s.n) || memchr(s.p, '\n', s.n) || memchr(s.p, '\r', s.n))
		return put_quoted(p, s);
	return put(p, s.p, s.n);
}

static char *put_tsv(struct table *t, char *p, enum value_type type, struct str s)
{
	static const char plain[] = "\t\n\r\\", escaped[] = "tnr\\";
	const char *hit;
	size_t i;

	if (type == VALUE_STRING) {
		s = json_inner(s);
		if (!memchr(s.p, '\\', s.n))
			return put(p, s.p, s.n);
		t->one.n = 0;
		json_unescape(&t->one, s);
		s = (struct str){t->one.p, t->one.n};
	}
	for (i = 0; i < s.n; i++) {
		hit = s.p[i] ? strchr(plain, s.p[i]) : NULL;
		if (hit)
			*p++ = '\\';
		*p++ = hit ? escaped[hit - plain] : s.p[i];
	}
	return p;
}

static char *put_number(const struct table *t, char *p, size_t i)
{
	const struct table_column *c = &t->columns[i];
	struct str cell = table_cell(t, i);

	return c->unit && !t->row[i].scaled ? table_put_number(p, cell, c, -1) : put(p, cell.p, cell.n);
}

static char *put_cells(struct table *t, char *p)
{
	bool csv = t->options.format == TABLE_CSV;
	char *start = p;
	size_t i;

	for (i = 0; i < t->n; i++) {
		if (i)
			*p++ = csv ? ',' : '\t';
		if (table_is_number(t->row[i].type))
			p = put_number(t, p, i);
		else if (t->row[i].type != VALUE_NONE)
			p = (csv ? put_csv : put_tsv)(t, p, t->row[i].type, table_cell(t, i));
	}
	/* Many programs would not read an empty line as a row. */
	if (csv && t->n == 1 && p == start)
		p = put(p, "\"\"", 2);
	return p;
}

static char *put_members(struct table *t, char *p)
{
	char *start = p;
	size_t i;

	*p++ = '{';
	if (t->kind.n)
		p = put(p, t->kind.p, t->kind.n);
	for (i = 0; i < t->n; i++) {
		if (t->row[i].type == VALUE_NONE)
			continue;
		if (p > start + 1)
			*p++ = ',';
		p = put(p, t->columns[i].key.p, t->columns[i].key.n);
		if (table_is_number(t->row[i].type))
			p = put_number(t, p, i);
		else
			p = put(p, table_cell(t, i).p, t->row[i].n);
	}
	*p++ = '}';
	return p;
}

/* Writes cells with their texts decoded, whatever bytes they contain. */
static char *put_raw(struct table *t, char *p)
{
	struct str cell;
	size_t i;

	for (i = 0; i < t->n; i++) {
		cell = table_cell(t, i);
		if (t->row[i].type == VALUE_NONE)
			continue;
		if (t->row[i].type == VALUE_STRING) {
			t->one.n = 0;
			json_unescape(&t->one, json_inner(cell));
			cell = (struct str){t->one.p, t->one.n};
		}
		if (table_is_number(t->row[i].type))
			p = put_number(t, p, i);
		else
			p = put(p, cell.p, cell.n);
		if (!cell.n || p[-1] != '\n')
			*p++ = '\n';
	}
	return p;
}

void table_machine_row(struct table *t)
{
	size_t need = 2 * t->text.n + t->kind.n + 8, i;
	char *p;

	for (i = 0; i < t->n; i++)
		need += t->columns[i].key.n + NUM_ROOM + 4;
	p = out_room(t->out, need);
	if (t->options.format == TABLE_RAW) {
		p = put_raw(t, p);
	} else {
		p = t->options.format == TABLE_NDJSON ? put_members(t, p) : put_cells(t, p);
		*p++ = '\n';
	}
	out_used(t->out, p);
}

void table_machine_head(struct table *t)
{
	bool csv = t->options.format == TABLE_CSV;
	char *p;
	size_t i;

	for (i = 0; i < t->n; i++) {
		t->two.n = 0;
		json_quote(&t->two, str_of(t->columns[i].name));
		p = out_room(t->out, 2 * t->two.n + 4);
		if (i)
			*p++ = csv ? ',' : '\t';
		p = (csv ? put_csv : put_tsv)(t, p, VALUE_STRING, (struct str){t->two.p, t->two.n});
		out_used(t->out, p);
	}
	out_char(t->out, '\n');
}

#include "section_table.h"

#include "base/err.h"
#include "expression/running_sums.h"
#include "json/write.h"
#include "rows.h"

#include <stdlib.h>

/* A column of the table. `short_*`: in the short form, if `brief`. */
struct section_column {
	struct str member, unit, color, title, short_unit, short_title;
	bool brief, sum, rest; /* rest: rows that are left out have a sum */
	bool known;            /* one of them has a value */
	struct running_sum left_out;
};

/* --- columns --- */

/* Returns the column of the table with this member, or NULL. */
static struct section_column *find(const struct section_table *t, struct str member)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		if (str_eq(t->columns[i].member, member))
			return &t->columns[i];
	}
	return NULL;
}

/* Takes the next part of a list with | between its parts. */
static struct str next_part(struct str *list)
{
	const size_t bar = str_find(*list, STR(" | "));
	const struct str part = str_trim(str_head(*list, bar));

	*list = str_from(*list, bar + 3);
	return part;
}

/* Adds the columns of a line: MEMBER UNIT:COLOR TITLE | ... */
static void take_columns(struct section_table *t, struct str line)
{
	while (line.n) {
		struct str text = next_part(&line), color;
		struct section_column column = {.member = section_word(&text)};

		color = section_word(&text);
		str_split(&color, ':', &column.unit);
		column.color = color;
		column.title = text;
		t->columns = mem_grow(t->columns, &t->cap, t->n + 1, sizeof *t->columns);
		t->columns[t->n++] = column;
	}
}

/* Without columns, the values of the lines `row` are the columns: of one, or of a list of figures. */
static void take_rows(struct section_table *t)
{
	size_t i;

	for (i = 0; i < t->block->n && t->block->kind == SECTION_SECTION; i++) {
		struct str names = t->block->lines[i].text, name;

		if (!str_eq(t->block->lines[i].key, STR("row")))
			continue;
		names = str_head(names, field_span(names, "="));
		while ((name = section_word(&names)).n)
			take_columns(t, name);
	}
}

/* Adds the columns of a line to the short form: MEMBER [UNIT TITLE] | ... */
static void take_short(struct section_table *t, struct str line)
{
	while (line.n) {
		struct str text = next_part(&line);
		struct section_column *c = find(t, section_word(&text));

		if (!c)
			continue;
		c->brief = true;
		c->short_unit = section_word(&text);
		c->short_title = text;
	}
}

/* Reads a line with the members that are summed up. */
static void take_sums(struct section_table *t, struct str list, bool sum)
{
	struct str member;

	while ((member = section_word(&list)).n) {
		struct section_column *c = find(t, member);

		if (c) {
			c->rest = true;
			c->sum = sum;
		}
	}
}

/* Appends a member of a column with its figures, unless it is empty. */
static void write_part(const struct section_table *t, struct buf *to, const char *key, struct str part)
{
	char *text = figures_text(t->figures, part, FIGURES_PLAIN);

	if (part.n && !str_eq(part, STR("-")))
		json_write_text(to, key, str_of(text));
	free(text);
}

static void write_column(const struct section_table *t, struct buf *to, const struct section_column *c)
{
	json_write_begin(to, NULL, '{');
	json_write_text(to, "name", c->member);
	write_part(t, to, "title", c->title);
	write_part(t, to, "unit", c->unit);
	write_part(t, to, "color", c->color);
	if (c->brief && c->short_title.n)
		write_part(t, to, "brief", c->short_title);
	else if (c->brief)
		json_write_bool(to, "brief", true);
	write_part(t, to, "brief_unit", c->short_unit);
	if (c->sum)
		json_write_bool(to, "sum", true);
	json_write_end(to, '}');
}

void section_table_begin(struct section_table *t, struct buf *to)
{
	size_t i;

	for (i = 0; i < t->block->n; i++) {
		const struct section_line *line = &t->block->lines[i];

		if (str_eq(line->key, STR("columns")))
			take_columns(t, line->text);
		else if (str_eq(line->key, STR("short")))
			take_short(t, line->text);
		else if (str_eq(line->key, STR("sums")) || str_eq(line->key, STR("rest")))
			take_sums(t, line->text, str_eq(line->key, STR("sums")));
	}
	if (!t->n)
		take_rows(t);
	json_write_begin(to, "columns", '[');
	for (i = 0; i < t->n; i++)
		write_column(t, to, &t->columns[i]);
	json_write_end(to, ']');
}

void section_table_free(struct section_table *t)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		running_sum_free(&t->columns[i].left_out);
	free(t->columns);
	free(t->id);
}

/* --- rows --- */

static void begin(struct buf *to, const char *kind, const char *id)
{
	buf_char(to, '{');
	json_write_text(to, "kind", str_of(kind));
	json_write_text(to, "section", str_of(id));
}

static void end(struct buf *to)
{
	buf_lit(to, "}\n");
}

/* Appends a member, unless the value is absent. */
static void write_value(struct buf *to, struct str name, const struct result *value)
{
	if (value->type == RESULT_ABSENT || value->type == RESULT_FAILED)
		return;
	json_write_name(to, name);
	result_write(to, value);
}

static void write_member(struct buf *to, struct rows *r, struct str name)
{
	const struct result value = rows_member(r, name);

	write_value(to, name, &value);
}

/* Appends a row of the table or a mark: its columns, the name that its label stands for, its link and its color. */
static void write_row(const struct section_table *t, const char *kind, struct rows *r, struct buf *to)
{
	size_t i;

	begin(to, kind, t->id);
	for (i = 0; i < t->n; i++)
		write_member(to, r, t->columns[i].member);
	if (find(t, STR("label")))
		write_member(to, r, STR("name"));
	write_member(to, r, STR("link"));
	write_member(to, r, STR("color"));
	end(to);
}

/* Appends the sums of the rows that were left out, if columns have them. */
static void write_sums(const struct section_table *t, struct buf *to, size_t left_out)
{
	const size_t before = to->n;
	bool any = false;
	size_t i;

	begin(to, "report/row", t->id);
	json_write_int(to, "rest", (int64_t)left_out);
	for (i = 0; i < t->n; i++) {
		const struct section_column *c = &t->columns[i];
		const struct result sum = running_sum_get(&c->left_out);

		any |= c->rest;
		if (c->known)
			write_value(to, c->member, &sum);
	}
	end(to);
	if (!any)
		to->n = before;
}

void section_table_rows(struct section_table *t, const struct answer *a, size_t limit, struct buf *to)
{
	size_t seen = 0, i;
	struct rows r;

	for (rows_open(&r, t->figures, a, t->block); rows_next(&r);) {
		if (++seen <= limit)
			write_row(t, "report/row", &r, to);
		for (i = 0; i < t->n; i++) {
			struct section_column *c = &t->columns[i];
			const struct result value = rows_member(&r, c->member);

			if (!c->rest || seen <= limit || value.type == RESULT_ABSENT)
				continue;
			running_sum_add(&c->left_out, &value);
			c->known = true;
		}
	}
	rows_close(&r);
	if (seen > limit)
		write_sums(t, to, seen - limit);
}

void section_table_marks(struct section_table *t, const struct answer *a, struct buf *to)
{
	struct rows r;

	take_columns(t, STR("lane | depth | at | dur | share | heat | shares | count | label"));
	for (rows_open(&r, t->figures, a, t->block); rows_next(&r);)
		write_row(t, "report/mark", &r, to);
	rows_close(&r);
}

#include "section_table.h"

#include "base/err.h"
#include "expression/arithmetic.h"
#include "expression/running_sums.h"
#include "json/write.h"
#include "rows.h"

#include <stdlib.h>

enum column_part { COLUMN_MEMBER, COLUMN_TITLE, COLUMN_UNIT, COLUMN_COLOR, COLUMN_PARTS };

/* A column of the table, or of its short form. */
struct section_column {
	struct str member;
	struct buf parts[COLUMN_PARTS];
	bool brief, mean, rest; /* has a mean of all rows, a sum of those that are left out */
	struct running_sum all, left_out;
};

/* --- columns --- */

/* Takes a condition in brackets from the beginning of a text; returns whether it holds. */
static bool take_condition(struct figures *f, struct str *text)
{
	const size_t close = str_find(*text, STR("]"));
	struct str condition;

	if (!text->n || text->p[0] != '[')
		return true;
	condition = str_head(str_from(*text, 1), close - 1);
	*text = str_from(*text, close + 1);
	return figures_hold(f, condition);
}

/* Returns the column of the table with this member, or NULL if its condition does not hold. */
static struct section_column *find(const struct section_table *t, struct str member)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		if (!t->columns[i].brief && str_eq(t->columns[i].member, member))
			return &t->columns[i];
	}
	return NULL;
}

/* Adds the columns of a line: [CONDITION] MEMBER UNIT:COLOR TITLE | ... */
static void take_columns(struct section_table *t, struct str line, bool brief)
{
	while (line.n) {
		const size_t bar = str_find(line, STR(" | "));
		struct section_column column = {.brief = brief};
		struct str text = str_trim(str_head(line, bar)), color, unit;

		line = str_from(line, bar + 3);
		if (!take_condition(t->figures, &text))
			continue;
		column.member = section_word(&text);
		color = section_word(&text);
		str_split(&color, ':', &unit);
		buf_add(&column.parts[COLUMN_MEMBER], column.member.p, column.member.n);
		figures_expand(t->figures, &column.parts[COLUMN_TITLE], text, FIGURES_PLAIN, NULL);
		if (!str_eq(unit, STR("-")))
			figures_expand(t->figures, &column.parts[COLUMN_UNIT], unit, FIGURES_PLAIN, NULL);
		buf_add(&column.parts[COLUMN_COLOR], color.p, color.n);
		t->columns = mem_grow(t->columns, &t->cap, t->n + 1, sizeof *t->columns);
		t->columns[t->n++] = column;
	}
}

/* Reads a line with members: adds them to the short form, or marks the columns as those of sums or means. */
static void take_members(struct section_table *t, const struct section_line *line)
{
	struct str list = line->text, member;

	while ((member = section_word(&list)).n) {
		struct section_column *c = find(t, member);

		if (c && str_eq(line->key, STR("short")))
			take_columns(t, member, true);
		else if (c && str_eq(line->key, STR("means")))
			c->mean = true;
		else if (c)
			c->rest = true;
	}
}

/* Appends an array with a part of each column. An array of empty texts is left out if it is optional. */
static void write_parts(
    const struct section_table *t, struct buf *to, const char *key, enum column_part part, bool brief, bool optional)
{
	const size_t before = to->n;
	size_t i;

	json_write_begin(to, key, '[');
	for (i = 0; i < t->n; i++) {
		if (t->columns[i].brief == brief)
			json_write_text(to, NULL, buf_str(&t->columns[i].parts[part]));
		optional &= t->columns[i].brief != brief || !t->columns[i].parts[part].n;
	}
	json_write_end(to, ']');
	if (optional)
		to->n = before;
}

void section_table_begin(struct section_table *t, struct buf *to)
{
	static const char *const member_lines[] = {"short", "sums", "rest", "means", NULL};
	struct str sums = section_block_text(t->block, "sums"), member;
	size_t i;

	for (i = 0; i < t->block->n; i++) {
		const struct section_line *line = &t->block->lines[i];

		if (str_eq(line->key, STR("columns")) || str_eq(line->key, STR("short_columns")))
			take_columns(t, line->text, str_eq(line->key, STR("short_columns")));
		else if (str_in(line->key, member_lines))
			take_members(t, line);
	}
	write_parts(t, to, "columns", COLUMN_MEMBER, false, false);
	write_parts(t, to, "titles", COLUMN_TITLE, false, false);
	write_parts(t, to, "units", COLUMN_UNIT, false, false);
	write_parts(t, to, "colors", COLUMN_COLOR, false, true);
	write_parts(t, to, "brief", COLUMN_MEMBER, true, true);
	write_parts(t, to, "brief_titles", COLUMN_TITLE, true, true);
	write_parts(t, to, "brief_units", COLUMN_UNIT, true, true);
	if (!sums.n)
		return;
	json_write_begin(to, "sums", '[');
	while ((member = section_word(&sums)).n) {
		if (find(t, member))
			json_write_text(to, NULL, member);
	}
	json_write_end(to, ']');
}

void section_table_free(struct section_table *t)
{
	size_t i, part;

	for (i = 0; i < t->n; i++) {
		for (part = 0; part < COLUMN_PARTS; part++)
			buf_free(&t->columns[i].parts[part]);
		running_sum_free(&t->columns[i].all);
		running_sum_free(&t->columns[i].left_out);
	}
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

/* Appends a row of the table or a mark: its columns, the name that its label stands for, and its color. */
static void write_row(const struct section_table *t, const char *kind, struct rows *r, struct buf *to)
{
	size_t i;

	begin(to, kind, t->id);
	for (i = 0; i < t->n; i++) {
		if (!t->columns[i].brief)
			write_member(to, r, t->columns[i].member);
	}
	if (find(t, STR("label")))
		write_member(to, r, STR("name"));
	write_member(to, r, STR("color"));
	end(to);
}

/* Appends the means of `seen` rows, or the sums of the rows that were left out, if columns have them. */
static void write_sums(const struct section_table *t, struct buf *to, size_t seen, size_t left_out)
{
	struct result count = result_int((int128)seen);
	const size_t before = to->n;
	bool any = false;
	size_t i;

	begin(to, "report/row", t->id);
	if (left_out)
		json_write_int(to, "rest", (int64_t)left_out);
	else
		json_write_text(to, "label", STR("mean"));
	for (i = 0; i < t->n; i++) {
		const struct section_column *c = &t->columns[i];
		struct result sum = running_sum_get(left_out ? &c->left_out : &c->all);

		if (!(left_out ? c->rest : c->mean))
			continue;
		any = true;
		if (!left_out)
			sum = arithmetic_quotient(&(struct operands){.a = &sum, .b = &count});
		write_value(to, c->member, &sum);
	}
	if (!left_out)
		json_write_bool(to, "mean", true);
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

			if (c->mean && value.type != RESULT_ABSENT)
				running_sum_add(&c->all, &value);
			if (c->rest && seen > limit && value.type != RESULT_ABSENT)
				running_sum_add(&c->left_out, &value);
		}
	}
	rows_close(&r);
	if (seen > 1)
		write_sums(t, to, seen, 0);
	if (seen > limit)
		write_sums(t, to, seen, seen - limit);
}

void section_table_marks(struct section_table *t, const struct answer *a, struct buf *to)
{
	struct rows r;

	take_columns(t, STR("lane | depth | at | dur | share | count | label"), false);
	for (rows_open(&r, t->figures, a, t->block); rows_next(&r);)
		write_row(t, "report/mark", &r, to);
	rows_close(&r);
}

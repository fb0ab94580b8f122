#include "section_table.h"

#include "base/err.h"
#include "expression/arithmetic.h"
#include "json/write.h"

#include <stdlib.h>

/* A column of the table, or of its short form. */
struct section_column {
	struct str field, color;
	struct buf unit, title;
	bool brief;
	struct expression *x;
};

/* A column whose values are added. */
struct section_total {
	struct str field;
	bool mean; /* of all rows; otherwise: the sum of the rows that are left out */
	struct expression *x;
	struct running_sum sum;
};

/* --- columns --- */

/* Takes a condition in brackets from the beginning of a text; returns whether it holds. */
static bool take_condition(struct section_figures *f, struct str *text)
{
	const size_t close = str_find(*text, STR("]"));
	struct str condition;

	if (!text->n || text->p[0] != '[')
		return true;
	condition = str_head(str_from(*text, 1), close - 1);
	*text = str_from(*text, close + 1);
	return figures_hold(f, condition);
}

static void take_column(struct section_table *t, struct str text, bool brief)
{
	struct section_column column = {.brief = brief};
	struct str unit;

	if (!take_condition(t->figures, &text))
		return;
	column.field = section_word(&text);
	column.color = section_word(&text);
	str_split(&column.color, ':', &unit);
	if (!str_eq(unit, STR("-")))
		figures_expand(t->figures, &column.unit, unit, FIGURES_PLAIN);
	figures_expand(t->figures, &column.title, text, FIGURES_PLAIN);
	t->columns = mem_grow(t->columns, &t->columns_cap, t->n_columns + 1, sizeof *t->columns);
	t->columns[t->n_columns++] = column;
}

/* Returns whether the table has the column: its condition holds. */
static bool has_column(const struct section_table *t, struct str field)
{
	size_t i;

	for (i = 0; i < t->n_columns; i++) {
		if (!t->columns[i].brief && str_eq(t->columns[i].field, field))
			return true;
	}
	return false;
}

/* Adds the columns of a line `short` that the table has to its short form. */
static void add_short_columns(struct section_table *t, struct str fields)
{
	struct str field;

	while ((field = section_word(&fields)).n) {
		if (has_column(t, field))
			take_column(t, field, true);
	}
}

enum column_part { COLUMN_FIELD, COLUMN_TITLE, COLUMN_UNIT, COLUMN_COLOR };

static struct str part_of(const struct section_column *c, enum column_part part)
{
	switch (part) {
	case COLUMN_FIELD:
		return c->field;
	case COLUMN_TITLE:
		return buf_str(&c->title);
	case COLUMN_UNIT:
		return buf_str(&c->unit);
	default:
		return c->color;
	}
}

/* Appends an array with this part of each column; nothing if all parts are empty. */
static void write_parts(const struct section_table *t, const char *key, enum column_part part, bool brief, bool always)
{
	bool any = always;
	size_t i;

	for (i = 0; i < t->n_columns; i++)
		any |= t->columns[i].brief == brief && part_of(&t->columns[i], part).n > 0;
	if (!any)
		return;
	json_write_begin(t->to, key, '[');
	for (i = 0; i < t->n_columns; i++) {
		if (t->columns[i].brief == brief)
			json_write_text(t->to, NULL, part_of(&t->columns[i], part));
	}
	json_write_end(t->to, ']');
}

static void add_totals(struct section_table *t, const char *key, bool mean)
{
	struct str list = section_block_text(t->block, key), field;

	while ((field = section_word(&list)).n) {
		if (!has_column(t, field))
			continue;
		t->totals = mem_grow(t->totals, &t->totals_cap, t->n_totals + 1, sizeof *t->totals);
		t->totals[t->n_totals++] = (struct section_total){.field = field, .mean = mean};
	}
}

void section_table_begin(struct section_table *t, struct buf *to)
{
	const struct section_block *b = t->block;
	struct str sums = section_block_text(b, "sums"), field;
	size_t i;

	t->to = to;
	for (i = 0; i < b->n; i++) {
		const bool brief = str_eq(b->lines[i].key, STR("brief"));

		if (brief || str_eq(b->lines[i].key, STR("column")))
			take_column(t, b->lines[i].text, brief);
		else if (str_eq(b->lines[i].key, STR("short")))
			add_short_columns(t, b->lines[i].text);
	}
	write_parts(t, "columns", COLUMN_FIELD, false, true);
	write_parts(t, "titles", COLUMN_TITLE, false, true);
	write_parts(t, "units", COLUMN_UNIT, false, true);
	write_parts(t, "colors", COLUMN_COLOR, false, false);
	write_parts(t, "brief", COLUMN_FIELD, true, false);
	write_parts(t, "brief_titles", COLUMN_TITLE, true, false);
	write_parts(t, "brief_units", COLUMN_UNIT, true, false);
	add_totals(t, "sums", false);
	add_totals(t, "rest", false);
	add_totals(t, "means", true);
	if (!sums.n)
		return;
	json_write_begin(to, "sums", '[');
	while ((field = section_word(&sums)).n) {
		if (has_column(t, field))
			json_write_text(to, NULL, field);
	}
	json_write_end(to, ']');
}

void section_table_free(struct section_table *t)
{
	size_t i;

	for (i = 0; i < t->n_columns; i++) {
		buf_free(&t->columns[i].unit);
		buf_free(&t->columns[i].title);
		expression_free(t->columns[i].x);
	}
	for (i = 0; i < t->n_totals; i++) {
		expression_free(t->totals[i].x);
		running_sum_free(&t->totals[i].sum);
	}
	free(t->columns);
	free(t->totals);
}

/* --- rows --- */

static void begin(struct section_table *t, const char *kind)
{
	buf_char(t->to, '{');
	json_write_text(t->to, "kind", str_of(kind));
	json_write_text(t->to, "section", str_of(t->id));
}

static void end(struct section_table *t)
{
	json_write_end(t->to, '}');
	buf_char(t->to, '\n');
}

/* Appends a member, unless the value is absent. */
static void write_value(struct section_table *t, struct str name, const struct result *value)
{
	if (value->type == RESULT_ABSENT || value->type == RESULT_FAILED)
		return;
	json_write_name(t->to, name);
	result_write(t->to, value);
}

static void write_field(struct section_table *t, struct str name, struct event *row)
{
	struct expression *x = rows_compile_member(&t->rows, name);
	const struct result value = expression_value(x, &t->figures->scope, row);

	write_value(t, name, &value);
	expression_free(x);
}

static void write_row(struct section_table *t, struct event *row)
{
	bool label = false;
	size_t i;

	begin(t, "report/row");
	for (i = 0; i < t->n_columns; i++) {
		const struct result value = expression_value(t->columns[i].x, &t->figures->scope, row);

		if (t->columns[i].brief)
			continue;
		label |= str_eq(t->columns[i].field, STR("label"));
		write_value(t, t->columns[i].field, &value);
	}
	if (label)
		write_field(t, STR("name"), row);
	write_field(t, STR("color"), row);
	end(t);
}

/* For rows_read(). */
static void take_row(void *arg, struct event *row)
{
	struct section_table *t = arg;
	size_t i;

	t->seen++;
	if (t->seen <= t->limit)
		write_row(t, row);
	for (i = 0; i < t->n_totals; i++) {
		struct section_total *total = &t->totals[i];
		const struct result value = expression_value(total->x, &t->figures->scope, row);

		if ((total->mean || t->seen > t->limit) && value.type != RESULT_ABSENT)
			running_sum_add(&total->sum, &value);
	}
}

static void write_totals(struct section_table *t, bool mean)
{
	struct result count = result_int((int128)t->seen);
	size_t i;

	for (i = 0; i < t->n_totals; i++) {
		struct result sum = running_sum_get(&t->totals[i].sum);

		if (t->totals[i].mean != mean)
			continue;
		if (mean)
			sum = arithmetic_quotient(&(struct operands){.a = &sum, .b = &count});
		write_value(t, t->totals[i].field, &sum);
	}
}

void section_table_rows(struct section_table *t, const struct answer *a, struct buf *to)
{
	size_t i;

	t->to = to;
	rows_init(&t->rows, t->figures, a, t->block);
	for (i = 0; i < t->n_columns; i++)
		t->columns[i].x = rows_compile_member(&t->rows, t->columns[i].field);
	for (i = 0; i < t->n_totals; i++)
		t->totals[i].x = rows_compile_member(&t->rows, t->totals[i].field);
	rows_read(&t->rows, take_row, t);
	rows_free(&t->rows);
	if (section_block_text(t->block, "means").n && t->seen > 1) {
		begin(t, "report/row");
		json_write_text(t->to, "label", STR("mean"));
		write_totals(t, true);
		json_write_bool(t->to, "mean", true);
		end(t);
	}
	if (t->seen > t->limit && (section_block_text(t->block, "sums").n || section_block_text(t->block, "rest").n)) {
		begin(t, "report/row");
		json_write_int(t->to, "rest", (int64_t)(t->seen - t->limit));
		write_totals(t, false);
		end(t);
	}
}

/* --- marks --- */

static const char *const mark_members[] = {
    "lane", "depth", "at", "dur", "share", "count", "color", "name", "label", NULL};

/* Appends a mark; `color` and `share`, if they are not NULL, take the place of the members. */
static void write_mark(
    struct section_table *t, struct event *row, const struct result *color, const struct result *share)
{
	const char *const *member;

	begin(t, "report/mark");
	for (member = mark_members; *member; member++) {
		if (share && (str_eq(str_of(*member), STR("color")) || str_eq(str_of(*member), STR("name"))))
			write_value(t, str_of(*member), color);
		else if (share && str_eq(str_of(*member), STR("share")))
			write_value(t, STR("share"), share);
		else
			write_field(t, str_of(*member), row);
	}
	end(t);
}

static void take_mark(void *arg, struct event *row)
{
	struct section_table *t = arg;
	struct buf expression = {0};
	bool stacked = false;
	size_t i;

	for (i = 0; i < t->block->n; i++) {
		struct str text = t->block->lines[i].text;
		struct result color, share;

		if (!str_eq(t->block->lines[i].key, STR("stack")))
			continue;
		stacked = true;
		color = result_text(section_word(&text));
		expression.n = 0;
		figures_expand(t->figures, &expression, text, FIGURES_EXPRESSION);
		share = figures_value(t->figures, buf_str(&expression), row);
		if (share.type == RESULT_REAL ? share.d > 0 : share.type == RESULT_INT && share.i > 0)
			write_mark(t, row, &color, &share);
	}
	if (!stacked)
		write_mark(t, row, NULL, NULL);
	buf_free(&expression);
}

void section_table_marks(struct section_table *t, const struct answer *a, struct buf *to)
{
	t->to = to;
	rows_init(&t->rows, t->figures, a, t->block);
	rows_read(&t->rows, take_mark, t);
	rows_free(&t->rows);
}

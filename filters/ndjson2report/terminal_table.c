#include "terminal_table.h"

#include "base/int_math.h"
#include "base/num_format.h"
#include "table/text_cut.h"
#include "table/text_width.h"
#include "terminal_cell.h"
#include "terminal_names.h"
#include "terminal_text.h"

#include <stdlib.h>

enum {
	LEAST_FIRST = 16, /* minimum columns of the first column; others are left out for it */
	GAP = 2,          /* minimum space before a column */
	MOST_TEXT = 30,   /* maximum width of a text in another column than the first */
};

/* A column of the table. Its cells are in the rows' order, followed by the sum. */
struct table_field {
	size_t column;
	bool right; /* aligned at the right: numbers */
	struct str title;
	size_t width; /* with the space before it */
	struct terminal_names cells;
};

/*
 * The table that is being made. The first field holds the names; fields[0].column may be joined with the next column.
 */
struct terminal_table {
	struct terminal *t;
	const struct report_section *section;
	struct table_field *fields;
	size_t n;             /* number of fields */
	size_t joined;        /* column whose texts are in the cells of the first one, too; n_columns: none */
	size_t rows;          /* number of rows that are shown, without the sums */
	uint64_t others;      /* number of rows in the sums; 0: no sums */
	struct buf text, two; /* scratch */
};

static bool is_shown(const struct report_row *row)
{
	return !row->rest && !row->mean;
}

/* --- columns --- */

static const struct report_unit *unit_of(const struct terminal_table *table, size_t column)
{
	const struct report_section *s = table->section;
	size_t i;

	for (i = 0; i < s->n_brief; i++) {
		if (s->brief[i].column == column)
			return &s->brief[i].unit;
	}
	return &s->columns[column].unit;
}

/* Makes the fields. A column with the unit `path` is joined with the next one. */
static void make_fields(struct terminal_table *table)
{
	const struct report_section *s = table->section;
	size_t i;

	table->fields = mem_zero(s->n_brief, sizeof *table->fields);
	table->joined = s->n_columns;
	for (i = 0; i < s->n_brief; i++) {
		const struct report_brief *b = &s->brief[i];
		struct table_field *f = &table->fields[table->n];

		if (i == 1 && unit_of(table, s->brief[0].column)->measure == REPORT_MEASURE_PATH) {
			table->joined = b->column;
			if (!table->fields[0].title.n)
				table->fields[0].title = b->title;
			continue;
		}
		f->column = b->column;
		f->title = b->title;
		f->right = table->n && !report_unit_is_text(unit_of(table, b->column));
		table->n++;
	}
}

/* --- cells --- */

static struct str cell_text(struct terminal_table *table, size_t column, const struct value *v)
{
	table->text.n = 0;
	terminal_cell_put(&table->text, table->t, unit_of(table, column), v);
	return buf_str(&table->text);
}

/* Returns the text of the first cell of a row; "a › b" if two columns are joined. */
static struct str first_text(struct terminal_table *table, const struct report_row *row)
{
	const size_t column = table->fields[0].column;
	struct str text = cell_text(table, column, &row->cells[column]);

	if (table->joined == table->section->n_columns)
		return text;
	if (row->cells[column].type != VALUE_NONE && row->cells[table->joined].type != VALUE_NONE)
		terminal_text_put(&table->text, table->t, STR(" › "));
	terminal_cell_put(&table->text, table->t, unit_of(table, table->joined), &row->cells[table->joined]);
	return buf_str(&table->text);
}

/* Adds a row's cells. The member `name` is the whole text of a first column that is a short form of it. */
static void add_cells(struct terminal_table *table, const struct report_row *row)
{
	size_t i;

	table->two.n = 0;
	terminal_text_put(&table->two, table->t, report_record_text(&row->record, "name"));
	terminal_names_add(&table->fields[0].cells, first_text(table, row), buf_str(&table->two));
	for (i = 1; i < table->n; i++) {
		struct table_field *f = &table->fields[i];

		terminal_names_add(&f->cells, cell_text(table, f->column, &row->cells[f->column]), STR(""));
	}
}

/* Adds a value to *sum, whose text is made by finish_sum(). */
static void add_value(struct value *sum, const struct value *v)
{
	if (!report_is_number(v))
		return;
	if (sum->type == VALUE_NONE)
		*sum = (struct value){.type = VALUE_INT};
	if (v->type == VALUE_REAL)
		sum->type = VALUE_REAL;
	sum->i = int_add(sum->i, v->i);
	sum->d += v->d;
}

/* Adds the cells of the line that sums up all rows after the first table->rows ones. */
static void add_sums(struct terminal_table *table)
{
	const struct report_section *s = table->section;
	size_t i, k, skipped;

	table->text.n = 0;
	terminal_cell_put_others(&table->text, table->others);
	terminal_names_add(&table->fields[0].cells, buf_str(&table->text), STR(""));
	for (i = 1; i < table->n; i++) {
		struct table_field *f = &table->fields[i];
		struct value sum = {.type = VALUE_NONE};
		char text[NUM_ROOM];

		for (k = skipped = 0; s->columns[f->column].sums && k < s->n_rows; k++) {
			const struct report_row *row = &s->rows[k];

			if (row->rest || (is_shown(row) && skipped++ >= table->rows))
				add_value(&sum, &row->cells[f->column]);
		}
		if (sum.type == VALUE_INT)
			sum.text = (struct str){text, (size_t)(num_put_i64(text, sum.i) - text)};
		else if (sum.type == VALUE_REAL)
			sum.text = (struct str){text, (size_t)(num_put_double(text, sum.d) - text)};
		terminal_names_add(&f->cells, cell_text(table, f->column, &sum), STR(""));
	}
}

static void make_cells(struct terminal_table *table, size_t most)
{
	const struct report_section *s = table->section;
	bool sums = false;
	size_t i;

	for (i = 0; i < s->n_rows && table->rows < most; i++) {
		if (is_shown(&s->rows[i])) {
			add_cells(table, &s->rows[i]);
			table->rows++;
		}
	}
	for (i = 0; i < s->n_columns; i++)
		sums |= s->columns[i].sums;
	table->others = sums ? terminal_cell_hidden(s, table->rows) : 0;
	if (table->others)
		add_sums(table);
}

/* --- widths --- */

/* Returns the minimum width of a column, so that the columns of all tables of a report are under each other. */
static size_t least_width(const struct terminal_table *table, size_t i)
{
	const enum report_measure measure = unit_of(table, table->fields[i].column)->measure;

	if (i + 1 == table->n)
		return 11;
	return measure == REPORT_MEASURE_SHARE || measure == REPORT_MEASURE_COUNT ? 8 : 9;
}

/* Sets the widths, and drops fields at the right until the first one is wide enough. */
static void set_widths(struct terminal_table *table)
{
	const size_t all = table->t->width;
	size_t i, used = 0, least, width;

	for (i = 1; i < table->n; i++) {
		struct table_field *f = &table->fields[i];

		width = terminal_names_widest(&f->cells);
		if (!f->right && width > MOST_TEXT)
			width = MOST_TEXT;
		if (text_width(f->title) > width)
			width = text_width(f->title);
		least = least_width(table, i);
		f->width = width + GAP > least ? width + GAP : least;
		used += f->width;
	}
	while (table->n > 1 && used + LEAST_FIRST > all)
		used -= table->fields[--table->n].width;
	if (table->n)
		table->fields[0].width = all - used;
}

/* --- lines --- */

static void add_cell(
    struct terminal *t, const struct table_field *f, bool first, enum terminal_style style, struct str text)
{
	const size_t end = t->column + f->width, gap = first ? 0 : GAP, have = text_width(text);

	terminal_pad_to(t, f->right && have < f->width ? end - have : t->column + gap);
	terminal_add_styled(t, style, text);
	terminal_pad_to(t, end);
}

static void write_lines(struct terminal_table *table)
{
	struct terminal *t = table->t;
	struct buf room = {0};
	size_t i, row;

	for (i = 0; i < table->n; i++) {
		struct table_field *f = &table->fields[i];

		table->text.n = room.n = 0;
		terminal_text_put(&table->text, t, f->title);
		text_cut_end(&room, buf_str(&table->text), f->width - (i ? GAP : 0));
		add_cell(t, f, i == 0, TERMINAL_BOLD, buf_str(&room));
		terminal_names_fit(&f->cells, f->width - (i ? GAP : 0));
	}
	terminal_end_line(t);
	for (row = 0; row < table->rows + (table->others > 0); row++) {
		for (i = 0; i < table->n; i++)
			add_cell(t, &table->fields[i], i == 0, TERMINAL_PLAIN,
			    terminal_names_get(&table->fields[i].cells, row, &room));
		terminal_end_line(t);
	}
	buf_free(&room);
}

void terminal_table_write(struct terminal *t, const struct report_section *s, size_t most)
{
	struct terminal_table table = {.t = t, .section = s};
	size_t i;

	if (!s->n_brief)
		return;
	make_fields(&table);
	make_cells(&table, most);
	set_widths(&table);
	write_lines(&table);
	for (i = 0; i < s->n_brief; i++)
		terminal_names_free(&table.fields[i].cells);
	free(table.fields);
	buf_free(&table.text);
	buf_free(&table.two);
}

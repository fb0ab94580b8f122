/* What the files table*.c share; no other file includes it. */
#ifndef TABLE_PRIVATE_H
#define TABLE_PRIVATE_H

#include "table/table.h"
#include "base/map.h"
#include "base/mem.h"

struct table_cell {
	enum value_type type;
	bool approx;
	size_t at, n; /* of its text in the row's */
};

enum { GAP = 2 }; /* spaces between columns */

struct table_form {
	size_t at, n; /* of its text in the column's form_text; n = 0: none */
};

struct table_column {
	char *name;
	struct buf key; /* ndjson: "name": */
	enum column_kind kind;
	const char *none;
	/* measured in the rows held back */
	bool numbers, strings; /* has cells that are numbers, others */
	double largest;
	int decimals; /* that its numbers need, in the unit */
	/* decided from that */
	const struct unit *unit;
	struct buf head;  /* the header's cell, */
	size_t head_name; /* where in it the name ends, and a space and a unit may follow */
	size_t cells;     /* width of the widest cell of the rows held back */
	size_t width;
	/* table_distinct.c */
	struct map texts;       /* of the rows held back, whole */
	struct table_form *forms;     /* what is shown of each where its cut form would be another's, too; or NULL */
	struct buf form_text;
};

struct table {
	struct out *out;
	struct table_options options;
	struct table_column *columns;
	struct table_cell *row;
	size_t n, cap_columns, cap_row;
	struct buf text;     /* of the row being made */
	struct buf held;     /* rows, cell by cell: length << 4 | approx << 3 | type, and the text */
	size_t n_held;
	struct buf one, two; /* scratch: a cell decoded, a cell as it is shown */
	struct buf brief;    /* scratch: a name made short */
	struct buf line;     /* being put together */
	size_t head_width;   /* of the widest column's head */
	bool stacked;        /* units stand under the names of their columns */
	bool started;        /* the columns are decided and the header was written */
	bool list_row;       /* a row of a list was written */
};

/* --- table.c --- */

static inline bool table_is_number(enum value_type type)
{
	return type == VALUE_INT || type == VALUE_REAL;
}

static inline bool table_at_right(const struct table_column *c)
{
	return c->numbers && !c->strings;
}

static inline struct str table_cell(const struct table *t, size_t column)
{
	const struct table_cell *cell = &t->row[column];

	return (struct str){t->text.p + cell->at, cell->n};
}

void table_set_cell(struct table *t, size_t column, enum value_type type, struct str text);
void table_clear_row(struct table *t);

/* The unit that -u gave columns of that kind, or NULL; ndjson csv tsv have none. */
const struct unit *table_given_unit(const struct table *t, enum column_kind kind);

int table_power_of_ten(int64_t factor); /* -1 when it is none */

/*
 * A number in a unit (NULL: as it is), with decimals as num_put_scaled() takes them. Some form always
 * comes of it; up to NUM_ROOM bytes.
 */
char *table_put_number(char *p, struct str number, const struct unit *unit, int decimals);

/* --- table_machine.c: csv, tsv, ndjson, raw --- */

void table_machine_row(struct table *t);  /* writes the current row */
void table_machine_head(struct table *t); /* csv and tsv: writes the names, as cells */

/* --- table_text.c: md, table, list --- */

void table_text_row(struct table *t);  /* the current row, held back or written */
void table_text_end(struct table *t);  /* writes what is held back */

/* A table in a terminal, whose columns are fitted to its width. */
static inline bool table_is_fitted(const struct table *t)
{
	return t->options.format == TABLE_TABLE && t->options.width && !t->options.wide;
}

/* --- table_display.c --- */

enum { TABLE_DECIMALS = 3 }; /* at most, of numbers of 1 and more */

/* A cell of the current row as it is shown, its name short or `whole`; until the next call. */
struct str table_display_cell(struct table *t, size_t column, bool whole);

/* Appends text with what would break the line or the terminal made visible. */
void table_display_text(const struct table *t, struct buf *to, struct str s);

/* --- table_measure.c --- */

/* Holds the current row back. */
void table_measure_hold(struct table *t);

/* Makes each row that is held back the current one in turn. */
void table_measure_each(struct table *t, void (*visit)(struct table *t));

/* Decides the columns' units, decimals, headers and widths from the rows held back. `more`: rows follow. */
void table_measure_columns(struct table *t, bool more);

/* --- table_distinct.c --- */

/* Adds the names and lists of names in the current row to the texts of their columns. */
void table_distinct_gather(struct table *t);

/* The width that a column should have: more than that of short names where several of them are the same. */
size_t table_distinct_width(struct table *t, const struct table_column *c);

/* Decides what is shown of texts that would look the same in the column's width. */
void table_distinct_show(struct table *t, struct table_column *c);

/* What table_distinct_show() chose for a cell of the current row; empty when the cell is shown like any other. */
struct str table_distinct_form(struct table *t, size_t column);

/* --- table_fit.c --- */

/*
 * Makes the columns fit the terminal, from the widths that they would have: units go under the names of their columns,
 * then the widest columns of text are narrowed. Where texts of the rows held back would look the same then, because
 * names are short or cut, the parts that differ are shown.
 */
void table_fit(struct table *t);

#endif

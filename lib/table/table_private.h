/* table_private: declarations shared by the files table*.c; no other file includes it. */
#ifndef TABLE_PRIVATE_H
#define TABLE_PRIVATE_H

#include "table/table.h"
#include "base/map.h"
#include "base/mem.h"
#include "table/distinct_texts.h"

struct table_cell {
	enum value_type type;
	bool approx;
	bool scaled;  /* the number is in the column's unit */
	size_t at, n; /* offset and length of the cell's text in the row's text */
};

enum { GAP = 2 }; /* spaces between columns */

struct table_column {
	char *name;
	struct buf key; /* for ndjson: the key with its colon, "name": */
	enum column_kind kind;
	const struct unit *from; /* the unit of the values as they are set; NULL: ns or bytes */
	struct str field;        /* the field's name, a view of the beginning of `name` */
	const char *none;
	/* measured in the rows held back */
	bool numbers, strings; /* numbers: some cells are numbers; strings: some cells are not */
	double largest;        /* absolute value, in ns or bytes */
	int decimals;          /* number of decimals that its numbers need in the unit */
	/* decided from the measurements */
	const struct unit *unit;
	struct buf head;       /* the header's cell */
	size_t head_name;      /* offset in `head` at which the name ends; a space and a unit may follow */
	struct buf name_lines; /* the name, split into lines that end with newlines; empty: the name is not split */
	size_t cells;          /* width of the widest cell in the rows held back */
	bool constant;         /* all cells in the rows held back are equal */
	bool hidden;           /* the column is not in the table; a line before the table has its name and value */
	struct buf first;      /* the text of the cell in the first row */
	size_t width;
	/* table_distinct.c */
	struct map texts;               /* the full texts of this column in the rows held back */
	struct distinct_texts distinct; /* the forms of texts that, when cut, would look like another one */
};

struct table {
	struct out *out;
	struct table_options options;
	struct table_column *columns;
	struct table_cell *row;
	size_t n, cap_columns, cap_row;
	struct buf kind; /* ndjson: the key and value of the member `kind`; empty: rows do not have this member */
	struct buf text; /* texts of the row being made */
	struct buf held; /* the rows held back; for each cell: length << 4 | approx << 3 | type, then the text */
	size_t n_held;
	struct buf one, two; /* one: a decoded cell; two: a cell as it is shown */
	struct buf brief;    /* scratch: a shortened name */
	struct buf line;     /* the line being composed */
	size_t head_width;   /* width of the widest header cell */
	bool stacked;        /* units are in a line below the names of their columns */
	size_t head_lines;   /* maximum number of lines into which a name is split */
	bool as_list;        /* rows are written as lists, because the table does not fit in the terminal */
	bool started;        /* the columns are decided and the header is written */
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

/* Returns the unit given by -u for columns of that kind, or NULL. */
const struct unit *table_given_unit(const struct table *t, enum column_kind kind);

/*
 * Returns how many decimals an integer has when it is written in the column's unit: 3 for ns in us. Returns -1 when the
 * ratio of the units is not a power of ten, as for bytes in KiB.
 */
int table_exact_decimals(const struct table_column *c);

/*
 * Writes a number of a column in the column's unit, up to NUM_ROOM bytes. For `decimals`, see num_put_scaled(). If
 * num_put_scaled() cannot write the number, writes it in another form.
 */
char *table_put_number(char *p, struct str number, const struct table_column *c, int decimals);

/* Returns the factor by which a number is multiplied when it is written in the column's unit: 0.001 for ns in us. */
double table_scale(const struct table_column *c);

/* --- table_machine.c: csv, tsv, ndjson, raw --- */

void table_machine_row(struct table *t);  /* writes the current row */
void table_machine_head(struct table *t); /* csv and tsv: writes the names, as cells */

/* --- table_text.c: md, table, list --- */

void table_text_row(struct table *t); /* holds the current row back, or writes it */
void table_text_end(struct table *t); /* writes the rows held back */

/* Returns whether the columns are fitted to the width of a terminal. */
static inline bool table_is_fitted(const struct table *t)
{
	return t->options.format == TABLE_TABLE && t->options.width && !t->options.wide;
}

/* --- table_display.c --- */

enum {
	TABLE_DECIMALS = 3,       /* maximum number of decimals, except for small numbers */
	TABLE_MOST_DECIMALS = 12, /* maximum number of decimals for small numbers */
};

/*
 * Returns a cell of the current row as it is shown. Names are shortened, unless `whole` is set. The result is valid
 * until the next call.
 */
struct str table_display_cell(struct table *t, size_t column, bool whole);

/* Appends text in which all characters that would break the line or disturb the terminal are escaped. */
void table_display_text(const struct table *t, struct buf *to, struct str s);

/* --- table_measure.c --- */

/* Returns the number of digits after the point of a number; 0 for a number with an exponent. */
int table_decimals(const char *p, const char *end);

/* Holds the current row back. */
void table_measure_hold(struct table *t);

/* Calls `visit` once for each row held back, after making that row the current row. */
void table_measure_each(struct table *t, void (*visit)(struct table *t));

/* Decides the columns' units, decimals, headers and widths from the rows held back. `more`: more rows follow. */
void table_measure_columns(struct table *t, bool more);

/* --- table_distinct.c --- */

/* Adds the names and lists of names in the current row to the texts of their columns. */
void table_distinct_gather(struct table *t);

/* Returns the width that a column should have: c->width, or more if several names have the same short form. */
size_t table_distinct_width(struct table_column *c);

/* Decides how to show texts that would look the same in the column's width. */
void table_distinct_show(struct table_column *c);

/*
 * Returns the form that table_distinct_show() chose for a cell of the current row; empty when the cell is shown as
 * usual.
 */
struct str table_distinct_form(struct table *t, size_t column);

/* --- table_fit.c --- */

/*
 * Fits the columns to the terminal, starting from their natural widths: moves units below the names of their columns,
 * splits names into several lines, hides columns whose cells are all equal, and narrows the widest columns of text. If
 * the table is still too wide, rows are written as lists. `more`: more rows follow the rows held back. If different
 * texts in the rows held back would look the same, because they are shortened or cut, the parts in which they differ
 * are shown.
 */
void table_fit(struct table *t, bool more);

#endif

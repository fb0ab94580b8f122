/*
 * table_data: the columns of a table, its current row and the rows held back; and numbers in the unit of their column.
 */
#ifndef TABLE_DATA_H
#define TABLE_DATA_H

#include "json/value.h"
#include "table/column_meaning.h"
#include "table/table_format.h"

struct table_column {
	char *name;
	struct buf key; /* for ndjson: the key with its colon, "name": */
	enum column_kind kind;
	const struct unit *from; /* the unit of the values as they are set; NULL: ns or bytes */
	const struct unit *unit; /* the unit in which they are written; NULL: as they are set */
	struct str field;        /* the field's name, a view of the beginning of `name` */
	const char *none;        /* the text of absent cells for people; NULL: none */
	/* set by table_display_measure(): */
	bool right;            /* all its cells in the first rows are numbers: it is aligned at the right */
	struct buf head;       /* the header's cell: the name; a space and the unit may follow */
	size_t head_name;      /* length of the name */
	bool numbers, strings; /* numbers: some cells are numbers; strings: some cells are not */
	double largest;        /* absolute value, in ns or bytes */
	int decimals;          /* number of decimals that its numbers need in the unit */
};

struct table_cell {
	enum value_type type;
	bool approx;  /* an estimate: it has only the digits that are known */
	bool scaled;  /* the number is in the column's unit */
	size_t at, n; /* offset and length of the cell's text, which is JSON, in the row's text */
};

/* Zero-initialise and set `options`. */
struct table_data {
	const struct table_options *options;
	struct table_column *columns;
	struct table_cell *row; /* the current row; cells that were not set have the type VALUE_NONE */
	size_t n;               /* number of columns */
	struct buf text;        /* the texts of the current row */
	size_t n_held;          /* number of rows held back */
	/* private */
	size_t cap_columns, cap_row;
	struct buf held;                  /* for each cell: length << 4 | approx << 3 | type, then the text */
	size_t next;                      /* offset of the next row in `held` */
	struct buf decoded, shown, brief; /* scratch of table_display_cell() */
};

/* Adds a column and returns its index. In the formats for programs, its name has the unit of its numbers. */
size_t table_data_column(struct table_data *d, struct str name, const struct column_meaning *meaning);

/* Sets a cell of the current row; the text is copied. */
static inline void table_data_set(struct table_data *d, size_t column, enum value_type type, struct str text)
{
	d->row[column] = (struct table_cell){type, false, false, d->text.n, text.n};
	buf_add(&d->text, text.p, text.n);
}

static inline struct str table_data_text(const struct table_data *d, size_t column)
{
	return (struct str){d->text.p + d->row[column].at, d->row[column].n};
}

/* Returns whether the cell of the current row is a number. */
static inline bool table_data_is_number(const struct table_data *d, size_t column)
{
	return d->row[column].type == VALUE_INT || d->row[column].type == VALUE_REAL;
}

/* Makes all cells of the current row absent. */
void table_data_clear(struct table_data *d);

/* Holds a copy of the current row back. */
void table_data_hold(struct table_data *d);

/*
 * Makes the next row held back the current row. Returns false after the last one; then the current row is empty. *row
 * must be 0 at the first call.
 */
bool table_data_next(struct table_data *d, size_t *row);

/* Drops the rows held back. */
void table_data_drop(struct table_data *d);

void table_data_free(struct table_data *d);

/* Returns the factor by which a number is multiplied when it is written in the column's unit: 0.001 for ns in us. */
double table_column_scale(const struct table_column *c);

/*
 * Returns how many decimals an integer has when it is written in the column's unit: 3 for ns in us. Returns -1 when the
 * ratio of the units is not a power of ten, as for bytes in KiB.
 */
int table_column_decimals(const struct table_column *c);

/*
 * Writes a number in the column's unit, up to NUM_ROOM bytes, and returns its end. For `decimals`, see
 * num_put_scaled(). A number that num_put_scaled() cannot write has another form.
 */
char *table_column_put(char *p, const struct table_column *c, struct str number, int decimals);

#endif

/* What table.c and table_human.c share; nobody else includes it. */
#ifndef TABLE_PRIVATE_H
#define TABLE_PRIVATE_H

#include "table.h"

struct cell {
	enum value_type type;
	size_t at, n; /* of its text in the row's */
};

struct column {
	char *name;
	struct buf key; /* ndjson: "name": */
	enum column_kind kind;
	const char *none;
	/* measured in the rows held back */
	bool numbers, texts;
	double largest;
	int decimals; /* that its numbers need, in the unit */
	/* decided from that */
	const struct num_unit *unit;
	struct buf head; /* the header's cell */
	size_t width;
};

struct table {
	struct out *out;
	struct table_options options;
	struct column *columns;
	struct cell *row;
	size_t n, cap_columns, cap_row;
	struct buf text;     /* of the row being made */
	struct buf held;     /* rows, cell by cell: length << 3 | type, and the text */
	size_t n_held;
	struct buf one, two; /* scratch: a cell decoded, a cell as it is shown */
	struct buf brief;    /* scratch: a name made short */
	struct buf line;     /* being put together */
	size_t head_width;   /* of the widest column's head */
	bool started;        /* the columns are decided and the header was written */
	bool list_row;       /* a row of a list was written */
};

/* --- table.c --- */

static inline bool table_is_number(enum value_type type)
{
	return type == VALUE_INT || type == VALUE_REAL;
}

static inline struct str table_cell(const struct table *t, size_t column)
{
	const struct cell *cell = &t->row[column];

	return (struct str){t->text.p + cell->at, cell->n};
}

void table_set_cell(struct table *t, size_t column, enum value_type type, struct str text);
void table_clear_row(struct table *t);

/* The unit that -u gave columns of that kind, or NULL. */
const struct num_unit *table_given_unit(const struct table *t, enum column_kind kind);

int table_power_of_ten(int64_t factor); /* -1 when it is none */

/*
 * A number in a unit (NULL: as it is), with decimals as num_put_scaled() takes them. Some form always
 * comes of it; up to NUM_ROOM bytes.
 */
char *table_put_number(char *p, struct str number, const struct num_unit *unit, int decimals);

/* --- table_human.c: md, table, list --- */

void table_human_row(struct table *t);  /* the current row, held back or written */
void table_human_end(struct table *t);  /* writes what is held back */

#endif

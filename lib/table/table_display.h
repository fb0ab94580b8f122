/*
 * table_display: what people see of the columns and cells of a table (md table list): units, decimals and headers,
 * which are chosen from the first rows, and the texts of cells.
 */
#ifndef TABLE_DISPLAY_H
#define TABLE_DISPLAY_H

#include "table/table_data.h"
#include "table/table_format.h"

struct display_column {
	bool right;       /* all its cells in the first rows are numbers: it is aligned at the right */
	struct buf head;  /* the header's cell: the name; a space and the unit may follow */
	size_t head_name; /* length of the name */
	/* private */
	bool numbers, strings; /* numbers: some cells are numbers; strings: some cells are not */
	double largest;        /* absolute value, in ns or bytes */
	int decimals;          /* number of decimals that its numbers need in the unit */
};

/* Zero-initialise and set the first members. */
struct table_display {
	const struct table_options *options;
	struct table_data *data;
	struct display_column *columns; /* set by table_display_measure() */
	/* private */
	struct buf decoded, shown, brief; /* the cell: decoded, as it is shown, and its short form */
};

/* Chooses units, decimals and headers from the rows held back. `more`: more rows follow. */
void table_display_measure(struct table_display *d, bool more);

/*
 * Returns the text that is shown for a cell of the current row, valid until the next call; with `whole`, names are not
 * shortened.
 */
struct str table_display_cell(struct table_display *d, size_t column, bool whole);

void table_display_free(struct table_display *d);

#endif

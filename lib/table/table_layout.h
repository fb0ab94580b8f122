/*
 * table_layout: writes rows for people (md table list): aligned columns that fit a terminal, or one cell per line. The
 * widths are those of the first rows.
 */
#ifndef TABLE_LAYOUT_H
#define TABLE_LAYOUT_H

#include "io/out.h"
#include "table/table_display.h"
#include "table/text_grid.h"

struct layout_column;

/* Zero-initialise and set the first members. */
struct table_layout {
	struct table_data *data;
	struct out *out;
	/* private */
	struct layout_column *columns;
	struct text_grid grid;
	struct buf whole;  /* scratch: the whole text of a cell */
	size_t head_width; /* width of the widest header */
	size_t head_lines; /* maximum number of lines into which a name is split */
	bool stacked;      /* units are in a line below the names of their columns */
	bool is_list;      /* rows are lists */
	bool any_row;      /* a row of a list was written */
};

/*
 * Decides how the columns are shown, and writes the rows held back; `more`: more rows follow. If the table is to fit a
 * terminal, as far as needed, units move below the names of their columns, names are split into lines, columns whose
 * cells are all equal become a line before the table, the widest columns of text are narrowed, or rows are written as
 * lists. Different texts of the rows held back look different, even if they are shortened or cut.
 */
void table_layout_begin(struct table_layout *l, bool more);

/* Writes the current row, after table_layout_begin(). */
void table_layout_row(struct table_layout *l);

void table_layout_free(struct table_layout *l);

#endif

/*
 * table_display: what people see of the columns and cells of a table (md table list): units, decimals and headers,
 * which are chosen from the first rows, and the texts of cells.
 */
#ifndef TABLE_DISPLAY_H
#define TABLE_DISPLAY_H

#include "table/table_data.h"

/* Chooses units, decimals and headers from the rows held back. `more`: more rows follow. */
void table_display_measure(struct table_data *d, bool more);

/*
 * Returns the text that is shown for a cell of the current row, valid until the next call; with `whole`, names are not
 * shortened.
 */
struct str table_display_cell(struct table_data *d, size_t column, bool whole);

#endif

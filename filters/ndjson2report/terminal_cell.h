/* terminal_cell: the texts of cells, and the number of rows that are not shown. */
#ifndef TERMINAL_CELL_H
#define TERMINAL_CELL_H

#include "terminal.h"

/*
 * Appends the text of a cell. A number has a unit unless the title of its column has it; in this case it has at most
 * one decimal. An absent value has no text; an empty name is "".
 */
void terminal_cell_put(struct buf *to, const struct terminal *t, const struct report_unit *unit, const struct value *v);

/* Cuts the text in `text` to at most `width` columns, and returns it. */
struct str terminal_cell_short(struct buf *text, size_t width);

/*
 * Returns the number of rows that are not shown when the first `shown` rows are; counts a row that sums up others as
 * these others, and does not count rows of means.
 */
uint64_t terminal_cell_hidden(const struct report_section *s, size_t shown);

/* Appends "165 others" or "1 other". */
void terminal_cell_put_others(struct buf *to, uint64_t n);

/* Adds a line with that text at a column; nothing if n is 0. */
void terminal_cell_others(struct terminal *t, uint64_t n, size_t column);

#endif

/* cell_grid: the characters of a picture on a terminal, and their colours. */
#ifndef CELL_GRID_H
#define CELL_GRID_H

#include "base/str.h"
#include "colours.h"
#include "io/out.h"

struct cell_grid {
	size_t columns, rows;
	/* private */
	struct cell *cells; /* rows * columns */
};

/* All cells are spaces at first. */
void cell_grid_init(struct cell_grid *g, size_t columns, size_t rows);

/* Sets a cell to a character and its colour; does nothing outside of the grid. A long character is written as "?". */
void cell_grid_put(struct cell_grid *g, int64_t x, int64_t y, struct str character, enum colour colour);

/* Sets the second cell of a wide character; with `space`, the first cell has a narrow one, and this cell is a space. */
void cell_grid_put_second(struct cell_grid *g, int64_t x, int64_t y, bool space);

/*
 * Writes the rows without spaces at their ends, and without empty rows at the end of the picture. `colours`: how many
 * colours the terminal has; 0: no colours are written.
 */
void cell_grid_write(const struct cell_grid *g, struct out *out, int colours);

void cell_grid_free(struct cell_grid *g);

#endif

/*
 * heat_grid: sums of time in columns of time. The columns become wider when the times do not fit in HEAT_GRID_COLUMNS,
 * so that memory is bounded and all sums stay exact.
 */
#ifndef HEAT_GRID_H
#define HEAT_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HEAT_GRID_COLUMNS = 500 };

/* A cell: the time that records ran in it, in ns, and the sum of their values, each multiplied by its time. */
struct heat_cell {
	double time, values;
};

/* Zero-initialise, and set width to 1. */
struct heat_grid {
	struct heat_cell (*rows)[HEAT_GRID_COLUMNS]; /* by lane; rows[lane][i] is the column first + i */
	size_t lanes;
	int64_t width;       /* of a column, in ns: 1 or 2 times a power of ten */
	int64_t first, last; /* numbers of the first and last column that are in use; column i begins at i * width */
	/* private */
	size_t cap;
	bool any;
};

/* Adds a value that holds from `from` to `to` (from < to, both within half of the range of int64). */
void heat_grid_add(struct heat_grid *g, size_t lane, int64_t from, int64_t to, double value);

/* Makes columns two or five times as wide, so that the widths are 1, 2, 10, 20, 100 ... ns. */
void heat_grid_widen(struct heat_grid *g);

void heat_grid_free(struct heat_grid *g);

#endif

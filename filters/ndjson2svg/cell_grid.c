#include "cell_grid.h"

#include "base/mem.h"
#include "base/num_format.h"

#include <stdlib.h>

struct cell {
	char bytes[7]; /* a character, with combining marks as far as they fit */
	uint8_t n;     /* 0: a space; SECOND: the second column of a wide character */
	uint8_t colour;
};

enum { SECOND = 255 };

void cell_grid_init(struct cell_grid *g, size_t columns, size_t rows)
{
	g->columns = columns;
	g->rows = rows;
	g->cells = mem_zero(rows ? rows : 1, columns * sizeof *g->cells);
}

/* Returns the cell at a place, or NULL if it is outside of the grid. */
static struct cell *cell_at(struct cell_grid *g, int64_t x, int64_t y)
{
	if (x < 0 || y < 0 || x >= (int64_t)g->columns || y >= (int64_t)g->rows)
		return NULL;
	return &g->cells[(size_t)y * g->columns + (size_t)x];
}

void cell_grid_put(struct cell_grid *g, int64_t x, int64_t y, struct str character, enum colour colour)
{
	struct cell *cell = cell_at(g, x, y);

	if (!cell)
		return;
	cell->n = (uint8_t)(character.n <= sizeof cell->bytes ? character.n : 1);
	memcpy(cell->bytes, character.n <= sizeof cell->bytes ? character.p : "?", cell->n);
	cell->colour = (uint8_t)colour;
}

void cell_grid_put_second(struct cell_grid *g, int64_t x, int64_t y, bool space)
{
	struct cell *cell = cell_at(g, x, y);

	if (cell)
		cell->n = space ? 0 : SECOND;
}

/* Returns the number of columns of a row without the spaces at its end. */
static size_t row_length(const struct cell_grid *g, size_t y)
{
	const struct cell *row = g->cells + y * g->columns;
	size_t n;

	for (n = g->columns; n && (!row[n - 1].n || (row[n - 1].n == 1 && row[n - 1].bytes[0] == ' ')); n--)
		;
	return n;
}

/* Changes the colour of the terminal from *now to that of a cell. */
static void set_colour(struct out *out, int colours, enum colour *now, enum colour c)
{
	char number[NUM_ROOM];

	if (!colours || *now == c)
		return;
	*now = c;
	if (c == COLOUR_N || c == COLOUR_INK) {
		out_z(out, c == COLOUR_INK ? "\033[0;1m" : "\033[0m");
		return;
	}
	out_z(out, colours == 256 ? "\033[0;38;5;" : "\033[0;");
	out_add(out, number, (size_t)(num_put_i64(number, colours_of_terminal(c, colours)) - number));
	out_char(out, 'm');
}

void cell_grid_write(const struct cell_grid *g, struct out *out, int colours)
{
	const struct cell *row;
	enum colour now;
	size_t rows = g->rows, x, y, n;

	while (rows && !row_length(g, rows - 1))
		rows--;
	for (y = 0; y < rows; y++) {
		row = g->cells + y * g->columns;
		n = row_length(g, y);
		now = COLOUR_N;
		for (x = 0; x < n; x++) {
			if (row[x].n && row[x].n != SECOND) {
				set_colour(out, colours, &now, (enum colour)row[x].colour);
				out_add(out, row[x].bytes, row[x].n);
			} else if (!row[x].n) {
				out_char(out, ' ');
			}
		}
		set_colour(out, colours, &now, COLOUR_N);
		out_char(out, '\n');
	}
}

void cell_grid_free(struct cell_grid *g)
{
	free(g->cells);
}

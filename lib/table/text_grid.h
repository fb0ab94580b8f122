/* text_grid: lines of texts in columns: aligned for a terminal, or a Markdown table. */
#ifndef TEXT_GRID_H
#define TEXT_GRID_H

#include "base/mem.h"
#include "base/str.h"

enum { TEXT_GRID_GAP = 2 }; /* spaces between columns */

struct text_grid_column {
	size_t width;
	bool right;  /* texts are aligned at the right */
	bool cut;    /* longer texts are cut in the middle */
	bool hidden; /* the column is left out */
};

/* Zero-initialise and set the first members. */
struct text_grid {
	struct text_grid_column *columns; /* the caller owns them */
	size_t n;
	bool markdown;
	struct str before, after; /* written before and after the text of each cell: a style of a terminal */
	/* private */
	struct buf line, cut;
};

/* Adds the text of a column to the line; nothing for a hidden one. Columns are added in their order. */
void text_grid_cell(struct text_grid *g, size_t column, struct str text);

/* Ends the line and returns it, with a newline and without spaces at its end; it is valid until the next call. */
struct str text_grid_line(struct text_grid *g);

/* Returns the line between the header and the rows of a Markdown table. */
struct str text_grid_rule(struct text_grid *g);

void text_grid_free(struct text_grid *g);

#endif

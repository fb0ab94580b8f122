/* section_table: writes the columns and the rows of a section, and the marks of a picture. */
#ifndef SECTION_TABLE_H
#define SECTION_TABLE_H

#include "rows.h"

struct section_column;
struct section_total;

/* section_table_free(). */
struct section_table {
	struct section_figures *figures;
	const struct section_block *block;
	const char *id; /* of the section */
	size_t limit;   /* the number of rows */
	/* private */
	struct section_column *columns;
	struct section_total *totals;
	size_t n_columns, columns_cap, n_totals, totals_cap, seen;
	struct buf *to;
	struct rows rows;
};

/* Reads the lines `column` and `brief`, and appends the members of the section that describe its columns. */
void section_table_begin(struct section_table *t, struct buf *to);

/* Appends a record for each of the first rows, one for the sums of the others, and one for the means of all. */
void section_table_rows(struct section_table *t, const struct answer *a, struct buf *to);
void section_table_free(struct section_table *t);

/* Appends a mark of the section for each row, or for each line `stack` that is not 0. */
void section_table_marks(struct section_table *t, const struct answer *a, struct buf *to);

#endif

/* section_table: writes the columns and the rows of a section. */
#ifndef SECTION_TABLE_H
#define SECTION_TABLE_H

#include "answers.h"
#include "figures.h"
#include "section_file.h"

struct section_column;

/* section_table_free(). */
struct section_table {
	struct figures *figures;
	const struct section_block *block;
	char *id; /* of the section; section_table_free() frees it */
	/* private */
	struct section_column *columns;
	size_t n, cap;
};

/* Reads the lines about columns, and appends the members of the section that describe them. */
void section_table_begin(struct section_table *t, struct buf *to);

/* Appends a record for each of the first rows, and one for the sums of the others. */
void section_table_rows(struct section_table *t, const struct answer *a, size_t limit, struct buf *to);

/* Appends a mark of the section for each row of the answer. */
void section_table_marks(struct section_table *t, const struct answer *a, struct buf *to);
void section_table_free(struct section_table *t);

#endif

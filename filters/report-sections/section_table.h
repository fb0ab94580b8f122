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
	const char *id; /* of the section */
	/* private */
	struct section_column *columns;
	size_t n, cap;
};

/* Reads the lines about columns, and appends the members of the section that describe them. */
void section_table_begin(struct section_table *t, struct buf *to);

/* Appends a record for each of the first rows, one for the means of all, and one for the sums of the others. */
void section_table_rows(struct section_table *t, const struct answer *a, size_t limit, struct buf *to);
void section_table_free(struct section_table *t);

/* Appends a mark of a section for each row of an answer, or for each line `stack` of the block that is not 0. */
void section_table_marks(
    struct figures *f, const struct section_block *b, const char *id, const struct answer *a, struct buf *to);

#endif

/* rows: the rows of an answer: values that are computed for each row, and figures that are computed from all rows. */
#ifndef ROWS_H
#define ROWS_H

#include "answers.h"
#include "figures.h"
#include "section_file.h"

#include "expression/running_sums.h"

/* A value that is computed for each row: of a line `row`, `sum`, `max`, `min`, `first` or `last`. */
struct row_value {
	const struct section_line *line;
	size_t name; /* index in the scope of the figures */
	struct expression *x;
	struct running_sum sum;
	bool any;        /* at least one row had a value */
	struct buf text; /* the result of all rows so far as JSON, except of a sum */
};

struct rows {
	struct section_figures *figures;
	const struct answer *answer;
	/* private */
	struct row_value *values;
	size_t n, cap;
};

/* Compiles the lines of the block; rows_free(). */
void rows_init(struct rows *r, struct section_figures *f, const struct answer *a, const struct section_block *b);

/*
 * Reads all rows. For each row, computes the values of lines `row`, which expressions can use until the next row, and
 * calls take().
 */
void rows_read(struct rows *r, void (*take)(void *arg, struct event *row), void *arg);

/*
 * Reads all rows, if there is a line `sum`, `max`, `min`, `first` or `last`, and sets the figures that these lines
 * name.
 */
void rows_sum_up(struct rows *r);
/* Compiles the name of a member: that of a line `row`, or of the records; not that of a figure. The caller frees it. */
struct expression *rows_compile_member(struct rows *r, struct str name);
void rows_free(struct rows *r);

#endif

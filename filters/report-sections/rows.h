/* rows: reads the rows of an answer, computes values for each row, and figures from all rows. */
#ifndef ROWS_H
#define ROWS_H

#include "answers.h"
#include "figures.h"
#include "section_file.h"

#include "record/input.h"

/*
 * The rows of an answer. Expressions about them can use the members of the row, the values of lines `row`, and figures
 * in braces. rows_close().
 */
struct rows {
	struct event row; /* the current one */
	/* private */
	struct figures *figures;
	char *operands[2];
	struct input input;
	struct out out; /* nothing is written */
	struct expression_scope scope;
	struct rows_expression {
		struct str text; /* the expression, or the name of a member */
		bool member;
		size_t name; /* of a line `row`: its index in the scope */
		struct expression *x;
	} * list;        /* those of the lines `row`, then those of totals and of rows_member() */
	size_t n_values; /* the number of lines `row` */
	size_t n, cap;
};

/* Opens an answer, and compiles the lines `row` of the block. */
void rows_open(struct rows *r, struct figures *f, const struct answer *a, const struct section_block *b);

/* Reads the next row, and computes the values of the lines `row`. Returns false after the last one. */
bool rows_next(struct rows *r);

/*
 * Returns a value for the current row: that of the last line `row` with this name, or of the member. The name must be
 * valid until rows_close().
 */
struct result rows_member(struct rows *r, struct str name);
void rows_close(struct rows *r);

/* Sets the figures of the lines `members`, `named`, `sum`, `min` and `first` of a block. */
void rows_sum_up(struct figures *f, const struct answer *a, const struct section_block *b);

#endif

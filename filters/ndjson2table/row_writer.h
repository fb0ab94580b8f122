/* row_writer: writes records as rows of a table; the columns are fields (-f) or the members of the first records. */
#ifndef ROW_WRITER_H
#define ROW_WRITER_H

#include "program/opt_fields.h"
#include "column_names.h"
#include "record/input.h"
#include "table/table.h"

/* Zero-initialise it and set the first members; the caller owns what they point to. */
struct row_writer {
	struct table *table;          /* its columns are those of `fields`, or else those of `members` */
	struct opt_fields *fields;    /* one field for each column; empty without -f */
	struct column_names *members; /* without -f: one member for each column */
	struct input *in;             /* where members without a column are reported */
	/* private */
	struct buf text; /* the elements of a reference with [] */
	char *missing;   /* the message about members without a column */
};

/* Writes the row of a record. Without -f, reports members that have no column. */
void row_writer_write(struct row_writer *w, struct event *e);

/* To be called after the input is closed: the diagnostics of the input refer to a text of the writer. */
void row_writer_free(struct row_writer *w);

#endif

/* nsys_sqlite_table: a table of an nsys database: its columns, and the values of a row as fields. */
#ifndef NSYS_SQLITE_TABLE_H
#define NSYS_SQLITE_TABLE_H

#include "nsys.h"
#include "trace2ndjson/formats/sqlite/table_merge.h"
#include "trace2ndjson/formats/sqlite/value_text.h"

struct nsys_column {
	struct str key;                   /* ,"NAME": */
	const struct nsys_member *member; /* NULL: the column is only in args */
	bool not_null;
	struct value_text text;
};

enum { NSYS_NO_COLUMN = -1 };

struct nsys_table {
	struct table_cursor cursor; /* the first member, so that it can be converted to the table */
	struct str cat;             /* JSON: the name */
	const struct nsys_shape *shape;
	struct nsys_column *columns; /* in the order of the query */
	size_t n;
};

/* Returns whether the records of the table have one of the selected kinds. */
bool nsys_table_is_wanted(const struct reader *r, struct str name);

/*
 * Plans the query of a table. Without `args`, reads only the columns that standard members need, and those in `extra`,
 * a NULL-terminated list of names.
 */
void nsys_table_init(
    struct nsys_table *t, const struct database_table *table, bool args, const char *const *extra, const char *place);
void nsys_table_free(struct nsys_table *t);

/* Returns the index of a column in the query, or NSYS_NO_COLUMN. */
int nsys_table_find(const struct nsys_table *t, const char *name);

/*
 * Sets *row to the current row of the cursor; row->args only if `args` is set. Views in *row are valid until the next
 * call. Returns false when a column has NULL although it is declared NOT NULL.
 */
bool nsys_table_row(struct nsys_table *t, struct nsys_row *row, bool args);

#endif

/* table: writes rows of named cells as NDJSON, CSV, TSV, Markdown, an aligned table, or a list. */
#ifndef TABLE_H
#define TABLE_H

#include "base/int_math.h"
#include "io/out.h"
#include "json/value.h"
#include "table/column_meaning.h"
#include "table/table_format.h"

struct table;

struct table *table_begin(struct out *o, const struct table_options *options);

/*
 * Adds a column at the right, before the first row, and returns its index. With table_column(), values are in ns or
 * bytes, and a unit is written at the end of the name; with table_column_of(), the meaning says this.
 */
size_t table_column(struct table *t, struct str name, enum column_kind kind);
size_t table_column_of(struct table *t, struct str name, const struct column_meaning *meaning);

/* Adds the member `kind` with this value to all rows of ndjson, unless a column has this name; after all columns. */
void table_kind(struct table *t, struct str json);

/* Sets a cell of the current row; the value's text is copied. A cell that is not set is absent. */
void table_set(struct table *t, size_t column, const struct value *v);

/* The same as table_set(), for the text of a value. */
void table_set_json(struct table *t, size_t column, struct str json);

/* The same as table_set(), for numbers. A number that is not finite leaves the cell absent. */
void table_set_int(struct table *t, size_t column, int128 v);
void table_set_real(struct table *t, size_t column, double v);

/*
 * For a number that was multiplied and divided by the integers of table_scale_of() before it was rounded to a double.
 * In human formats, both integers are 1, since the unit is not known yet.
 */
void table_set_scaled(struct table *t, size_t column, double v);
void table_scale_of(const struct table *t, size_t column, int64_t *times, int64_t *over);

/* For an estimate: v has only the digits that are known. Human formats put ≈ before the number and add no zeros. */
void table_set_approx(struct table *t, size_t column, double v);

/* Ends the row. */
void table_row(struct table *t);

/* Sets the text that human formats show where this column's cell is absent (default: nothing). `text` is static. */
void table_none(struct table *t, size_t column, const char *text);

/* Writes the rows held back, and frees the table. */
void table_end(struct table *t);

#endif

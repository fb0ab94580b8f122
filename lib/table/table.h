/* table: rows of named cells as NDJSON, CSV, TSV, Markdown, an aligned table, or a list. */
#ifndef TABLE_H
#define TABLE_H

#include "io/out.h"
#include "record/field.h"
#include "table/column_kind.h"
#include "table/table_options.h"
#include "base/int_math.h"

struct table;

struct table *table_open(struct out *o, const struct table_options *options);

/* Adds a column at the right and returns its number. `name` is copied. Before the first row. */
size_t table_column(struct table *t, struct str name, enum column_kind kind);

/* Sets a cell of the row being made; the value's text is copied. A cell not set is absent. */
void table_set(struct table *t, size_t column, const struct value *v);

/* The same from numbers. */
void table_set_int(struct table *t, size_t column, num_i128 v);
void table_set_real(struct table *t, size_t column, double v);

/* A finite number that is known to the digits that it has: human formats put ≈ before it and add no zeros. */
void table_set_approx(struct table *t, size_t column, double v);

/* Ends the row. */
void table_row(struct table *t);

/* Human formats show `text` where this column's cell is absent (else nothing). `text` is static. */
void table_none(struct table *t, size_t column, const char *text);

/* Writes what was held back, and frees. */
void table_close(struct table *t);

#endif

/*
 * typed_columns: the columns of event records for engines of SQL and data frames, each with one type in all files. An
 * engine that guesses types gives a column another type in each file.
 */
#ifndef TYPED_COLUMNS_H
#define TYPED_COLUMNS_H

#include "io/out.h"

enum typed_columns_engine { COLUMNS_DUCKDB, COLUMNS_CLICKHOUSE, COLUMNS_SPARK, COLUMNS_PANDAS, COLUMNS_POLARS };

extern const char *const typed_columns_engines[]; /* their names, for options */

/* The columns that --also adds. Zero-initialise. */
struct typed_columns {
	struct typed_column *list;
	size_t n, cap;
};

/* Adds the items of a list NAME:TYPE,... Ends the program if an item is invalid or a name is taken. */
void typed_columns_add(struct typed_columns *c, const char *option, const char *list);

/* Prints all columns with their types, as one line in the language of the engine. */
void typed_columns_print(const struct typed_columns *c, enum typed_columns_engine engine, struct out *out);

#endif

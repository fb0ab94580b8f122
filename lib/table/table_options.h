/* table_options: how a table is written: the format, units, and width, from options and the terminal. */
#ifndef TABLE_OPTIONS_H
#define TABLE_OPTIONS_H

#include "base/units.h"

#include <stdbool.h>
#include <stddef.h>

/* One row a format: a value of -o and what help says of it. */
#define TABLE_FORMATS(X)                                                                                               \
	X(NDJSON, "ndjson", "one JSON object a line")                                                                  \
	X(CSV, "csv", "RFC 4180 with a header line")                                                                   \
	X(TSV, "tsv", "tab-separated; tab, newline, CR and backslash in a cell are escaped")                           \
	X(RAW, "raw", "each cell's text as it is, with a line end behind it unless it has one")                         \
	X(MD, "md", "a Markdown table")                                                                                \
	X(TABLE, "table", "aligned columns for reading")                                                               \
	X(LIST, "list", "one cell a line, a blank line between rows")

#define TABLE_ENUM(id, name, help) TABLE_##id,
enum table_format { TABLE_FORMATS(TABLE_ENUM) TABLE_N };

/* -o: ends the program when it is none. */
enum table_format table_options_format(const char *option, const char *arg);

/*
 * The human formats (md table list) are for reading: numbers are rounded to the column's decimals,
 * names short, absent cells empty. ndjson csv tsv have everything as it is, ns and bytes whatever -u says:
 * their columns have no place for a unit, and programs that read them take dur for ns. raw has no names,
 * and nothing for absent cells.
 */
struct table_options {
	enum table_format format;
	const struct num_unit *time, *size; /* -u: NULL is as stored in raw, chosen in the human formats */
	bool wide;                          /* names whole, columns not fitted to the terminal */
	int width;                          /* of the terminal, 0: do not fit */
	size_t look;                        /* rows held back to measure the columns; 0: all of them */
};

/* What -u, -o and --wide set; takes the terminal's width where standard output is one. */
void table_options_init(struct table_options *to, enum table_format otherwise);
/* -u: a time or size unit, given once each; ends the program when it is none. */
void table_options_unit(struct table_options *to, const char *option, const char *arg);

#endif

/* table_format: the formats and options of a table. */
#ifndef TABLE_FORMAT_H
#define TABLE_FORMAT_H

#include "base/units.h"
#include "record/field.h"
#include "table/source_kind.h"

/* One row per format: a value of -o and its help. */
#define TABLE_FORMATS(X)                                                                                               \
	X(NDJSON, "ndjson", "one JSON object per line")                                                                \
	X(CSV, "csv", "RFC 4180 with a header line")                                                                   \
	X(TSV, "tsv", "tab-separated; tab, newline, CR and backslash in a cell are escaped")                           \
	X(RAW, "raw", "the text of each cell verbatim, with a newline at its end")                                     \
	X(MD, "md", "a Markdown table")                                                                                \
	X(TABLE, "table", "aligned columns for reading")                                                               \
	X(LIST, "list", "one cell per line, with a blank line between rows")

#define TABLE_ENUM(id, name, help) TABLE_##id,
enum table_format { TABLE_FORMATS(TABLE_ENUM) TABLE_N };

/*
 * The options of a table. The human formats (md table list) are for reading: numbers are rounded to the column's
 * decimals, names are short, absent cells are empty. ndjson, csv and tsv are exact; a unit that the user gives is part
 * of the column's name. raw writes no column names, and nothing for absent cells.
 */
struct table_options {
	enum table_format format;
	const struct unit *time, *size; /* units; NULL: human formats choose a unit, other formats change no values */
	bool wide;                      /* full names are shown, and columns are not fitted to the terminal */
	int width;                      /* width of the terminal; 0: columns are not fitted */
	bool utf8;                      /* human formats write µs, not us */
	size_t look;                    /* number of rows held back to measure the columns; 0: all rows */
	struct field_units units;       /* fields given with --time and --size; an argument of column_meaning_of() */
};

/* Returns the unit that the user gave for columns of that kind, or NULL. */
static inline const struct unit *table_options_unit(const struct table_options *options, enum column_kind kind)
{
	return kind == COLUMN_TIME || kind == COLUMN_STAMP ? options->time : kind == COLUMN_SIZE ? options->size : NULL;
}

/* Returns whether the format is for people to read. */
static inline bool table_options_are_human(const struct table_options *options)
{
	return options->format >= TABLE_MD;
}

#endif

/* torch_table: splits the lines of a profiler's table, and converts its cells. */
#ifndef TORCH_TABLE_H
#define TORCH_TABLE_H

#include "trace2ndjson/formats/draft.h"

enum { TORCH_COLUMNS = 32 };

/* The role of a column of a table. */
enum torch_role {
	TORCH_NAME,
	TORCH_COUNT,
	TORCH_TIME, /* a time of the host or of the device: see `member` */
	TORCH_PERCENT,
	TORCH_SIZE,
	TORCH_FLOPS,
	TORCH_SHAPES,
	TORCH_LOCATION,
	TORCH_OTHER, /* the type is recognised by the form of each cell */
};

struct torch_column {
	enum torch_role role;
	/* static text: name of the attachment for the column's values; NULL: the values go to args, under `key` */
	const char *member;
	struct str key, device; /* device: "CUDA", "XPU", or empty when the column is not about a device */
	int digits;             /* TORCH_FLOPS: the unit in the header is 10^digits */
	size_t start, end;      /* position of its dashes, in characters from the table's left edge */
};

/* The properties of a table, which are found from its header and its dashes. Zero-initialise; torch_table_free(). */
struct torch_table {
	struct torch_column column[TORCH_COLUMNS];
	/* n: number of columns; rules: number of runs of dashes, which set start and end in column[] */
	size_t n, rules, name; /* name: the index of the column with the names */
	struct buf header;     /* the line of the header; the keys are views of it */
	struct buf prefix;     /* the text before the table on each line, such as "# " or tabs */
	struct str device;     /* of the first column that is about a device */
	bool fits; /* there are as many runs of dashes as columns, and the header is hardly wider than the dashes */
	bool has_location, right; /* right: the cells are right-aligned with their dashes */
};

/* --- lines --- */

/* Returns the line without the table's prefix, if it begins with the prefix. */
struct str torch_body(const struct torch_table *t, struct str line);

/* Whether the line is a rule of dashes; if so, stores their spans and the prefix in *t. */
bool torch_rule(struct torch_table *t, struct str line);

/* Whether the line is a header; if so, sets the columns of *t from it. */
bool torch_header(struct torch_table *t, struct str line);

/*
 * Ends the header: sets the remaining properties of the table. Call this when torch_rule() has read the dashes below
 * the header.
 */
void torch_end_header(struct torch_table *t);

/* Splits a row into cells without white space around them. False when they do not match the columns. */
bool torch_cut(const struct torch_table *t, struct str line, struct str cell[TORCH_COLUMNS]);

/* Whether the row ends before its last column. True only in a table whose cells are right-aligned. */
bool torch_is_short(const struct torch_table *t, struct str line);

/* Whether the row has only a source location, which then belongs to the preceding row. */
bool torch_continues(const struct torch_table *t, const struct str *cell);

/* Splits a line at tabs and at two or more spaces. Returns the number of pieces, and stores at most `most` of them. */
size_t torch_pieces(struct str line, struct str *piece, size_t most);

/* --- values --- */

/* Converts a time with its unit, such as "-1.5ms", to ns. */
bool torch_time(struct str text, int64_t *ns);

/* Writes the cells to the record. False, with unusable text, when one is invalid, or a necessary one is missing. */
bool torch_row(const struct torch_table *t, const struct str *cell, struct draft *d);

void torch_table_free(struct torch_table *t);

#endif

/* torch: the functions and types that the files of the reader for PyTorch's tables share. */
#ifndef TORCH_H
#define TORCH_H

#include "trace2ndjson/formats/format.h"

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
	size_t key, key_n; /* offset and length of the key in torch_table.keys */
	int digits;        /* TORCH_FLOPS: the unit in the header is 10^digits */
	size_t start, end; /* position of its dashes, in characters from the table's left edge */
};

/* The properties of a table, which are found from its header and its dashes. */
struct torch_table {
	struct torch_column column[TORCH_COLUMNS];
	/* n: number of columns; rules: number of runs of dashes, which set start and end in column[] */
	size_t n, rules;
	/* keys: the keys of all columns; device: "CUDA", "XPU", or empty when no column is about a device */
	struct buf keys, device;
	struct buf prefix; /* the text before the table on each line, such as "# " or tabs */
	bool fits; /* there are as many runs of dashes as columns, and the header is hardly wider than the dashes */
	bool has_location, right; /* right: the cells are right-aligned with their dashes */
};

/* The cells of a row: views of its line, without white space around them. */
struct torch_cells {
	struct str cell[TORCH_COLUMNS];
	size_t n;
};

enum torch_state {
	TORCH_OUTSIDE,
	TORCH_HEAD,  /* after dashes: a header may follow */
	TORCH_UNDER, /* after a header: dashes must follow */
	TORCH_ROWS,
	TORCH_CPROFILE,    /* rows of pstats, up to a blank line */
	TORCH_ENVIRONMENT, /* environment section of a bottleneck report */
};

struct torch {
	struct lines lines;
	struct line line;
	bool again; /* the line must be read again */
	enum torch_state in;
	bool titled; /* the dashes below the title of a section come next */
	/* the section of a bottleneck report, which is the cat of its records; NULL outside of a report */
	const char *section;
	struct torch_table table;
	struct buf header; /* the line of the header, until the dashes below it are read */
	/* tables: number of tables so far; top: maximum number of rows of the next table, 0 when unknown */
	int64_t tables, top;
	struct buf sorted_by; /* the key by which the next table is sorted */
	uint64_t row_line;    /* line number of the last row */
	/* name, more, args and stack hold a row that has not been returned yet; more of its locations may follow */
	bool held;
	struct buf name, more, args, stack;
};

/* --- torch.c: records --- */

/* Begins a record with a name, and opens its args. The caller adds members to t->more and t->args. */
void torch_begin(struct torch *t, struct str name);

/* Fills *e with the record. Returns 1, or 0 if the kind of the record is not selected. */
int torch_give(struct torch *t, const struct reader *r, enum event_kind kind, struct event *e);

/* Reports data of the current line as lost; returns 0. */
int torch_lost(const struct torch *t, struct reader *r, const char *what);

/* --- torch_report.c: the lines around tables --- */

/* Reads "Self CPU time total: 1.098s". Returns 1 or 0 as torch_give() does; -1 for any other line. */
int torch_total(struct torch *t, struct reader *r, struct str line, struct event *e);

/*
 * Reads the current line as the total that pstats prints above its table. Returns 1 or 0 as torch_give() does; -1 for
 * any other line.
 */
int torch_calls(struct torch *t, const struct reader *r, struct event *e);

/* Whether the line is the title of a section of a bottleneck report. If so, begins that section. */
bool torch_title(struct torch *t, struct str line);

/*
 * Whether the line describes the following table; if so, its values are stored for the rows of that table. Examples:
 * "top 15 events sorted by cpu_time_total", "Ordered by: internal time", "List reduced from 7290 to 15 due to
 * restriction <15>".
 */
bool torch_about(struct torch *t, struct str line);

/* Reads a line of the section about the environment. */
int torch_environment(struct torch *t, const struct reader *r, struct str line, struct event *e);

/* --- torch_table.c: splits lines --- */

/* Returns the line without the table's prefix, if it begins with the prefix. */
struct str torch_body(const struct torch_table *t, struct str line);

/*
 * Whether the line has only dashes and white space, and begins with three dashes. If so, stores the spans of the dashes
 * and the prefix in *t.
 */
bool torch_rule(struct torch_table *t, struct str line);

/* Whether the line is a header; if so, sets the columns of *t from it. */
bool torch_header(struct torch_table *t, struct str line);
bool torch_is_header(struct str line);

/*
 * Sets the remaining properties of the table from its header. Call this when torch_rule() has read the dashes below it.
 */
void torch_settle(struct torch_table *t, struct str header);

/* Splits a row into cells; false when its cells do not match the table's columns. */
bool torch_cut(const struct torch_table *t, struct str line, struct torch_cells *cells);

/* Whether the row ends before its last column. True only in a table whose cells are right-aligned. */
bool torch_is_short(const struct torch_table *t, struct str line);

/* Whether the row has only a source location, which then belongs to the preceding row. */
bool torch_continues(const struct torch_table *t, const struct torch_cells *cells);

/*
 * Splits a line at tabs and at two or more spaces. Returns the number of pieces. At most `most` pieces are stored in
 * piece[].
 */
size_t torch_pieces(struct str line, struct str *piece, size_t most);

/* --- torch_cell.c: converts values --- */

/* Converts a time with its unit, such as "-1.5ms", to ns. */
bool torch_time(struct str text, int64_t *ns);

/*
 * Writes the cells as members: attachments to *more, all others to *args, which must be open. False when a cell is not
 * valid for its column, or when a cell that every row must have is missing. The written text is then unusable.
 */
bool torch_row(const struct torch_table *t, const struct torch_cells *cells, struct buf *more, struct buf *args);

/* --- torch_cprofile.c: pstats --- */

bool torch_is_cprofile_header(struct str line);

/* Reads a row of the table of pstats. */
bool torch_cprofile_row(struct str line, struct str *name, struct buf *more, struct buf *args);

/* Reads "N function calls (M primitive calls) in T seconds". */
bool torch_cprofile_total(struct str line, struct buf *more, struct buf *args);

#endif

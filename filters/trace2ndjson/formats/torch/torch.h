/*
 * torch: the functions and types that the files of the reader of PyTorch's profiler tables and bottleneck reports
 * share.
 */
#ifndef TORCH_H
#define TORCH_H

#include "trace2ndjson/formats/format.h"

enum { TORCH_COLUMNS = 32 };

/* The role of a column of a table. */
enum torch_role {
	TORCH_NAME,
	TORCH_COUNT,
	TORCH_TIME, /* of the host or the device, as `member` says */
	TORCH_PERCENT,
	TORCH_SIZE,
	TORCH_FLOPS,
	TORCH_SHAPES,
	TORCH_LOCATION,
	TORCH_OTHER, /* the cell's form shows its type */
};

struct torch_column {
	enum torch_role role;
	const char *member; /* the attachment for its values, static; NULL: they go to args, under `key` */
	size_t key, key_n;  /* in torch_table.keys */
	int digits;         /* TORCH_FLOPS: the header's unit is 10^digits */
	size_t start, end;  /* of its dashes, in characters from the table's left edge */
};

/* A table: the properties that its header and its dashes give. */
struct torch_table {
	struct torch_column column[TORCH_COLUMNS];
	size_t n, rules;          /* numbers of columns and of runs of dashes, which set start and end in column[] */
	struct buf keys, device;  /* the headers' words; "CUDA", "XPU": empty without such a column */
	struct buf prefix;        /* the text to the left of the table on each line: "# ", tabs */
	bool fits;                /* the runs of dashes match the columns in number and width */
	bool has_location, right; /* right: cells end where their dashes do */
};

/* Cells of a row: views of its line, trimmed. */
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
	TORCH_ENVIRONMENT, /* of a bottleneck report */
};

struct torch {
	struct lines lines;
	struct line line;
	bool again; /* the line must be read again */
	enum torch_state in;
	bool titled;         /* next come the dashes below a section's title */
	const char *section; /* of a bottleneck report: the cat of its records; NULL outside of a report */
	struct torch_table table;
	struct buf header;    /* the line of the header, until the dashes below it are read */
	int64_t tables, top;  /* number of tables so far; number of rows the next table is cut to, 0 when unknown */
	struct buf sorted_by; /* the key by which the next table is sorted */
	uint64_t row_line;    /* the line of the last row */
	bool held;            /* name, more, args and stack are a row; further locations of it may follow */
	struct buf name, more, args, stack;
};

/* --- torch.c: records --- */

/* Begins a record of that name and opens its args: the caller fills t->more and t->args. */
void torch_begin(struct torch *t, struct str name);

/* Makes *e the record: 1, or 0 when its kind is not selected. */
int torch_give(struct torch *t, const struct reader *r, enum event_kind kind, struct event *e);

/* Reports data of the current line as lost; returns 0. */
int torch_lost(const struct torch *t, struct reader *r, const char *what);

/* --- torch_report.c: the lines around tables --- */

/* "Self CPU time total: 1.098s": returns 1 or 0 as torch_give(), -1 when the line is something else. */
int torch_total(struct torch *t, struct reader *r, struct str line, struct event *e);

/* The same for the current line as pstats' line above its table. */
int torch_calls(struct torch *t, const struct reader *r, struct event *e);

/* Whether the line is the title of a section of a bottleneck report; if it is, that section begins. */
bool torch_title(struct torch *t, struct str line);

/*
 * Whether the line describes the following table; its values are then stored for the rows of that table: "top 15 events
 * sorted by cpu_time_total", "Ordered by: internal time", "List reduced from 7290 to 15 due to restriction <15>".
 */
bool torch_about(struct torch *t, struct str line);

/* Reads a line of the section about the environment. */
int torch_environment(struct torch *t, const struct reader *r, struct str line, struct event *e);

/* --- torch_table.c: splits lines --- */

/* Returns a line without its table's prefix, if it begins with that. */
struct str torch_body(const struct torch_table *t, struct str line);

/*
 * Whether the line is dashes and blanks, and begins with three dashes: if so, stores their spans and the prefix in *t.
 */
bool torch_rule(struct torch_table *t, struct str line);

/* Whether the line is a header; if so, sets the columns of *t from it. */
bool torch_header(struct torch_table *t, struct str line);
bool torch_is_header(struct str line);

/* Completes the columns after the header, when torch_rule() has read the dashes below it. */
void torch_settle(struct torch_table *t, struct str header);

/* Splits a row into cells; false when its cells do not match the table's columns. */
bool torch_cut(const struct torch_table *t, struct str line, struct torch_cells *cells);

/* Whether a row ends before its last column, in tables whose rows end with their last cell. */
bool torch_is_short(const struct torch_table *t, struct str line);

/* Whether the row has only a source location: one more location of the preceding row. */
bool torch_continues(const struct torch_table *t, const struct torch_cells *cells);

/* Splits a line at a tab or two or more blanks. Returns the number of pieces, at most `most`, which are in piece[]. */
size_t torch_pieces(struct str line, struct str *piece, size_t most);

/* --- torch_cell.c: converts values --- */

/* Converts a time with its unit, "-1.5ms", to ns. */
bool torch_time(struct str text, int64_t *ns);

/*
 * Writes the cells as members: attachments to *more, all others to *args (open). False when a cell is not valid for its
 * column, or one that every row must have is missing: the written text is then unusable.
 */
bool torch_row(const struct torch_table *t, const struct torch_cells *cells, struct buf *more, struct buf *args);

/* --- torch_cprofile.c: pstats --- */

bool torch_is_cprofile_header(struct str line);

/* Reads a row below that header. */
bool torch_cprofile_row(struct str line, struct str *name, struct buf *more, struct buf *args);

/* Reads "N function calls (M primitive calls) in T seconds". */
bool torch_cprofile_total(struct str line, struct buf *more, struct buf *args);

#endif

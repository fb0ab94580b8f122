/* torch: the parts of the reader of PyTorch's profiler tables and bottleneck reports. */
#ifndef TORCH_H
#define TORCH_H

#include "trace2ndjson/formats/format.h"

enum { TORCH_COLUMNS = 32 };

/* What a column of a table is. */
enum torch_role {
	TORCH_NAME,
	TORCH_COUNT,
	TORCH_TIME,      /* of the host or the device: which, its `member` says */
	TORCH_PERCENT,
	TORCH_SIZE,
	TORCH_FLOPS,
	TORCH_SHAPES,
	TORCH_LOCATION,
	TORCH_OTHER,     /* by its looks */
};

struct torch_column {
	enum torch_role role;
	const char *member;   /* the attachment that it becomes, static; NULL: it goes to args, under `key` */
	size_t key, key_n;    /* in torch_table.keys */
	int digits;           /* TORCH_FLOPS: 10^digits is one of the header's unit */
	size_t start, end;    /* of its dashes, in characters from the table's left edge */
};

/* A table: what its header and its dashes say. */
struct torch_table {
	struct torch_column column[TORCH_COLUMNS];
	size_t n, rules;      /* columns; runs of dashes, whose start and end are valid in column[] */
	struct buf keys, device; /* the headers' words; "CUDA", "XPU": empty when there is no such column */
	struct buf prefix;    /* what stands left of it on each line: "# ", tabs */
	bool fits;            /* the dashes are as many and as wide as the columns */
	bool has_location, right; /* right: cells end where their dashes do */
};

/* Cells of a row: views of its line; trimmed. */
struct torch_cells {
	struct str cell[TORCH_COLUMNS];
	size_t n;
};

enum torch_state {
	TORCH_OUTSIDE,
	TORCH_HEAD,        /* behind dashes: a header may come */
	TORCH_UNDER,       /* behind a header: dashes must come */
	TORCH_ROWS,
	TORCH_CPROFILE,    /* rows of pstats, up to a blank line */
	TORCH_ENVIRONMENT, /* of a bottleneck report */
};

struct torch {
	struct lines lines;
	struct line line;
	bool again;           /* the line is still to be looked at */
	enum torch_state in;
	bool titled;          /* the dashes below a section's title come next */
	const char *section;  /* of a bottleneck report: the cat of its records, NULL outside of one */
	struct torch_table table;
	struct buf header;    /* its line, until the dashes below it are seen */
	int64_t tables, top;  /* how many so far; how many rows the next one was cut to, 0 when that is not said */
	struct buf sorted_by; /* the same: by what */
	uint64_t row_line;    /* the last row's */
	bool held;            /* name, more, args and stack are a row that further locations may follow */
	struct buf name, more, args, stack;
};

/* --- torch.c: records --- */

/* A record of that name, with its args open: t->more and t->args are the caller's to fill. */
void torch_begin(struct torch *t, struct str name);

/* It becomes *e: 1, or 0 when nobody wants its kind. */
int torch_give(struct torch *t, const struct reader *r, enum event_kind kind, struct event *e);

/* 0, with something lost at the line in progress. */
int torch_lost(const struct torch *t, struct reader *r, const char *what);

/* --- torch_report.c: what stands round tables --- */

/* "Self CPU time total: 1.098s": 1 or 0 as torch_give() says, -1 when it is no such line. */
int torch_total(struct torch *t, struct reader *r, struct str line, struct event *e);

/* pstats' line above its table, the one in progress, in the same way. */
int torch_calls(struct torch *t, const struct reader *r, struct event *e);

/* Whether the line is the title of a section of a bottleneck report, which then begins. */
bool torch_title(struct torch *t, struct str line);

/*
 * Whether the line says something of the table that comes, which is then kept for its rows: "top 15 events
 * sorted by cpu_time_total", "Ordered by: internal time", "List reduced from 7290 to 15 due to restriction <15>".
 */
bool torch_about(struct torch *t, struct str line);

/* A line of the section on the environment. */
int torch_environment(struct torch *t, const struct reader *r, struct str line, struct event *e);

/* --- torch_table.c: lines --- */

/* A line without its table's prefix, where it begins with that. */
struct str torch_body(const struct torch_table *t, struct str line);

/* Whether the line is dashes and blanks, and begins with three dashes: then their spans and the prefix go to *t. */
bool torch_rule(struct torch_table *t, struct str line);

/* Whether the line is a header; then the columns of *t are its. */
bool torch_header(struct torch_table *t, struct str line);
bool torch_is_header(struct str line);

/* Behind the header: torch_rule() took the dashes below it. */
void torch_settle(struct torch_table *t, struct str header);

/* Cuts a row; false when its cells are not where the table's columns are. */
bool torch_cut(const struct torch_table *t, struct str line, struct torch_cells *cells);

/* Whether a row ends before its columns do, where rows end with their last cell. */
bool torch_is_short(const struct torch_table *t, struct str line);

/* Whether only the source location is there: one more of the row before. */
bool torch_continues(const struct torch_table *t, const struct torch_cells *cells);

/* The pieces of a line between two or more blanks or a tab: how many, up to `most`, which are in piece[]. */
size_t torch_pieces(struct str line, struct str *piece, size_t most);

/* --- torch_cell.c: values --- */

/* A time with its unit, "-1.5ms", in ns. */
bool torch_time(struct str text, int64_t *ns);

/*
 * The cells as members: attachments to *more, all else to *args (open). False when one is none that the
 * column can have, or one is missing that all rows have: then what was written is of no use.
 */
bool torch_row(const struct torch_table *t, const struct torch_cells *cells, struct buf *more, struct buf *args);

/* --- torch_cprofile.c: pstats --- */

bool torch_is_cprofile_header(struct str line);

/* A row behind that header. */
bool torch_cprofile_row(struct str line, struct str *name, struct buf *more, struct buf *args);

/* "N function calls (M primitive calls) in T seconds". */
bool torch_cprofile_total(struct str line, struct buf *more, struct buf *args);

#endif

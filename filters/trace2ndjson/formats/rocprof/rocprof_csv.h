/* rocprof_csv: reads the CSV files of all versions of rocprofv3, and those of `rocpd convert`. */
#ifndef ROCPROF_CSV_H
#define ROCPROF_CSV_H

#include "rocprof_record.h"

/* The state that the reader stores from one file to the next. */
struct rocprof_run {
	struct rocprof_agents agents; /* from the last agent_info.csv */
};

/* --- cells of a line --- */

enum { ROCPROF_COLUMNS_MAX = 256 };

struct rocprof_cell {
	struct str text; /* without its quotes; a view of the line */
	bool quoted;
};

/* --- the columns of a file --- */

struct rocprof_header {
	size_t n; /* number of columns; 0 before the first header */
	enum rocprof_table table;
	size_t text; /* number of the column that may contain quotes and commas, or SIZE_MAX */
	enum rocprof_field field[ROCPROF_COLUMNS_MAX];
	struct str name[ROCPROF_COLUMNS_MAX]; /* names as members of args; views of `names` */
	struct buf names;
};

/* Returns whether the first bytes of a file begin with a header. */
bool rocprof_header_probe(struct str head);

/* --- rows --- */

/* Zero-initialise. */
struct rocprof_csv {
	/* private */
	struct rocprof_header header;
	struct rocprof_row row;
	struct draft draft;
	struct rocprof_cell cell[ROCPROF_COLUMNS_MAX];
	uint64_t line;  /* number of the line at the window */
	size_t used;    /* bytes of the lines whose record was given */
	uint64_t lines; /* their number */
};

/*
 * Reads the next record; see `next` in struct format. A row is one line, or several when a text contains newlines. A
 * line that does not fit the header, alone or together with the following lines, is lost.
 */
int rocprof_csv_next(struct rocprof_csv *c, struct reader *r, struct event *e);
void rocprof_csv_free(struct rocprof_csv *c);

#endif

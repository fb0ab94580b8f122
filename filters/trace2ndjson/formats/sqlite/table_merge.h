/* table_merge: reads the rows of several tables of a database in one order, by time. */
#ifndef TABLE_MERGE_H
#define TABLE_MERGE_H

#include "database.h"

/* A table whose rows are read. */
struct table_cursor {
	/*
	 * Set by the caller. `times` is the SQL of the first two columns of the query, "start, end", with NULL where a
	 * table has none; `columns` is the SQL of the others, each preceded by a comma. In both, x is the table.
	 * `joins` is the SQL of the tables that are joined with it. The caller frees all three.
	 */
	const struct database_table *table;
	struct buf times, columns, joins;
	unsigned order;    /* of rows with equal times: the table with the lower number is first */
	bool timed;        /* the table has a start */
	bool keeps_ties;   /* rows with equal starts keep their order, instead of the longest first */
	const char *place; /* "FILE: TABLE" for messages */
	/* Set by table_merge_next(). */
	struct query *query; /* is at the row */
	uint64_t row;        /* number of the row, from 1, in the order of reading */
	/* private */
	bool sorts;
};

struct table_merge_head {
	int64_t ts, dur;
	bool has_ts;
	struct table_cursor *cursor;
};

/* Zero-initialise. */
struct table_merge {
	struct database *db;
	struct reader *reader;
	struct table_merge_head *heads; /* a heap of the cursors that have a row */
	size_t n, cap;
	uint64_t all, done; /* rows of the tables with a start: in total, and read so far */
	bool advance;       /* the first head was returned by table_merge_next() */
	bool failed;        /* reader->src->fault has the reason */
};

/*
 * Starts to read a table. It is sorted in a temporary file if its rows are not in the order of time. The cursor must
 * remain valid.
 */
void table_merge_add(struct table_merge *m, struct table_cursor *cursor);

/*
 * For the reader of another query: reports why the query has no further row. `got` is the result of query_next(), not
 * QUERY_ROW; the rows from the number `row` on are lost, unless it is QUERY_END. `place` is "FILE: TABLE". After
 * QUERY_FAILED, table_merge_next() returns NULL.
 */
void table_merge_report_end(struct table_merge *m, enum query_step got, const char *place, uint64_t row);

/*
 * Returns the cursor of the next row, or NULL at the end. Rows without a start come first, in the order of the tables;
 * then all rows by their start, longer ones first (see keeps_ties), then in the order of the tables. Damaged tables are
 * counted as lost at the place of the damage, and the other tables are read on. After a failure
 * (m->reader->src->fault), returns NULL.
 */
struct table_cursor *table_merge_next(struct table_merge *m);

/* Returns "FILE: TABLE" for r->file and a table, valid as long as the diagnostics. */
const char *table_merge_place(struct reader *r, struct str table);

void table_merge_free(struct table_merge *m);

#endif

/* table_merge: reads the rows of several tables of a database in one order, by time. */
#ifndef TABLE_MERGE_H
#define TABLE_MERGE_H

#include "base/num_format.h"
#include "database.h"

/* A table whose rows are read. */
struct table_cursor {
	/*
	 * Set by the caller. `times` is the SQL of the first two columns of the query, "start, end", with NULL where a
	 * table has none; `columns` is the SQL of the others, each preceded by a comma; `joins` is the SQL of the
	 * tables that are joined with the table, which is x.
	 */
	const struct database_table *table;
	struct buf times, columns, joins;
	unsigned order;  /* of rows with equal times: the table with the lower number is first */
	bool timed;      /* the table has a start */
	bool keeps_ties; /* rows with equal starts keep their order, instead of the longest first */
	/* Set by table_merge_next(). */
	struct query *query; /* is at the row; NULL at the end of the table */
	uint64_t row;        /* number of the row, from 1, in the order of reading */
	/* private */
	bool sorts;
	const char *file_and_table; /* "FILE: TABLE" for messages */
};

void table_cursor_free(struct table_cursor *cursor);

/* Zero-initialise it, and set the first three members. */
struct table_merge {
	struct database *db;
	struct reader *reader;
	const char *file; /* reader->file */
	bool failed;      /* reader->src->fault has the reason */
	/* private */
	struct table_merge_head {
		int64_t ts, dur;
		bool has_ts;
		struct table_cursor *cursor;
	} * heads; /* a heap of the cursors that have a row */
	size_t n, cap;
	uint64_t all, done; /* rows of the tables with a start: in total, and read so far */
	bool advance;       /* the first head was returned by table_merge_next() */
};

/* Starts to read a table, which is sorted if necessary. The cursor must remain valid. */
void table_merge_add(struct table_merge *m, struct table_cursor *cursor);

/*
 * Returns the cursor of the next row, or NULL at the end. Rows without a start come first, in the order of the tables;
 * then all rows by their start, longer ones first (see keeps_ties), then in the order of the tables. Damaged tables are
 * counted as lost at the place of the damage, and the other tables are read on. After a failure
 * (m->reader->src->fault), returns NULL. Until the end, m->reader->file and ->line are the place of the row.
 */
struct table_cursor *table_merge_next(struct table_merge *m);

/* Counts a table as lost. */
void table_merge_lost(struct table_merge *m, struct str table, const char *what);

void table_merge_free(struct table_merge *m);

struct text_lookup_slot {
	int64_t a, b;
	struct buf text; /* n == 0: the slot is free */
};

/* Zero-initialise. */
struct text_lookup {
	struct reader *reader;
	struct query *query; /* NULL when the table does not exist */
	struct text_lookup_slot *slots;
	size_t bytes; /* size of all texts that were stored since the slots were emptied */
};

/* `query` selects the text by the parameter ?1, or by ?1 and ?2; NULL: there are no texts. It is closed with *t. */
void text_lookup_open(struct text_lookup *t, struct reader *r, struct query *query);

/*
 * Returns the text for the numbers a and b (0 if the query has only ?1) as JSON, valid until the next call. p is NULL
 * if the text is absent, or if it cannot be read, which is counted as lost at r->line of r->file.
 */
struct str text_lookup_get(struct text_lookup *t, int64_t a, int64_t b);

void text_lookup_close(struct text_lookup *t);

/* The texts of the last values of a column. Zero-initialise. */
struct value_text {
	/* private */
	int64_t number; /* many columns have the same integer in row after row: its digits are stored */
	size_t n;       /* number of these digits, or 0 */
	char digits[NUM_ROOM];
	char real[NUM_ROOM];
	struct buf text;
};

/* Returns an integer as JSON, valid until the next call. */
static inline struct str value_text_int(struct value_text *t, int64_t v)
{
	if (v != t->number || !t->n) {
		t->n = (size_t)(num_put_i64(t->digits, v) - t->digits);
		t->number = v;
	}
	return (struct str){t->digits, t->n};
}

/* Returns a value that is neither NULL nor an integer as JSON, valid until the next call. A blob is in hexadecimal. */
struct str value_text_other(struct value_text *t, const struct query_value *v);

/* Returns the value of a column of the current row as JSON, valid until the next call; p is NULL for the value NULL. */
struct str value_text_get(struct value_text *t, const struct query *q, int column);

void value_text_free(struct value_text *t);

#endif

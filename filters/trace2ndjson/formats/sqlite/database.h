/*
 * database: reads SQLite databases with libsqlite3. A build without the library does not have these functions; the
 * format sqlite then reports which package is missing.
 */
#ifndef DATABASE_H
#define DATABASE_H

#include "trace2ndjson/formats/format.h"

struct query;

struct database_column {
	struct str name;
	bool not_null; /* declared NOT NULL: a row with NULL in this column is damaged */
	bool keyed;    /* the first column of the primary key: lookups by this column are fast */
};

/* An ordinary table; views and virtual tables are not listed. The database owns all texts, which end with a NUL. */
struct database_table {
	struct str name;
	struct database_column *columns;
	size_t n;
};

/* Set by database_open(). */
struct database {
	struct database_table *tables; /* in the order in which they were created */
	size_t n;                      /* their number */
	uint64_t size;                 /* of the file in bytes, without a last page that is cut short */
	bool cut; /* the file is shorter than its header says: sorting its tables would lose their rows */
	/* private */
	struct sqlite3 *db;
	size_t cap;
	int copy; /* descriptor of a temporary copy, or -1 */
};

/* True when this program was built with libsqlite3. */
extern const bool database_supported;

/*
 * Opens the database that r->src contains, read only and without locks: changes that other programs make in the
 * meantime are not expected. If a -wal or a -journal file that is not empty is beside it, SQLite opens the path itself,
 * sees the content of the -wal, and waits a few seconds for a program that is writing. Standard input and compressed
 * files are first copied to a temporary file without a name. Returns NULL on failure: the reason is in r->src->fault,
 * or the content is not a database and was counted as lost. A database that is cut short or has a damaged schema is
 * counted as lost too, but its queries return the rows that can be read.
 */
struct database *database_open(struct reader *r);
void database_close(struct database *db);

/* A program whose databases are read. */
struct database_writer {
	bool (*is)(const struct database *db); /* whether a database has tables of this program */
	/* starts to read the tables of the selected kinds; returns the state for next() and close() */
	void *(*open)(struct database *db, struct reader *r);
	/* as of struct format; sets r->file to the file and table of the record, and r->line to its row */
	int (*next)(void *state, struct reader *r, struct event *e);
	void (*close)(void *state);
};
extern const struct database_writer database_nsys, database_rocprof;

/* Returns NULL when there is no table or no column of this name. */
const struct database_table *database_table(const struct database *db, struct str name);
const struct database_column *database_column(const struct database_table *table, struct str name);

/*
 * Makes lookups in a table by the columns `keys` ("id" or "id, depth") fast: if the first of them is not the beginning
 * of the table's primary key, copies `columns`, which include the keys, to a temporary table of the same name, which
 * hides the original. The copy is in a temporary file.
 */
void database_index(struct database *db, const struct database_table *table, const char *keys, const char *columns);

/* Appends SQL text, followed by a NUL; the format is that of sqlite3_mprintf(): \"%w\" quotes a name. */
void database_put(struct buf *sql, const char *format, ...);

/* --- queries --- */

/* Prepares a query; the format is as above. Returns NULL when that fails: a table or column may not exist. */
struct query *database_query(struct database *db, const char *format, ...);
void query_close(struct query *q); /* q may be NULL */

/* Sets the parameter ?n of the query to a number, and starts the query again. */
void query_bind(struct query *q, int n, int64_t value);

enum query_step {
	QUERY_END,
	QUERY_ROW,
	QUERY_DAMAGED, /* the rest of the rows cannot be read */
	QUERY_LARGE,   /* the next row is larger than --max-record; the rest cannot be read */
	QUERY_FAILED,  /* database_failure() has the reason */
};
enum query_step query_next(struct query *q);

/* Returns the reason of QUERY_FAILED, with which the program should end: a read error, a full disk, a lock. */
struct fault database_failure(const struct database *db);

enum query_type { QUERY_NULL, QUERY_INT, QUERY_REAL, QUERY_TEXT, QUERY_BLOB };

/* A value of the current row. Texts and blobs are views that are valid until the next query_next(). */
struct query_value {
	enum query_type type;
	int64_t i;
	double real;
	struct str bytes;
};

struct query_value query_get(const struct query *q, int column);

/* Returns the type of a value, and sets *i if it is an integer: faster than query_get(). */
enum query_type query_get_int(const struct query *q, int column, int64_t *i);

#endif

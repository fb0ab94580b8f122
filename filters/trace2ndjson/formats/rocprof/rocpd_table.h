/*
 * rocpd_table: the tables of a rocpd database. The tables of a process have the same suffix, and one file may have
 * several processes. There are two layouts, which differ in the tables that have the times, threads and queues of an
 * event: in schema 4 these are rocpd_timestamp and rocpd_track. Every column and every table may be missing.
 */
#ifndef ROCPD_TABLE_H
#define ROCPD_TABLE_H

#include "rocprof_row.h"
#include "trace2ndjson/formats/sqlite/table_merge.h"
#include "trace2ndjson/formats/sqlite/text_lookup.h"
#include "trace2ndjson/formats/sqlite/value_text.h"

/* The columns of the query for an event. A column that the tables do not have is NULL. */
enum rocpd_column {
	ROCPD_START,
	ROCPD_END,
	ROCPD_PID,
	ROCPD_TID,
	ROCPD_AGENT,
	ROCPD_SRC,
	ROCPD_DST,
	ROCPD_QUEUE,
	ROCPD_STREAM,
	ROCPD_NAME, /* id of a string */
	ROCPD_KERNEL_ID,
	ROCPD_CATEGORY, /* id of a category */
	ROCPD_CORR,
	ROCPD_SIZE,
	ROCPD_EVENT,       /* id of the event: counters and arguments refer to it */
	ROCPD_EVENT_FOUND, /* the same id, NULL if the event is missing */
	ROCPD_TYPE,        /* of an allocation: "ALLOC", "FREE" ... */
	ROCPD_LEVEL,       /* of an allocation: "REAL", "VIRTUAL" or "SCRATCH" */
	ROCPD_EXTDATA,     /* JSON with the text of a marker */
	ROCPD_ANCESTOR,
	ROCPD_EXTERNAL,
	ROCPD_DISPATCH,
	ROCPD_PRIVATE,
	ROCPD_GROUP,
	ROCPD_ADDRESS,
	ROCPD_WORKGROUP_X,
	ROCPD_WORKGROUP_Y,
	ROCPD_WORKGROUP_Z,
	ROCPD_GRID_X,
	ROCPD_GRID_Y,
	ROCPD_GRID_Z,
	ROCPD_COLUMNS
};

/* The tables of one process. */
struct rocpd_process {
	struct str suffix;            /* of the names of its tables; owned */
	struct rocprof_agents agents; /* an agent's handle is its id */
	/* In schema 3 the names of categories are among the strings. */
	struct text_lookup strings, categories, kernels, counters;
	struct query *args, *values; /* arguments of a call; values of the counters of a kernel; or NULL */
};

/* A table of events. */
struct rocpd_table {
	struct table_cursor cursor; /* the first member, so that it can be converted to the table */
	enum rocprof_table table;
	struct rocpd_process *process;
};

/* Returns the table BASE + suffix of a process, or NULL. */
const struct database_table *rocpd_find_table(
    const struct database *db, const struct rocpd_process *process, const char *base);

/*
 * Returns a query "SELECT COLUMNS FROM BASE AS x" + tail, with NULL in place of columns that the table does not have.
 * Returns NULL when the table does not exist.
 */
struct query *rocpd_select(struct database *db, const struct rocpd_process *process, const char *base,
    const char *const *columns, const char *tail);

/* Plans the query of a table of events. Without `args`, the columns that only args need are NULL. */
void rocpd_table_init(struct rocpd_table *t, struct database *db, const struct database_table *table, bool args);
void rocpd_table_free(struct rocpd_table *t);

#endif

#include "rocpd_table.h"

#include <stdlib.h>

/* The tables that an event's row is joined with, and their aliases in the query. */
static const struct {
	const char *alias, *base;
	const char *from, *key; /* the table and its column with the id */
} joins[] = {
    {"k", "rocpd_track", "x", "track_id"},
    {"a", "rocpd_timestamp", "x", "start_id"},
    {"b", "rocpd_timestamp", "x", "end_id"},
    {"i", "rocpd_timestamp", "x", "timestamp_id"},
    {"e", "rocpd_event", "x", "event_id"},
    {"p", "rocpd_info_process", NULL, "pid"},
    {"t", "rocpd_info_thread", NULL, "tid"},
};
enum { JOINS = sizeof joins / sizeof *joins };

/*
 * The columns after the times. `alias` has the joined table; NULL: the table of events or, if this lacks the column,
 * the track. If `joined` is set, the column is the id of a row there, and its value is the column `joined` of this row.
 */
static const struct {
	const char *alias, *name, *joined;
	bool arg;
} columns[ROCPD_COLUMNS] = {
    [ROCPD_PID] = {NULL, "pid", "p", false},
    [ROCPD_TID] = {NULL, "tid", "t", false},
    [ROCPD_AGENT] = {NULL, "agent_id", NULL, false},
    [ROCPD_SRC] = {NULL, "src_agent_id", NULL, false},
    [ROCPD_DST] = {NULL, "dst_agent_id", NULL, false},
    [ROCPD_QUEUE] = {NULL, "queue_id", NULL, false},
    [ROCPD_STREAM] = {NULL, "stream_id", NULL, false},
    [ROCPD_NAME] = {"x", "name_id", NULL, false},
    [ROCPD_KERNEL_ID] = {NULL, "kernel_id", NULL, false},
    [ROCPD_CATEGORY] = {"e", "category_id", NULL, false},
    [ROCPD_CORR] = {"e", "stack_id", NULL, false},
    [ROCPD_SIZE] = {NULL, "size", NULL, false},
    [ROCPD_EVENT] = {NULL, "event_id", NULL, false},
    [ROCPD_EVENT_FOUND] = {"e", "id", NULL, false},
    [ROCPD_TYPE] = {NULL, "type", NULL, false},
    [ROCPD_LEVEL] = {NULL, "level", NULL, false},
    [ROCPD_EXTDATA] = {"e", "extdata", NULL, false},
    [ROCPD_ANCESTOR] = {"e", "parent_stack_id", NULL, true},
    [ROCPD_EXTERNAL] = {"e", "correlation_id", NULL, true},
    [ROCPD_DISPATCH] = {NULL, "dispatch_id", NULL, true},
    [ROCPD_PRIVATE] = {NULL, "private_segment_size", NULL, true},
    [ROCPD_GROUP] = {NULL, "group_segment_size", NULL, true},
    [ROCPD_ADDRESS] = {NULL, "address", NULL, true},
    [ROCPD_WORKGROUP_X] = {NULL, "workgroup_size_x", NULL, true},
    [ROCPD_WORKGROUP_Y] = {NULL, "workgroup_size_y", NULL, true},
    [ROCPD_WORKGROUP_Z] = {NULL, "workgroup_size_z", NULL, true},
    [ROCPD_GRID_X] = {NULL, "grid_size_x", NULL, true},
    [ROCPD_GRID_Y] = {NULL, "grid_size_y", NULL, true},
    [ROCPD_GRID_Z] = {NULL, "grid_size_z", NULL, true},
};

/* The tables of a query by their aliases; NULL: the table is not joined. */
struct plan {
	const struct database_table *x, *joined[JOINS];
};

static void put_word(struct buf *sql, const char *word)
{
	buf_add(sql, word, strlen(word));
}

static void put_table(struct buf *sql, const struct rocpd_process *process, const char *base)
{
	struct buf name = {0};

	put_word(&name, base);
	buf_add(&name, process->suffix.p, process->suffix.n);
	database_quote(sql, (struct str){name.p, name.n});
	buf_free(&name);
}

const struct database_table *rocpd_find_table(
    const struct database *db, const struct rocpd_process *process, const char *base)
{
	const struct database_table *table;
	struct buf name = {0};

	put_word(&name, base);
	buf_add(&name, process->suffix.p, process->suffix.n);
	table = database_table(db, (struct str){name.p, name.n});
	buf_free(&name);
	return table;
}

struct query *rocpd_select(struct database *db, const struct rocpd_process *process, const char *base,
    const char *const *names, const char *tail)
{
	const struct database_table *table = rocpd_find_table(db, process, base);
	struct buf sql = {0};
	struct query *q;
	size_t i;

	if (!table)
		return NULL;
	for (i = 0; names[i]; i++) {
		put_word(&sql, i ? ", " : "SELECT ");
		if (!database_column(table, str_of(names[i]))) {
			buf_lit(&sql, "NULL");
			continue;
		}
		buf_lit(&sql, "x.");
		database_quote(&sql, str_of(names[i]));
	}
	buf_lit(&sql, " FROM ");
	put_table(&sql, process, base);
	buf_lit(&sql, " AS x ");
	put_word(&sql, tail);
	q = database_query(db, (struct str){sql.p, sql.n});
	buf_free(&sql);
	return q;
}

static const struct database_table *table_of(const struct plan *plan, const char *alias)
{
	size_t i;

	for (i = 0; i < JOINS; i++) {
		if (str_eq(str_of(joins[i].alias), str_of(alias)))
			return plan->joined[i];
	}
	return plan->x;
}

/* Appends ALIAS."NAME" and returns true if this table is in the query and has the column. */
static bool put_column(struct buf *sql, const struct plan *plan, const char *alias, const char *name)
{
	if (!database_column(table_of(plan, alias), str_of(name)))
		return false;
	put_word(sql, alias);
	buf_char(sql, '.');
	database_quote(sql, str_of(name));
	return true;
}

/* Appends a column of the table of events or of the track. */
static bool put_own(struct buf *sql, const struct plan *plan, const char *name)
{
	return put_column(sql, plan, "x", name) || put_column(sql, plan, "k", name);
}

/* Joins the tables that exist and to which the table of events refers. */
static void put_joins(
    struct buf *sql, struct plan *plan, const struct database *db, const struct rocpd_process *process)
{
	const struct database_table *table;
	struct buf key = {0};
	size_t i;

	for (i = 0; i < JOINS; i++) {
		key.n = 0;
		table = rocpd_find_table(db, process, joins[i].base);
		if (!database_column(table, STR("id")))
			continue;
		if (!(joins[i].from ? put_column(&key, plan, joins[i].from, joins[i].key)
				    : put_own(&key, plan, joins[i].key)))
			continue;
		plan->joined[i] = table;
		buf_lit(sql, " LEFT JOIN ");
		put_table(sql, process, joins[i].base);
		buf_lit(sql, " AS ");
		put_word(sql, joins[i].alias);
		buf_lit(sql, " ON ");
		put_word(sql, joins[i].alias);
		buf_lit(sql, ".id = ");
		buf_add(sql, key.p, key.n);
	}
	buf_free(&key);
}

/* Appends the start and the end of an event; they are equal for a table whose events have one time. */
static void put_times(struct rocpd_table *t, const struct plan *plan)
{
	static const struct {
		const char *alias, *name;
	} times[2][4] = {{{"x", "start"}, {"a", "value"}, {"x", "timestamp"}, {"i", "value"}},
	    {{"x", "end"}, {"b", "value"}, {"x", "timestamp"}, {"i", "value"}}};
	struct buf *sql = &t->cursor.times;
	size_t i, k;

	for (i = 0; i < 2; i++) {
		if (i)
			buf_lit(sql, ", ");
		for (k = 0; k < 4 && !put_column(sql, plan, times[i][k].alias, times[i][k].name); k++)
			;
		if (k == 4)
			buf_lit(sql, "NULL");
	}
	t->cursor.timed = true;
}

static void put_value(struct buf *sql, const struct plan *plan, enum rocpd_column i, bool args)
{
	struct buf own = {0};
	bool found;

	if (columns[i].alias)
		found = put_column(&own, plan, columns[i].alias, columns[i].name);
	else
		found = put_own(&own, plan, columns[i].name);
	if (!found || (columns[i].arg && !args)) {
		buf_lit(sql, "NULL");
	} else if (columns[i].joined && database_column(table_of(plan, columns[i].joined), str_of(columns[i].name))) {
		buf_lit(sql, "coalesce(");
		put_column(sql, plan, columns[i].joined, columns[i].name);
		buf_lit(sql, ", ");
		buf_add(sql, own.p, own.n);
		buf_lit(sql, ")");
	} else {
		buf_add(sql, own.p, own.n);
	}
	buf_free(&own);
}

void rocpd_table_init(struct rocpd_table *t, struct database *db, const struct database_table *table, bool args)
{
	struct plan plan = {.x = table};
	enum rocpd_column i;

	t->cursor.table = table;
	put_joins(&t->cursor.joins, &plan, db, t->process);
	put_times(t, &plan);
	for (i = ROCPD_END + 1; i < ROCPD_COLUMNS; i++) {
		buf_lit(&t->cursor.columns, ", ");
		put_value(&t->cursor.columns, &plan, i, args);
	}
}

void rocpd_table_free(struct rocpd_table *t)
{
	buf_free(&t->cursor.times);
	buf_free(&t->cursor.columns);
	buf_free(&t->cursor.joins);
}

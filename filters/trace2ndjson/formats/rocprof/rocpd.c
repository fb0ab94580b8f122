/*
 * rocpd: reads the SQLite databases of rocprofv3. The tables of a process have the same suffix, and one file may have
 * several processes. There are two layouts, which differ in the tables that have the times, threads and queues of an
 * event: in schema 4 these are rocpd_timestamp and rocpd_track. Every column and every table may be missing.
 */
#include "rocpd.h"

#include "json/check.h"
#include "json/iter.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/write.h"
#include "rocprof_record.h"
#include "trace2ndjson/formats/sqlite/table_merge.h"

#include <math.h>
#include <stdlib.h>

/* The columns of the query for an event. A column that the tables do not have is NULL. */
enum rocpd_column {
	ROCPD_START,
	ROCPD_END,
	ROCPD_AGENT,
	ROCPD_SRC,
	ROCPD_DST,
	ROCPD_NAME, /* id of a string */
	ROCPD_KERNEL_ID,
	ROCPD_CATEGORY,    /* id of a category */
	ROCPD_EVENT,       /* id of the event: counters and arguments refer to it */
	ROCPD_EVENT_FOUND, /* the same id, NULL if the event is missing */
	ROCPD_TYPE,        /* of an allocation: "ALLOC", "FREE" ... */
	ROCPD_LEVEL,       /* of an allocation: "REAL", "VIRTUAL" or "SCRATCH" */
	ROCPD_EXTDATA,     /* JSON with the text of a marker */
	ROCPD_ADDRESS,
	ROCPD_OTHERS, /* the other columns have no names: they are only values of fields */
	ROCPD_COLUMNS = ROCPD_OTHERS + 17
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

struct rocpd_processes {
	struct rocpd_process *list;
	size_t n;
};

/* Reads the records of kind meta: each process, followed by its agents. Zero-initialise. */
struct rocpd_meta {
	struct rocprof_maker maker;
	/* private */
	size_t process; /* index of the process that is being read */
	bool agents;    /* its agents are being read */
	struct query *rows;
	struct value_text texts[8];
	struct buf extdata;
};

/* Zero-initialise. */
struct rocpd_row {
	struct rocprof_row row; /* its views are valid until the next call */
	bool has_value;         /* the kernel in `row` has a counter that was not read yet */
	uint64_t values_read;   /* number of values of counters, of all kernels */
	/* private */
	struct reader *reader;
	struct rocpd_process *process;
	struct query *values; /* the counters of the kernel */
	struct value_text texts[ROCPD_COLUMNS];
	struct value_text arg;
	struct buf name, category, counter, message, call_args, address; /* values of `row` */
	char value[NUM_ROOM];                                            /* the value of the counter */
};

/* --- the tables of events, and their queries --- */

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
 * The columns of the query, each with the field of a row that has its value; ROCPROF_N if it is no field. `alias` has
 * the joined table; NULL: the table of events or, if this lacks the column, the track. If `joined` is set, the column
 * is the id of a row there, and its value is the column `joined` of this row.
 */
static const struct {
	const char *alias, *name, *joined;
	enum rocprof_field field;
	bool arg;
} event_columns[ROCPD_COLUMNS] = {
    [ROCPD_START] = {NULL, NULL, NULL, ROCPROF_START, false}, /* see put_times() */
    [ROCPD_END] = {NULL, NULL, NULL, ROCPROF_END, false},
    [ROCPD_AGENT] = {NULL, "agent_id", NULL, ROCPROF_N, false},
    [ROCPD_SRC] = {NULL, "src_agent_id", NULL, ROCPROF_N, false},
    [ROCPD_DST] = {NULL, "dst_agent_id", NULL, ROCPROF_N, false},
    [ROCPD_NAME] = {"x", "name_id", NULL, ROCPROF_N, false},
    [ROCPD_KERNEL_ID] = {NULL, "kernel_id", NULL, ROCPROF_KERNEL_ID, false},
    [ROCPD_CATEGORY] = {"e", "category_id", NULL, ROCPROF_N, false},
    [ROCPD_EVENT] = {NULL, "event_id", NULL, ROCPROF_N, false},
    [ROCPD_EVENT_FOUND] = {"e", "id", NULL, ROCPROF_N, false},
    [ROCPD_TYPE] = {NULL, "type", NULL, ROCPROF_N, false},
    [ROCPD_LEVEL] = {NULL, "level", NULL, ROCPROF_N, false},
    [ROCPD_EXTDATA] = {"e", "extdata", NULL, ROCPROF_N, false},
    [ROCPD_ADDRESS] = {NULL, "address", NULL, ROCPROF_N, true},
    {NULL, "pid", "p", ROCPROF_PID, false},
    {NULL, "tid", "t", ROCPROF_TID, false},
    {NULL, "queue_id", NULL, ROCPROF_QUEUE, false},
    {NULL, "stream_id", NULL, ROCPROF_STREAM, false},
    {"e", "stack_id", NULL, ROCPROF_CORR, false},
    {NULL, "size", NULL, ROCPROF_BYTES, false},
    {"e", "parent_stack_id", NULL, ROCPROF_ANCESTOR, true},
    {"e", "correlation_id", NULL, ROCPROF_EXTERNAL, true},
    {NULL, "dispatch_id", NULL, ROCPROF_DISPATCH, true},
    {NULL, "private_segment_size", NULL, ROCPROF_PRIVATE, true},
    {NULL, "group_segment_size", NULL, ROCPROF_GROUP, true},
    {NULL, "workgroup_size_x", NULL, ROCPROF_WORKGROUP_X, true},
    {NULL, "workgroup_size_y", NULL, ROCPROF_WORKGROUP_Y, true},
    {NULL, "workgroup_size_z", NULL, ROCPROF_WORKGROUP_Z, true},
    {NULL, "grid_size_x", NULL, ROCPROF_GRID_X, true},
    {NULL, "grid_size_y", NULL, ROCPROF_GRID_Y, true},
    {NULL, "grid_size_z", NULL, ROCPROF_GRID_Z, true},
};

/* The tables of a query by their aliases; NULL: the table is not joined. */
struct plan {
	const struct database_table *x, *joined[JOINS];
};

static void put_word(struct buf *sql, const char *word)
{
	buf_add(sql, word, strlen(word));
}

/* Returns the table BASE + suffix of a process, or NULL. */
static const struct database_table *find_table(
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

/*
 * Returns a query "SELECT COLUMNS FROM BASE AS x" + tail, with NULL in place of columns that the table does not have.
 * Returns NULL when the table does not exist.
 */
static struct query *rocpd_select(struct database *db, const struct rocpd_process *process, const char *base,
    const char *const *names, const char *tail)
{
	const struct database_table *table = find_table(db, process, base);
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
	database_quote(&sql, table->name);
	buf_lit(&sql, " AS x ");
	put_word(&sql, tail);
	q = database_query(db, (struct str){sql.p, sql.n});
	buf_free(&sql);
	return q;
}

static const struct database_table *alias_table(const struct plan *plan, const char *alias)
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
	if (!database_column(alias_table(plan, alias), str_of(name)))
		return false;
	put_word(sql, alias);
	buf_char(sql, '.');
	database_quote(sql, str_of(name));
	return true;
}

/* Appends a column of the table of events or of the track. */
static bool put_own_column(struct buf *sql, const struct plan *plan, const char *name)
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
		table = find_table(db, process, joins[i].base);
		if (!database_column(table, STR("id")))
			continue;
		if (!(joins[i].from ? put_column(&key, plan, joins[i].from, joins[i].key)
				    : put_own_column(&key, plan, joins[i].key)))
			continue;
		plan->joined[i] = table;
		buf_lit(sql, " LEFT JOIN ");
		database_quote(sql, table->name);
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

	if (event_columns[i].alias)
		found = put_column(&own, plan, event_columns[i].alias, event_columns[i].name);
	else
		found = put_own_column(&own, plan, event_columns[i].name);
	if (!found || (event_columns[i].arg && !args)) {
		buf_lit(sql, "NULL");
	} else if (event_columns[i].joined &&
		   database_column(alias_table(plan, event_columns[i].joined), str_of(event_columns[i].name))) {
		buf_lit(sql, "coalesce(");
		put_column(sql, plan, event_columns[i].joined, event_columns[i].name);
		buf_lit(sql, ", ");
		buf_add(sql, own.p, own.n);
		buf_lit(sql, ")");
	} else {
		buf_add(sql, own.p, own.n);
	}
	buf_free(&own);
}

/* Plans the query of a table of events. Without `args`, the columns that only args need are NULL. */
static void table_init(struct rocpd_table *t, struct database *db, const struct database_table *table, bool args)
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

static void table_free(struct rocpd_table *t)
{
	buf_free(&t->cursor.times);
	buf_free(&t->cursor.columns);
	buf_free(&t->cursor.joins);
}

/* --- the processes: their names, agents and metadata --- */

static void report_damage(struct reader *r, enum query_step got)
{
	if (got != QUERY_END)
		reader_lost(r, "damaged table of processes or agents; its other rows are lost", 0, 0);
}

/* --- the processes --- */

/* Returns the suffix of a table that only rocprofv3 writes; p is NULL for other tables. */
static struct str table_suffix(struct str name)
{
	static const struct str bases[] = {ROCPROF_TEXT("rocpd_info_process"), ROCPROF_TEXT("rocpd_info_agent"),
	    ROCPROF_TEXT("rocpd_event"), ROCPROF_TEXT("rocpd_region"), ROCPROF_TEXT("rocpd_sample"),
	    ROCPROF_TEXT("rocpd_kernel_dispatch"), ROCPROF_TEXT("rocpd_memory_copy"),
	    ROCPROF_TEXT("rocpd_memory_allocate")};
	struct str rest;
	size_t i;

	for (i = 0; i < sizeof bases / sizeof *bases; i++) {
		rest = str_from(name, bases[i].n);
		if (str_starts(name, bases[i]) && (!rest.n || rest.p[0] == '_'))
			return rest;
	}
	return (struct str){NULL, 0};
}

/* Finds the processes by the suffixes of the tables' names. */
static void processes_find(struct rocpd_processes *p, const struct database *db)
{
	const struct database_tables *tables = database_tables(db);
	struct str suffix;
	size_t i, k, cap = 0;

	for (i = 0; i < tables->n; i++) {
		suffix = table_suffix(tables->list[i].name);
		for (k = 0; suffix.p && k < p->n && !str_eq(p->list[k].suffix, suffix); k++)
			;
		if (!suffix.p || k < p->n)
			continue;
		p->list = mem_grow(p->list, &cap, p->n + 1, sizeof *p->list);
		p->list[p->n++] = (struct rocpd_process){.suffix = suffix}; /* a view of the database's name */
	}
}

static void open_names(struct text_lookup *names, struct database *db, const struct rocpd_process *p, struct reader *r,
    const char *base, const char *column)
{
	const struct database_table *table = find_table(db, p, base);
	struct buf sql = {0};

	buf_lit(&sql, "SELECT ");
	database_quote(&sql, str_of(column));
	buf_lit(&sql, " FROM ");
	database_quote(&sql, table ? table->name : str_of(base));
	buf_lit(&sql, " WHERE id = ?1");
	text_lookup_open(names, db, r, (struct str){sql.p, sql.n});
	buf_free(&sql);
}

/*
 * Returns a query for the rows of a table that refer to the event ?1. The table has no index for this, so it is copied
 * to a temporary table, ordered by `keys`; `columns` are the keys and the others.
 */
static struct query *open_rows(struct database *db, const struct rocpd_process *p, const char *base, const char *keys,
    const char *columns, const char *const *names, const char *tail)
{
	const struct database_table *table = find_table(db, p, base);

	if (!table)
		return NULL;
	database_index(db, table, keys, columns);
	return rocpd_select(db, p, base, names, tail);
}

static struct rocprof_agent read_agent(const struct query *q)
{
	struct rocprof_agent agent = {.handle = -1};
	const struct query_value type = query_get(q, 1);

	query_get_int(q, 0, &agent.handle);
	agent.node = agent.logical = agent.handle;
	query_get_int(q, 2, &agent.node);
	query_get_int(q, 3, &agent.logical);
	agent.index = agent.logical;
	query_get_int(q, 4, &agent.index);
	agent.gpu = type.type == QUERY_TEXT && str_eq(type.bytes, STR("GPU"));
	return agent;
}

static struct query *select_agents(struct database *db, const struct rocpd_process *p)
{
	static const char *const names[] = {"id", "type", "absolute_index", "logical_index", "type_index", "name",
	    "product_name", "vendor_name", "extdata", NULL};

	return rocpd_select(db, p, "rocpd_info_agent", names, "ORDER BY 1");
}

/* Reads the agents of a process, and prepares its lookups. */
static void process_open(struct rocpd_process *p, struct database *db, struct reader *r)
{
	static const char *const arg[] = {"name", "value", NULL}, *const value[] = {"pmc_id", "value", NULL};
	const bool categories = find_table(db, p, "rocpd_info_category");
	const uint32_t calls = 1u << KIND_API | 1u << KIND_RANGE | 1u << KIND_MARK;
	struct query *agents = select_agents(db, p);
	enum query_step got = QUERY_END;

	while (agents && (got = query_next(agents)) == QUERY_ROW)
		rocprof_agents_put(&p->agents, read_agent(agents));
	report_damage(r, got);
	query_close(agents);
	open_names(&p->strings, db, p, r, "rocpd_string", "string");
	open_names(&p->categories, db, p, r, categories ? "rocpd_info_category" : "rocpd_string",
	    categories ? "name" : "string");
	open_names(&p->kernels, db, p, r, "rocpd_info_kernel_symbol", "display_name");
	open_names(&p->counters, db, p, r, "rocpd_info_pmc", "name");
	if (r->args && r->kinds & calls)
		p->args = open_rows(db, p, "rocpd_arg", "event_id, position, id", "event_id, position, id, name, value",
		    arg, "WHERE x.event_id = ?1 ORDER BY x.position, x.id");
	if (reader_wants(r, KIND_COUNTER))
		p->values = open_rows(db, p, "rocpd_pmc_event", "event_id, pmc_id, id", "event_id, pmc_id, id, value",
		    value, "WHERE x.event_id = ?1 ORDER BY x.pmc_id, x.id");
}

static void processes_free(struct rocpd_processes *p)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		text_lookup_close(&p->list[i].strings);
		text_lookup_close(&p->list[i].categories);
		text_lookup_close(&p->list[i].kernels);
		text_lookup_close(&p->list[i].counters);
		query_close(p->list[i].args);
		query_close(p->list[i].values);
	}
	free(p->list);
}

/* --- metadata --- */

/* Returns the name of the computer on which a process ran; p is NULL if it is unknown. */
static struct str process_host(struct rocpd_meta *m, struct database *db, const struct rocpd_process *p, int64_t node)
{
	static const char *const names[] = {"hostname", NULL};
	struct query *q = rocpd_select(db, p, "rocpd_info_node", names, "WHERE x.id = ?1");
	struct str host = {NULL, 0};

	if (q) {
		query_bind(q, 1, node);
		if (query_next(q) == QUERY_ROW)
			host = value_text_get(&m->texts[0], q, 0);
	}
	query_close(q);
	return host;
}

static void make_process(struct rocpd_meta *m, struct database *db, const struct rocpd_process *p, struct event *e)
{
	struct buf *args = &m->maker.args;
	int64_t node = 0;
	struct str v;

	event_clear(e);
	event_set_kind(e, KIND_META);
	query_get_int(m->rows, 1, &node);
	v = process_host(m, db, p, node);
	if (v.p)
		event_set(e, EVENT_NAME, v);
	event_set(e, EVENT_CAT, STR("\"metadata\""));
	v = value_text_get(&m->texts[1], m->rows, 2);
	if (v.p)
		event_set(e, EVENT_PID, v);
	args->n = 0;
	json_write_begin(args, NULL, '{');
	rocprof_put(args, "command", value_text_get(&m->texts[2], m->rows, 3));
	rocprof_put(args, "init_time", value_text_get(&m->texts[3], m->rows, 4));
	rocprof_put(args, "fini_time", value_text_get(&m->texts[4], m->rows, 5));
	json_write_end(args, '}');
}

/* Returns a member of the agent's column extdata, a JSON text; p is NULL if it is absent. */
static struct str extdata_member(struct rocpd_meta *m, struct str key)
{
	const struct query_value v = query_get(m->rows, 8);
	struct str value = {NULL, 0};
	struct fault f;

	if (v.type != QUERY_TEXT || !json_check(v.bytes, &f))
		return value;
	m->extdata.n = 0;
	buf_add(&m->extdata, v.bytes.p, v.bytes.n);
	scan_pad(&m->extdata);
	value = iter_find((struct str){m->extdata.p, v.bytes.n}, key);
	return value.n && (value.p[0] == '{' || value.p[0] == '[') ? (struct str){NULL, 0} : value;
}

static int make_agent(struct rocpd_meta *m, const struct reader *r, struct event *e)
{
	const struct rocprof_agent agent = read_agent(m->rows);
	const struct rocprof_agent_text is = {.type = value_text_get(&m->texts[0], m->rows, 1),
	    .name = value_text_get(&m->texts[1], m->rows, 5),
	    .product = value_text_get(&m->texts[2], m->rows, 6),
	    .vendor = value_text_get(&m->texts[3], m->rows, 7),
	    .cu_count = extdata_member(m, STR("cu_count"))};

	return rocprof_make_agent(&m->maker, r, &agent, &is, e);
}

/* Returns 1 with *e set, valid until the next call; 0 when all are read. */
static int meta_next(
    struct rocpd_meta *m, struct database *db, struct rocpd_processes *all, struct reader *r, struct event *e)
{
	static const char *const names[] = {"id", "nid", "pid", "command", "init", "fini", NULL};
	enum query_step got = QUERY_END;
	struct rocpd_process *p;

	for (; m->process < all->n; m->process += !m->agents) {
		p = &all->list[m->process];
		if (!m->rows)
			m->rows = m->agents ? select_agents(db, p)
					    : rocpd_select(db, p, "rocpd_info_process", names, "ORDER BY 1");
		if (m->rows && (got = query_next(m->rows)) == QUERY_ROW) {
			if (m->agents)
				return make_agent(m, r, e);
			make_process(m, db, p, e);
			if (r->args && m->maker.args.n > 2)
				event_set(e, EVENT_ARGS, json_write_str(&m->maker.args));
			return 1;
		}
		report_damage(r, got);
		query_close(m->rows);
		m->rows = NULL;
		m->agents = !m->agents;
	}
	return 0;
}

static void meta_free(struct rocpd_meta *m)
{
	size_t i;

	for (i = 0; i < sizeof m->texts / sizeof *m->texts; i++)
		value_text_free(&m->texts[i]);
	query_close(m->rows);
	rocprof_maker_free(&m->maker);
	buf_free(&m->extdata);
}

/* --- the values of an event, and the counters of a kernel --- */

/*
 * Returns the name for the id in a column. Makes a name such as "kernel 812" if the table of names does not have the
 * id. p is NULL if the column is NULL. The name is valid until the next lookup in `names`, or in *to.
 */
static struct str name_by_id(
    struct reader *r, const struct query *q, int column, struct text_lookup *names, const char *what, struct buf *to)
{
	struct str name = {NULL, 0};
	char digits[NUM_ROOM], *end;
	int64_t id;

	if (query_get_int(q, column, &id) != QUERY_INT)
		return name;
	name = text_lookup_get(names, id, 0);
	if (name.p)
		return name;
	reader_note(r, "id without a name in the tables of the file; name made from the id", r->line, 0);
	to->n = 0;
	buf_char(to, '"');
	buf_add(to, what, strlen(what));
	end = num_put_i64(digits, id);
	buf_add(to, digits, (size_t)(end - digits));
	buf_char(to, '"');
	return json_write_str(to);
}

static void read_agent_place(
    struct rocpd_row *s, const struct rocpd_table *t, enum rocpd_column column, struct rocprof_place *to)
{
	struct reader *r = s->reader;
	int64_t id;

	if (query_get_int(t->cursor.query, (int)column, &id) != QUERY_INT)
		return;
	*to = rocprof_agents_by_handle(&t->process->agents, id);
	if (!to->known)
		reader_note(r, "agent without a description; device unknown", r->line, 0);
}

/* Sets the name of an allocation from its type and level, as tools with the column name_id write it. */
static void name_allocation(struct rocpd_row *s, const struct query *q)
{
	const struct query_value type = query_get(q, ROCPD_TYPE), level = query_get(q, ROCPD_LEVEL);
	const bool scratch = level.type == QUERY_TEXT && str_eq(level.bytes, STR("SCRATCH"));
	struct buf name = {0};

	if (type.type != QUERY_TEXT)
		return;
	if (scratch)
		buf_lit(&name, "SCRATCH_MEMORY_");
	else
		buf_lit(&name, "MEMORY_ALLOCATION_");
	if (level.type == QUERY_TEXT && str_eq(level.bytes, STR("VIRTUAL")))
		buf_lit(&name, "VMEM_");
	buf_add(&name, type.bytes.p, type.bytes.n);
	if (!scratch && str_eq(type.bytes, STR("ALLOC")))
		buf_lit(&name, "ATE");
	s->name.n = 0;
	json_quote(&s->name, (struct str){name.p, name.n});
	s->row.v[ROCPROF_NAME] = json_write_str(&s->name);
	buf_free(&name);
}

static void read_address(struct rocpd_row *s, const struct query *q)
{
	static const char digits[] = "0123456789abcdef";
	int64_t address;
	int shift;

	if (query_get_int(q, ROCPD_ADDRESS, &address) != QUERY_INT || !address)
		return;
	s->address.n = 0;
	buf_lit(&s->address, "\"0x");
	for (shift = 60; shift >= 0; shift -= 4)
		buf_char(&s->address, digits[(uint64_t)address >> shift & 0xf]);
	buf_char(&s->address, '"');
	s->row.v[ROCPROF_ADDRESS] = json_write_str(&s->address);
}

/* A marker has the text that the program gave, and the function by which it did so. */
static void name_marker(struct rocpd_row *s, const struct query *q)
{
	const struct query_value v = query_get(q, ROCPD_EXTDATA);
	struct reader *r = s->reader;
	struct str message;
	struct fault f;

	if (v.type != QUERY_TEXT || str_eq(v.bytes, STR("{}")))
		return;
	if (!json_check(v.bytes, &f)) {
		reader_lost(r, "extdata of the event is not JSON; the text of the marker is lost", r->line, 0);
		return;
	}
	s->message.n = 0;
	buf_add(&s->message, v.bytes.p, v.bytes.n);
	scan_pad(&s->message);
	message = iter_find(json_write_str(&s->message), STR("message"));
	if (!json_is_string(message))
		return;
	s->row.v[ROCPROF_FUNCTION] = s->row.v[ROCPROF_NAME];
	s->row.v[ROCPROF_NAME] = message;
}

/* Sets the arguments of a call: {"ptr":"0x7ffc00",...}. */
static void read_call_args(struct rocpd_row *s, const struct query *row, struct query *args)
{
	struct reader *r = s->reader;
	enum query_step got;
	struct query_value name;
	struct str value;
	int64_t event;

	if (!args || query_get_int(row, ROCPD_EVENT, &event) != QUERY_INT)
		return;
	query_bind(args, 1, event);
	s->call_args.n = 0;
	json_write_begin(&s->call_args, NULL, '{');
	while ((got = query_next(args)) == QUERY_ROW && s->call_args.n <= r->max_record) {
		name = query_get(args, 0);
		value = value_text_get(&s->arg, args, 1);
		if (name.type != QUERY_TEXT || !value.p)
			continue;
		json_write_name(&s->call_args, name.bytes);
		buf_add(&s->call_args, value.p, value.n);
	}
	if (got != QUERY_END)
		reader_lost(
		    r, "arguments of a call are damaged or larger than --max-record; the others are lost", r->line, 0);
	json_write_end(&s->call_args, '}');
	if (s->call_args.n > 2)
		s->row.v[ROCPROF_CALL_ARGS] = json_write_str(&s->call_args);
}

static void read_call(struct rocpd_row *s, const struct rocpd_table *t)
{
	rocprof_row_forget(&s->row, ROCPROF_STREAM, ROCPROF_STREAM);
	rocprof_row_forget(&s->row, ROCPROF_QUEUE, ROCPROF_QUEUE);
	s->row.v[ROCPROF_NAME] =
	    name_by_id(s->reader, t->cursor.query, ROCPD_NAME, &t->process->strings, "string ", &s->name);
	read_call_args(s, t->cursor.query, t->process->args);
	if (str_starts(s->row.v[ROCPROF_CAT], STR("\"MARKER_CORE")))
		name_marker(s, t->cursor.query);
}

static void read_kernel(struct rocpd_row *s, const struct rocpd_table *t)
{
	int64_t event;

	read_agent_place(s, t, ROCPD_AGENT, &s->row.agent);
	s->row.v[ROCPROF_NAME] =
	    name_by_id(s->reader, t->cursor.query, ROCPD_KERNEL_ID, &t->process->kernels, "kernel ", &s->name);
	s->values = t->process->values;
	if (!s->values || query_get_int(t->cursor.query, ROCPD_EVENT, &event) != QUERY_INT)
		return;
	query_bind(s->values, 1, event);
	s->has_value = query_next(s->values) == QUERY_ROW;
}

static void read_allocation(struct rocpd_row *s, const struct rocpd_table *t)
{
	read_agent_place(s, t, ROCPD_AGENT, &s->row.agent);
	rocprof_row_forget(&s->row, ROCPROF_STREAM, ROCPROF_STREAM);
	if (!str_starts(s->row.v[ROCPROF_CAT], STR("\"SCRATCH")))
		rocprof_row_forget(&s->row, ROCPROF_QUEUE, ROCPROF_QUEUE);
	s->row.v[ROCPROF_NAME] =
	    name_by_id(s->reader, t->cursor.query, ROCPD_NAME, &t->process->strings, "string ", &s->name);
	if (!s->row.v[ROCPROF_NAME].p)
		name_allocation(s, t->cursor.query);
	read_address(s, t->cursor.query);
}

static bool is_null(const struct query *q, enum rocpd_column column)
{
	int64_t ignored;

	return query_get_int(q, (int)column, &ignored) == QUERY_NULL;
}

/* Sets x->row to the current row of a table. */
static void row_read(struct rocpd_row *s, struct reader *r, const struct rocpd_table *t)
{
	const struct query *q = t->cursor.query;
	size_t i;

	s->reader = r;
	s->process = t->process;
	s->has_value = false;
	rocprof_row_clear(&s->row);
	s->row.table = t->table;
	for (i = 0; i < ROCPD_COLUMNS; i++) {
		if (event_columns[i].field < ROCPROF_N)
			s->row.v[event_columns[i].field] = value_text_get(&s->texts[i], q, (int)i);
	}
	/* An event is its own ancestor if it has no other. */
	if (str_eq(s->row.v[ROCPROF_ANCESTOR], s->row.v[ROCPROF_CORR]))
		rocprof_row_forget(&s->row, ROCPROF_ANCESTOR, ROCPROF_ANCESTOR);
	s->row.v[ROCPROF_CAT] =
	    name_by_id(s->reader, q, ROCPD_CATEGORY, &t->process->categories, "category ", &s->category);
	if (is_null(q, ROCPD_START))
		reader_lost(r, "row without a start time; its record has no ts", r->line, 0);
	if (is_null(q, ROCPD_EVENT_FOUND))
		reader_lost(r, "row without its event; its record has no cat and no corr", r->line, 0);
	if (t->table == ROCPROF_CALLS) {
		read_call(s, t);
	} else if (t->table == ROCPROF_KERNELS) {
		read_kernel(s, t);
	} else if (t->table == ROCPROF_MEMORY) {
		read_allocation(s, t);
	} else {
		read_agent_place(s, t, ROCPD_SRC, &s->row.source);
		read_agent_place(s, t, ROCPD_DST, &s->row.to);
		rocprof_row_forget(&s->row, ROCPROF_QUEUE, ROCPROF_QUEUE);
		s->row.v[ROCPROF_NAME] =
		    name_by_id(s->reader, q, ROCPD_NAME, &t->process->strings, "string ", &s->name);
	}
}

/* --- counters --- */

/*
 * Sets x->row, which is a kernel or its last counter, to the next counter of the kernel: the sum over the instances of
 * the counter. Call it only if x->has_value is set.
 */
static void row_counter(struct rocpd_row *s, struct reader *r)
{
	struct rocprof_row *row = &s->row;
	enum query_step got = QUERY_ROW;
	struct query_value v;
	int64_t id = 0, next;
	double sum = 0;

	if (row->table == ROCPROF_KERNELS) {
		row->table = ROCPROF_COUNTERS;
		row->v[ROCPROF_CAT] = STR("\"COUNTER_COLLECTION\"");
		row->v[ROCPROF_KERNEL] = row->v[ROCPROF_NAME];
		rocprof_row_forget(row, ROCPROF_KERNEL_ID, ROCPROF_GROUP);
		rocprof_row_forget(row, ROCPROF_EXTERNAL, ROCPROF_GRID_Z);
	}
	row->v[ROCPROF_NAME] = name_by_id(r, s->values, 0, &s->process->counters, "counter ", &s->counter);
	query_get_int(s->values, 0, &id);
	do {
		v = query_get(s->values, 1);
		sum += v.type == QUERY_INT ? (double)v.i : v.real;
		s->values_read++;
		got = query_next(s->values);
	} while (got == QUERY_ROW && query_get_int(s->values, 0, &next) == QUERY_INT && next == id);
	s->has_value = got == QUERY_ROW;
	if (isfinite(sum))
		row->v[ROCPROF_VALUE] = (struct str){s->value, (size_t)(num_put_double(s->value, sum) - s->value)};
	else
		rocprof_row_forget(row, ROCPROF_VALUE, ROCPROF_VALUE);
}

static void row_free(struct rocpd_row *s)
{
	size_t i;

	for (i = 0; i < ROCPD_COLUMNS; i++)
		value_text_free(&s->texts[i]);
	value_text_free(&s->arg);
	buf_free(&s->row.extra);
	buf_free(&s->name);
	buf_free(&s->category);
	buf_free(&s->counter);
	buf_free(&s->message);
	buf_free(&s->call_args);
	buf_free(&s->address);
}

/* --- the format --- */

struct rocpd {
	struct database *db;
	struct table_merge merge;
	struct rocpd_processes processes;
	struct rocpd_table *tables;
	size_t n;
	struct rocpd_meta meta;
	struct rocpd_row row;
	struct rocprof_maker maker;
	const char *file;
};

/* The tables of events, and the kinds of their records. At equal times, rows are in the order of these tables. */
static const struct {
	const char *base;
	enum rocprof_table table;
	uint32_t kinds;
} events[] = {
    {"rocpd_region", ROCPROF_CALLS, 1u << KIND_API | 1u << KIND_RANGE | 1u << KIND_MARK},
    {"rocpd_sample", ROCPROF_CALLS, 1u << KIND_API | 1u << KIND_RANGE | 1u << KIND_MARK},
    {"rocpd_kernel_dispatch", ROCPROF_KERNELS, 1u << KIND_KERNEL | 1u << KIND_COUNTER},
    {"rocpd_memory_copy", ROCPROF_COPIES, 1u << KIND_MEMCPY},
    {"rocpd_memory_allocate", ROCPROF_MEMORY, 1u << KIND_OTHER},
};

enum { EVENTS = sizeof events / sizeof *events };

/* --- opening --- */

bool rocpd_is(const struct database *db)
{
	struct rocpd_processes p = {0};
	bool found;

	processes_find(&p, db);
	found = p.n > 0;
	processes_free(&p);
	return found;
}

/* Starts to read the tables of a process. Returns whether one of them has a row. */
static bool add_tables(struct rocpd *s, struct rocpd_process *process, struct reader *r)
{
	static const char *const id[] = {"id", NULL};
	const struct database_table *table;
	struct query *first;
	struct rocpd_table *t;
	bool any = false;
	size_t i;

	for (i = 0; i < EVENTS && !s->merge.failed; i++) {
		table = find_table(s->db, process, events[i].base);
		if (!table)
			continue;
		first = rocpd_select(s->db, process, events[i].base, id, "LIMIT 1");
		any |= !first || query_next(first) != QUERY_END;
		query_close(first);
		if (!(events[i].kinds & r->kinds))
			continue;
		t = &s->tables[s->n++];
		*t = (struct rocpd_table){.process = process, .table = events[i].table};
		t->cursor.place = table_merge_place(r, table->name);
		t->cursor.order = (unsigned)(i * s->processes.n + (size_t)(process - s->processes.list));
		table_init(t, s->db, table, r->args);
		table_merge_add(&s->merge, &t->cursor);
		r->file = s->file;
	}
	return any;
}

void *rocpd_open(struct database *db, struct reader *r)
{
	struct rocpd *s = mem_zero(1, sizeof *s);
	bool any = false;
	size_t i;

	s->db = db;
	s->file = r->file;
	s->merge = (struct table_merge){.db = db, .reader = r};
	processes_find(&s->processes, db);
	s->tables = mem_alloc(s->processes.n * EVENTS * sizeof *s->tables);
	for (i = 0; i < s->processes.n; i++) {
		process_open(&s->processes.list[i], db, r);
		any |= add_tables(s, &s->processes.list[i], r);
	}
	if (!any && !database_is_cut(db))
		reader_note(r, "a database of rocprofv3 without events; perhaps the program crashed", 0, 0);
	return s;
}

/* --- records --- */

/* Reports the values of counters that belong to no kernel. */
static void check_values(struct rocpd *s, struct reader *r)
{
	static const char *const count[] = {"event_id", NULL};
	struct query *q;
	uint64_t all = 0;
	size_t i;

	for (i = 0; i < s->processes.n; i++) {
		if (!s->processes.list[i].values)
			continue;
		q = rocpd_select(s->db, &s->processes.list[i], "rocpd_pmc_event", count, "");
		while (q && query_next(q) == QUERY_ROW)
			all++;
		query_close(q);
	}
	if (all > s->row.values_read)
		diagnostics_add_many(r->diagnostics, DIAGNOSTICS_LOST, "value of a counter without its kernel; skipped",
		    (struct fault_place){s->file, 0, 0}, all - s->row.values_read);
}

int rocpd_next(void *state, struct reader *r, struct event *e)
{
	struct rocpd *s = state;
	struct table_cursor *cursor;
	struct rocprof_at at = {0};

	if (reader_wants(r, KIND_META) && meta_next(&s->meta, s->db, &s->processes, r, e))
		return 1;
	for (;;) {
		at.line = r->line;
		if (s->row.has_value) {
			row_counter(&s->row, r);
		} else if ((cursor = table_merge_next(&s->merge))) {
			r->file = cursor->place;
			r->line = at.line = cursor->row;
			row_read(&s->row, r, (const struct rocpd_table *)cursor);
		} else {
			break;
		}
		if (rocprof_make(&s->maker, r, &s->row.row, at, e))
			return 1;
	}
	r->file = s->file;
	check_values(s, r);
	return 0;
}

void rocpd_close(void *state)
{
	struct rocpd *s = state;
	size_t i;

	table_merge_free(&s->merge);
	for (i = 0; i < s->n; i++)
		table_free(&s->tables[i]);
	free(s->tables);
	processes_free(&s->processes);
	meta_free(&s->meta);
	rocprof_maker_free(&s->maker);
	row_free(&s->row);
	free(s);
}

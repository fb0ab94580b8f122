/*
 * rocpd: reads the SQLite databases of rocprofv3 (1234_results.db). The tables of a process have the same suffix; one
 * file may have several processes. There are two layouts, which differ in the tables that have the times, threads and
 * queues of an event: in schema 4 these are rocpd_timestamp and rocpd_track. Every column and table may be missing.
 */
#include "json/check.h"
#include "json/iter.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/write.h"
#include "rocprof_record.h"
#include "trace2ndjson/formats/sqlite/table_merge.h"

#include <stdio.h>

/* The names that have ids. */
enum lookup { STRING, CATEGORY, KERNEL, COUNTER, HOST, LOOKUPS };

/* The tables of one process. */
struct rocpd_process {
	struct str suffix;            /* of the names of its tables; a view of the database's name */
	struct rocprof_agents agents; /* an agent's handle is its id */
	struct text_lookup names[LOOKUPS];
	struct query *args, *values; /* arguments of a call; values of the counters of a kernel; or NULL */
};

/* A table of events. */
struct rocpd_table {
	struct table_cursor cursor; /* the first member, so that it can be converted to the table */
	enum rocprof_table table;
	struct rocpd_process *process;
};

struct rocpd {
	struct database *db;
	struct reader *reader;
	struct table_merge merge;
	struct rocpd_process *processes;
	struct rocpd_table *tables;
	size_t processes_n, n;
	/* The records of kind meta: each process, followed by its agents. */
	size_t meta_process;     /* index of the process that is being read */
	bool meta_agents;        /* its agents are being read */
	struct query *meta_rows; /* of these rows */
	/* The event that is being read, and the process of its table. */
	struct rocpd_process *process;
	const struct query *query;
	struct rocprof_row row; /* its views are valid until the next row is read */
	bool has_value;         /* the kernel in `row` has a counter that was not read yet */
	uint64_t values_read;   /* number of values of counters, of all kernels */
	struct value_text texts[ROCPROF_DATABASE_N], arg;
};

/* --- queries for columns that may be missing --- */

/* The tables of a query for events: x is the table of events; the others are joined if it refers to them. */
static const struct {
	char alias;
	const char *base, *id; /* `id` are columns, as in rocprof_columns, with the id of a row */
} joins[] = {
    {'x', NULL, NULL},
    {'k', "rocpd_track", "x.track_id"},
    {'a', "rocpd_timestamp", "x.start_id"},
    {'b', "rocpd_timestamp", "x.end_id"},
    {'i', "rocpd_timestamp", "x.timestamp_id"},
    {'e', "rocpd_event", "x.event_id"},
    {'p', "rocpd_info_process", "x.pid k.pid"},
    {'t', "rocpd_info_thread", "x.tid k.tid"},
};

enum { JOINS = sizeof joins / sizeof *joins };

/* Returns the table BASE + suffix of a process, or NULL. */
static const struct database_table *find_table(
    const struct database *db, const struct rocpd_process *process, const char *base)
{
	const struct database_table *table;
	struct buf name = {0};

	database_put(&name, "%s%.*s", base, (int)process->suffix.n, process->suffix.p);
	table = database_table(db, buf_str(&name));
	buf_free(&name);
	return table;
}

/*
 * Appends the SQL of a value: the first of the columns `names`, "ALIAS.COLUMN ...", that exists and is not NULL.
 * Appends NULL if none of them exists. Returns whether one exists. `tables` are those of joins[] that are in the query;
 * NULL: the table is not.
 */
static bool put_value(struct buf *sql, const struct database_table *const *tables, struct str names)
{
	const struct database_column *column;
	struct buf found = {0};
	struct str name;
	size_t i, n = 0;

	while (str_split(&names, ' ', &name)) {
		for (i = 0; joins[i].alias != name.p[0]; i++)
			;
		column = database_column(tables[i], str_from(name, 2));
		if (column)
			database_put(&found, n++ ? ", %c.\"%w\"" : "%c.\"%w\"", name.p[0], column->name.p);
	}
	database_put(sql, n > 1 ? "coalesce(%s)" : n ? "%s" : "NULL", found.p);
	buf_free(&found);
	return n;
}

/*
 * Returns a query for the columns, "x.COLUMN ...", of a table; `tail` is the end of the SQL. The values of missing
 * columns are NULL. Returns NULL when the table does not exist.
 */
static struct query *select_columns(
    struct database *db, const struct rocpd_process *process, const char *base, const char *columns, const char *tail)
{
	const struct database_table *tables[JOINS] = {find_table(db, process, base)};
	struct str rest = str_of(columns), name;
	struct query *q = NULL;
	struct buf sql = {0};

	while (tables[0] && str_split(&rest, ' ', &name) && name.n) {
		database_put(&sql, sql.n ? ", " : "");
		put_value(&sql, tables, name);
	}
	if (sql.n)
		q = database_query(db, "SELECT %s FROM \"%w\" AS x %s", sql.p, tables[0]->name.p, tail);
	buf_free(&sql);
	return q;
}

/* Plans the query of a table of events. Without `args`, the columns that only args need are NULL. */
static void table_init(struct rocpd_table *t, struct database *db, const struct database_table *table, bool args)
{
	struct table_cursor *c = &t->cursor;
	const struct database_table *tables[JOINS] = {table}, *joined;
	struct buf *sql, id = {0};
	size_t i;

	c->table = table;
	c->timed = true;
	for (i = 1; i < JOINS; i++) {
		id.n = 0;
		joined = find_table(db, t->process, joins[i].base);
		if (!database_column(joined, STR("id")) || !put_value(&id, tables, str_of(joins[i].id)))
			continue;
		tables[i] = joined;
		database_put(&c->joins, " LEFT JOIN \"%w\" AS %c ON %c.id = %s", joined->name.p, joins[i].alias,
		    joins[i].alias, id.p);
	}
	buf_free(&id);
	for (i = 0; i < ROCPROF_DATABASE_N; i++) {
		sql = i <= ROCPROF_END ? &c->times : &c->columns;
		database_put(sql, i ? ", " : "");
		if (args || i < ROCPROF_PRIVATE)
			put_value(sql, tables, str_of(rocprof_columns[i].names[ROCPROF_DATABASE]));
		else
			database_put(sql, "NULL");
	}
}

/* --- the processes: their names and agents --- */

static void report_damage(struct reader *r, enum query_step got)
{
	if (got != QUERY_END)
		reader_lost(r, "damaged table of processes or agents; its other rows are lost", 0, 0);
}

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

static void open_lookup(
    struct rocpd *s, struct rocpd_process *p, enum lookup lookup, const char *base, const char *column)
{
	const struct database_table *table = find_table(s->db, p, base);

	text_lookup_open(&p->names[lookup], s->reader,
	    database_query(s->db, "SELECT \"%w\" FROM \"%w\" WHERE id = ?1", column, table ? table->name.p : base));
}

/*
 * Returns a query for the columns of the rows of a table that refer to the event ?1, in the order of the column `key`
 * and the id. The table has no index for this, so it is copied to a temporary table; `copied` are the columns of the
 * copy.
 */
static struct query *open_rows(struct database *db, const struct rocpd_process *p, const char *base, const char *key,
    const char *copied, const char *columns)
{
	const struct database_table *table = find_table(db, p, base);
	char keys[64], tail[128];

	if (!table)
		return NULL;
	snprintf(keys, sizeof keys, "event_id, %s, id", key);
	snprintf(tail, sizeof tail, "WHERE x.event_id = ?1 ORDER BY x.%s, x.id", key);
	database_index(db, table, keys, copied);
	return select_columns(db, p, base, columns, tail);
}

#define COLUMN(field, type, csv, json, database) database " "
static struct query *select_agents(struct database *db, const struct rocpd_process *p)
{
	return select_columns(db, p, "rocpd_info_agent", ROCPROF_AGENT_FIELDS(COLUMN), "ORDER BY 1");
}

/* Returns a member of a JSON object in the column extdata; p is NULL if it is absent. Sets *valid. */
static struct str extdata_member(struct rocpd *s, const struct query *q, int column, struct str key, bool *valid)
{
	const struct query_value v = query_get(q, column);
	struct buf *made = &s->row.made[ROCPROF_EXTDATA];

	*valid = v.type != QUERY_TEXT || json_check(v.bytes, NULL);
	if (v.type != QUERY_TEXT || !*valid)
		return (struct str){NULL, 0};
	made->n = 0;
	buf_add(made, v.bytes.p, v.bytes.n);
	scan_pad(made);
	return iter_find((struct str){made->p, v.bytes.n}, key);
}

/* Stores the agent in the current row of select_agents(), and makes its record. */
static int make_agent(struct rocpd *s, struct rocpd_process *p, const struct query *q, struct event *e)
{
	struct str v[ROCPROF_AGENT_N], *units = &v[ROCPROF_AGENT_UNITS];
	bool valid;
	size_t i;

	for (i = 0; i < ROCPROF_AGENT_UNITS; i++)
		v[i] = value_text_get(&s->texts[i], q, (int)i);
	*units = extdata_member(s, q, ROCPROF_AGENT_UNITS, STR("cu_count"), &valid);
	if (units->n && (units->p[0] == '{' || units->p[0] == '['))
		*units = (struct str){NULL, 0};
	return rocprof_record_make_agent(s->reader, &p->agents, v, e);
}

/* Reads the agents of a process, and prepares its lookups. */
static void process_open(struct rocpd *s, struct rocpd_process *p)
{
	const bool categories = find_table(s->db, p, "rocpd_info_category"); /* not in schema 3 */
	const uint32_t calls = 1u << KIND_API | 1u << KIND_RANGE | 1u << KIND_MARK;
	struct query *agents = select_agents(s->db, p);
	enum query_step got = QUERY_END;
	struct event ignored;

	while (agents && (got = query_next(agents)) == QUERY_ROW)
		make_agent(s, p, agents, &ignored);
	report_damage(s->reader, got);
	query_close(agents);
	open_lookup(s, p, STRING, "rocpd_string", "string");
	open_lookup(
	    s, p, CATEGORY, categories ? "rocpd_info_category" : "rocpd_string", categories ? "name" : "string");
	open_lookup(s, p, KERNEL, "rocpd_info_kernel_symbol", "display_name");
	open_lookup(s, p, COUNTER, "rocpd_info_pmc", "name");
	open_lookup(s, p, HOST, "rocpd_info_node", "hostname");
	if (s->reader->args && s->reader->kinds & calls)
		p->args = open_rows(
		    s->db, p, "rocpd_arg", "position", "event_id, position, id, name, value", "x.name x.value");
	if (reader_wants(s->reader, KIND_COUNTER))
		p->values =
		    open_rows(s->db, p, "rocpd_pmc_event", "pmc_id", "event_id, pmc_id, id, value", "x.pmc_id x.value");
}

/* --- metadata --- */

static int make_process(struct rocpd *s, struct rocpd_process *p, struct event *e)
{
	struct str v[ROCPROF_PROCESS_N];
	int64_t node = 0;
	size_t i;

	query_get_int(s->meta_rows, ROCPROF_PROCESS_HOST, &node);
	v[ROCPROF_PROCESS_HOST] = text_lookup_get(&p->names[HOST], node, 0);
	for (i = ROCPROF_PROCESS_PID; i < ROCPROF_PROCESS_N; i++)
		v[i] = value_text_get(&s->texts[i], s->meta_rows, (int)i);
	return rocprof_record_make_process(s->reader, v, e);
}

/* Returns 1 with *e set, valid until the next call; 0 when all are read. */
static int next_metadata(struct rocpd *s, struct event *e)
{
	struct rocpd_process *p;
	enum query_step got;

	for (; s->meta_process < s->processes_n; s->meta_process += !s->meta_agents) {
		p = &s->processes[s->meta_process];
		if (!s->meta_rows)
			s->meta_rows = s->meta_agents ? select_agents(s->db, p)
						      : select_columns(s->db, p, "rocpd_info_process",
							    "x.nid x.pid x.command x.init x.fini", "ORDER BY x.id");
		got = s->meta_rows ? query_next(s->meta_rows) : QUERY_END;
		if (got == QUERY_ROW)
			return s->meta_agents ? make_agent(s, p, s->meta_rows, e) : make_process(s, p, e);
		report_damage(s->reader, got);
		query_close(s->meta_rows);
		s->meta_rows = NULL;
		s->meta_agents = !s->meta_agents;
	}
	return 0;
}

/* --- the values of an event, and the counters of a kernel --- */

/*
 * Returns the name for the id in a column. Makes a name such as "kernel 812" if the table of names does not have the
 * id. p is NULL if the column is NULL. The name is valid until the next such lookup.
 */
static struct str name_by_id(
    struct rocpd *s, const struct query *q, int column, enum lookup lookup, enum rocprof_field field)
{
	static const char *const words[] = {"string", "category", "kernel", "counter"};
	struct str name = {NULL, 0};
	struct buf *to = &s->row.made[field];
	int64_t id;

	if (query_get_int(q, column, &id) != QUERY_INT)
		return name;
	name = text_lookup_get(&s->process->names[lookup], id, 0);
	if (name.p)
		return name;
	reader_note(
	    s->reader, "id without a name in the tables of the file; name made from the id", s->reader->line, 0);
	to->n = 0;
	database_put(to, "\"%s %lld\"", words[lookup], (long long)id);
	return buf_str(to);
}

static void read_name(struct rocpd *s, enum rocprof_field column, enum lookup lookup)
{
	s->row.v[ROCPROF_NAME] = name_by_id(s, s->query, (int)column, lookup, ROCPROF_NAME);
}

static struct rocprof_agent_ref read_agent(struct rocpd *s, enum rocprof_field column)
{
	struct rocprof_agent_ref agent = {.known = false};
	int64_t id;

	if (query_get_int(s->query, (int)column, &id) != QUERY_INT)
		return agent;
	agent = rocprof_agents_by_handle(&s->process->agents, id);
	if (!agent.known)
		reader_note(s->reader, "agent without a description; device unknown", s->reader->line, 0);
	return agent;
}

/* Returns the text in a column of the row; n is 0 if it is not a text. */
static struct str read_text(const struct rocpd *s, enum rocprof_field column)
{
	const struct query_value v = query_get(s->query, (int)column);

	return v.type == QUERY_TEXT ? v.bytes : STR("");
}

static void read_allocation(struct rocpd *s)
{
	const struct str level = read_text(s, ROCPROF_LEVEL), type = read_text(s, ROCPROF_TYPE);
	const bool scratch = str_eq(level, STR("SCRATCH"));
	struct rocprof_row *row = &s->row;
	struct buf *made = row->made;
	int64_t address = 0;

	row->agent = read_agent(s, ROCPROF_AGENT);
	rocprof_row_forget(
	    row, ROCPROF_STREAM, str_starts(row->v[ROCPROF_CAT], STR("\"SCRATCH")) ? ROCPROF_STREAM : ROCPROF_QUEUE);
	read_name(s, ROCPROF_NAME_ID, STRING);
	if (!row->v[ROCPROF_NAME].p && type.p) { /* as tools with the column name_id write it */
		made[ROCPROF_TYPE].n = 0;
		database_put(&made[ROCPROF_TYPE], "%s%s%.*s%s", scratch ? "SCRATCH_MEMORY_" : "MEMORY_ALLOCATION_",
		    str_eq(level, STR("VIRTUAL")) ? "VMEM_" : "", (int)type.n, type.p,
		    !scratch && str_eq(type, STR("ALLOC")) ? "ATE" : "");
		row->v[ROCPROF_NAME] = rocprof_quote(&made[ROCPROF_NAME], buf_str(&made[ROCPROF_TYPE]));
	}
	rocprof_row_forget(row, ROCPROF_ADDRESS, ROCPROF_ADDRESS);
	if (query_get_int(s->query, ROCPROF_ADDRESS, &address) == QUERY_INT && address) {
		made[ROCPROF_ADDRESS].n = 0;
		database_put(&made[ROCPROF_ADDRESS], "\"0x%016llx\"", (unsigned long long)address);
		row->v[ROCPROF_ADDRESS] = buf_str(&made[ROCPROF_ADDRESS]);
	}
}

/* Sets the arguments of a call: {"ptr":"0x7ffc00",...}. */
static void read_call_args(struct rocpd *s)
{
	struct buf *made = &s->row.made[ROCPROF_CALL_ARGS];
	struct query *args = s->process->args;
	struct reader *r = s->reader;
	enum query_step got;
	struct query_value name;
	struct str value;
	int64_t event;

	if (!args || query_get_int(s->query, ROCPROF_EVENT, &event) != QUERY_INT)
		return;
	query_bind(args, 1, event);
	made->n = 0;
	json_write_begin(made, NULL, '{');
	while ((got = query_next(args)) == QUERY_ROW && made->n <= r->max_record) {
		name = query_get(args, 0);
		value = value_text_get(&s->arg, args, 1);
		if (name.type != QUERY_TEXT || !value.p)
			continue;
		json_write_name(made, name.bytes);
		buf_add(made, value.p, value.n);
	}
	if (got != QUERY_END)
		reader_lost(
		    r, "arguments of a call are damaged or larger than --max-record; the others are lost", r->line, 0);
	json_write_end(made, '}');
	if (made->n > 2)
		s->row.v[ROCPROF_CALL_ARGS] = buf_str(made);
}

static void read_call(struct rocpd *s)
{
	bool valid;

	rocprof_row_forget(&s->row, ROCPROF_STREAM, ROCPROF_QUEUE);
	read_name(s, ROCPROF_NAME_ID, STRING);
	read_call_args(s);
	if (!str_starts(s->row.v[ROCPROF_CAT], STR("\"MARKER_CORE")))
		return;
	rocprof_row_set_message(&s->row, extdata_member(s, s->query, ROCPROF_EXTDATA, STR("message"), &valid));
	if (!valid)
		reader_lost(
		    s->reader, "extdata of the event is not JSON; the text of the marker is lost", s->reader->line, 0);
}

static void read_kernel(struct rocpd *s)
{
	struct query *values = s->process->values;
	int64_t event;

	s->row.agent = read_agent(s, ROCPROF_AGENT);
	read_name(s, ROCPROF_KERNEL_ID, KERNEL);
	if (!values || query_get_int(s->query, ROCPROF_EVENT, &event) != QUERY_INT)
		return;
	query_bind(values, 1, event);
	s->has_value = query_next(values) == QUERY_ROW;
}

static bool is_null(const struct query *q, enum rocprof_field column)
{
	int64_t ignored;

	return query_get_int(q, (int)column, &ignored) == QUERY_NULL;
}

/* Sets s->row to the current row of a table. */
static void read_row(struct rocpd *s, const struct rocpd_table *t)
{
	const struct query *q = s->query = t->cursor.query;
	struct str *v = s->row.v;
	size_t i;

	s->process = t->process;
	s->has_value = false;
	rocprof_row_clear(&s->row);
	s->row.table = t->table;
	for (i = 0; i < ROCPROF_DATABASE_N; i++) {
		if (i < ROCPROF_AGENT || i >= ROCPROF_PID) /* the others are ids, and parts of names */
			v[i] = value_text_get(&s->texts[i], q, (int)i);
	}
	/* An event is its own ancestor if it has no other. */
	if (str_eq(v[ROCPROF_ANCESTOR], v[ROCPROF_CORR]))
		rocprof_row_forget(&s->row, ROCPROF_ANCESTOR, ROCPROF_ANCESTOR);
	v[ROCPROF_CAT] = name_by_id(s, q, ROCPROF_CATEGORY_ID, CATEGORY, ROCPROF_CAT);
	if (is_null(q, ROCPROF_START))
		reader_lost(s->reader, "row without a start time; its record has no ts", s->reader->line, 0);
	if (is_null(q, ROCPROF_EVENT_FOUND))
		reader_lost(s->reader, "row without its event; its record has no cat and no corr", s->reader->line, 0);
	if (t->table == ROCPROF_CALLS) {
		read_call(s);
	} else if (t->table == ROCPROF_KERNELS) {
		read_kernel(s);
	} else if (t->table == ROCPROF_MEMORY) {
		read_allocation(s);
	} else {
		s->row.source = read_agent(s, ROCPROF_SRC);
		s->row.to = read_agent(s, ROCPROF_DST);
		rocprof_row_forget(&s->row, ROCPROF_QUEUE, ROCPROF_QUEUE);
		read_name(s, ROCPROF_NAME_ID, STRING);
	}
}

/* Sets s->row to the next counter of the kernel, the sum over its instances. Only if s->has_value is set. */
static void read_counter(struct rocpd *s)
{
	struct query *values = s->process->values;
	enum query_step got = QUERY_ROW;
	struct query_value v;
	int64_t id = 0, next;
	double sum = 0;

	if (s->row.table == ROCPROF_KERNELS)
		rocprof_row_count(&s->row);
	s->row.v[ROCPROF_NAME] = name_by_id(s, values, 0, COUNTER, ROCPROF_NAME);
	query_get_int(values, 0, &id);
	do {
		v = query_get(values, 1);
		sum += v.type == QUERY_INT ? (double)v.i : v.real;
		s->values_read++;
		got = query_next(values);
	} while (got == QUERY_ROW && query_get_int(values, 0, &next) == QUERY_INT && next == id);
	s->has_value = got == QUERY_ROW;
	s->row.v[ROCPROF_VALUE] = rocprof_real(&s->row.made[ROCPROF_VALUE], sum);
}

/* --- the format --- */

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

static bool is_of_rocprof(const struct database *db)
{
	size_t i;

	for (i = 0; i < db->n && !table_suffix(db->tables[i].name).p; i++)
		;
	return i < db->n;
}

/* Starts to read the tables of the process with the index `p`. Returns whether one of them has a row. */
static bool add_tables(struct rocpd *s, size_t p)
{
	struct rocpd_process *process = &s->processes[p];
	const struct database_table *table;
	struct query *first;
	struct rocpd_table *t;
	bool any = false;
	size_t i;

	for (i = 0; i < EVENTS && !s->merge.failed; i++) {
		table = find_table(s->db, process, events[i].base);
		if (!table)
			continue;
		first = select_columns(s->db, process, events[i].base, "x.id", "LIMIT 1");
		any |= !first || query_next(first) != QUERY_END;
		query_close(first);
		if (!(events[i].kinds & s->reader->kinds))
			continue;
		t = &s->tables[s->n++];
		*t = (struct rocpd_table){.process = process, .table = events[i].table};
		t->cursor.order = (unsigned)(i * s->processes_n + p);
		table_init(t, s->db, table, s->reader->args);
		table_merge_add(&s->merge, &t->cursor);
	}
	return any;
}

static void *open_tables(struct database *db, struct reader *r)
{
	struct rocpd *s = mem_zero(1, sizeof *s);
	struct str suffix;
	bool any = false;
	size_t i, k, cap = 0;

	s->db = db;
	s->reader = r;
	s->merge = (struct table_merge){.db = db, .reader = r, .file = r->file};
	for (i = 0; i < db->n; i++) {
		suffix = table_suffix(db->tables[i].name);
		for (k = 0; k < s->processes_n && !str_eq(s->processes[k].suffix, suffix); k++)
			;
		if (!suffix.p || k < s->processes_n)
			continue;
		s->processes = mem_grow(s->processes, &cap, k + 1, sizeof *s->processes);
		s->processes[s->processes_n++] = (struct rocpd_process){.suffix = suffix};
	}
	s->tables = mem_alloc(s->processes_n * EVENTS * sizeof *s->tables);
	for (i = 0; i < s->processes_n; i++) {
		process_open(s, &s->processes[i]);
		any |= add_tables(s, i);
	}
	if (!any && !db->cut)
		reader_note(r, "a database of rocprofv3 without events; perhaps the program crashed", 0, 0);
	return s;
}

/* Reports the values of counters that belong to no kernel. */
static void check_values(struct rocpd *s)
{
	struct query *q;
	uint64_t all = 0;
	size_t i;

	for (i = 0; i < s->processes_n; i++) {
		if (!s->processes[i].values)
			continue;
		q = select_columns(s->db, &s->processes[i], "rocpd_pmc_event", "x.event_id", "");
		while (q && query_next(q) == QUERY_ROW)
			all++;
		query_close(q);
	}
	if (all > s->values_read)
		diagnostics_add_many(s->reader->diagnostics, DIAGNOSTICS_LOST,
		    "value of a counter without its kernel; skipped", (struct fault_location){s->merge.file, 0, 0},
		    all - s->values_read);
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct rocpd *s = state;
	struct table_cursor *cursor;

	if (reader_wants(r, KIND_META) && next_metadata(s, e))
		return 1;
	for (;;) {
		if (s->has_value) {
			read_counter(s);
		} else if ((cursor = table_merge_next(&s->merge))) {
			read_row(s, (const struct rocpd_table *)cursor);
		} else {
			break;
		}
		if (rocprof_record_make(r, &s->row, 0, e))
			return 1;
	}
	check_values(s);
	return 0;
}

static void close_tables(void *state)
{
	struct rocpd *s = state;
	size_t i, k;

	table_merge_free(&s->merge);
	for (i = 0; i < s->n; i++)
		table_cursor_free(&s->tables[i].cursor);
	for (i = 0; i < s->processes_n; i++) {
		for (k = 0; k < LOOKUPS; k++)
			text_lookup_close(&s->processes[i].names[k]);
		query_close(s->processes[i].args);
		query_close(s->processes[i].values);
	}
	for (i = 0; i < ROCPROF_DATABASE_N; i++)
		value_text_free(&s->texts[i]);
	value_text_free(&s->arg);
	query_close(s->meta_rows);
	rocprof_row_free(&s->row);
	mem_free(s->processes, s->tables, s);
}

const struct database_writer database_rocprof = {is_of_rocprof, open_tables, next, close_tables};

#include "rocpd_process.h"

#include "json/check.h"
#include "json/iter.h"
#include "json/scan.h"
#include "json/write.h"

#include <stdlib.h>

static void report_damage(struct reader *r, enum query_step got)
{
	if (got != QUERY_END)
		reader_lost(r, "damaged table of processes or agents; its other rows are lost", 0, 0);
}

/* --- the processes --- */

/* Returns the suffix of a table that only rocprofv3 writes; p is NULL for other tables. */
static struct str suffix_of(struct str name)
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

void rocpd_processes_find(struct rocpd_processes *p, const struct database *db)
{
	const struct database_tables *tables = database_tables(db);
	struct str suffix;
	size_t i, k, cap = 0;

	for (i = 0; i < tables->n; i++) {
		suffix = suffix_of(tables->list[i].name);
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
	const struct database_table *table = rocpd_find_table(db, p, base);
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
	const struct database_table *table = rocpd_find_table(db, p, base);

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

void rocpd_process_open(struct rocpd_process *p, struct database *db, struct reader *r)
{
	static const char *const arg[] = {"name", "value", NULL}, *const value[] = {"pmc_id", "value", NULL};
	const bool categories = rocpd_find_table(db, p, "rocpd_info_category");
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

void rocpd_processes_free(struct rocpd_processes *p)
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
static struct str host_of(struct rocpd_meta *m, struct database *db, const struct rocpd_process *p, int64_t node)
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
	v = host_of(m, db, p, node);
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

int rocpd_meta_next(
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

void rocpd_meta_free(struct rocpd_meta *m)
{
	size_t i;

	for (i = 0; i < sizeof m->texts / sizeof *m->texts; i++)
		value_text_free(&m->texts[i]);
	query_close(m->rows);
	rocprof_maker_free(&m->maker);
	buf_free(&m->extdata);
}

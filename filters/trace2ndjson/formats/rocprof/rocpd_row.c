#include "rocpd_row.h"

#include "json/check.h"
#include "json/iter.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/write.h"

#include <math.h>

/* The fields of a row that are columns of the query. */
static const struct {
	enum rocpd_column column;
	enum rocprof_field field;
} fields[] = {
    {ROCPD_START, ROCPROF_START},
    {ROCPD_END, ROCPROF_END},
    {ROCPD_PID, ROCPROF_PID},
    {ROCPD_TID, ROCPROF_TID},
    {ROCPD_QUEUE, ROCPROF_QUEUE},
    {ROCPD_STREAM, ROCPROF_STREAM},
    {ROCPD_KERNEL_ID, ROCPROF_KERNEL_ID},
    {ROCPD_CORR, ROCPROF_CORR},
    {ROCPD_SIZE, ROCPROF_BYTES},
    {ROCPD_ANCESTOR, ROCPROF_ANCESTOR},
    {ROCPD_EXTERNAL, ROCPROF_EXTERNAL},
    {ROCPD_DISPATCH, ROCPROF_DISPATCH},
    {ROCPD_PRIVATE, ROCPROF_PRIVATE},
    {ROCPD_GROUP, ROCPROF_GROUP},
    {ROCPD_WORKGROUP_X, ROCPROF_WORKGROUP_X},
    {ROCPD_WORKGROUP_Y, ROCPROF_WORKGROUP_Y},
    {ROCPD_WORKGROUP_Z, ROCPROF_WORKGROUP_Z},
    {ROCPD_GRID_X, ROCPROF_GRID_X},
    {ROCPD_GRID_Y, ROCPROF_GRID_Y},
    {ROCPD_GRID_Z, ROCPROF_GRID_Z},
};

/*
 * Returns the name for the id in a column. Makes a name such as "kernel 812" if the table of names does not have the
 * id. p is NULL if the column is NULL. The name is valid until the next lookup in `names`, or in *to.
 */
static struct str name_of(
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

static void take_place(
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

static void take_address(struct rocpd_row *s, const struct query *q)
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
static void take_args(struct rocpd_row *s, const struct query *row, struct query *args)
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

static void forget(struct rocprof_row *row, enum rocprof_field first, enum rocprof_field last)
{
	memset(&row->v[first], 0, (size_t)(last - first + 1) * sizeof *row->v);
}

static void read_call(struct rocpd_row *s, const struct rocpd_table *t)
{
	forget(&s->row, ROCPROF_STREAM, ROCPROF_STREAM);
	forget(&s->row, ROCPROF_QUEUE, ROCPROF_QUEUE);
	s->row.v[ROCPROF_NAME] =
	    name_of(s->reader, t->cursor.query, ROCPD_NAME, &t->process->strings, "string ", &s->name);
	take_args(s, t->cursor.query, t->process->args);
	if (str_starts(s->row.v[ROCPROF_CAT], STR("\"MARKER_CORE")))
		name_marker(s, t->cursor.query);
}

static void read_kernel(struct rocpd_row *s, const struct rocpd_table *t)
{
	int64_t event;

	take_place(s, t, ROCPD_AGENT, &s->row.agent);
	s->row.v[ROCPROF_NAME] =
	    name_of(s->reader, t->cursor.query, ROCPD_KERNEL_ID, &t->process->kernels, "kernel ", &s->name);
	s->values = t->process->values;
	if (!s->values || query_get_int(t->cursor.query, ROCPD_EVENT, &event) != QUERY_INT)
		return;
	query_bind(s->values, 1, event);
	s->has_value = query_next(s->values) == QUERY_ROW;
}

static void read_allocation(struct rocpd_row *s, const struct rocpd_table *t)
{
	take_place(s, t, ROCPD_AGENT, &s->row.agent);
	forget(&s->row, ROCPROF_STREAM, ROCPROF_STREAM);
	if (!str_starts(s->row.v[ROCPROF_CAT], STR("\"SCRATCH")))
		forget(&s->row, ROCPROF_QUEUE, ROCPROF_QUEUE);
	s->row.v[ROCPROF_NAME] =
	    name_of(s->reader, t->cursor.query, ROCPD_NAME, &t->process->strings, "string ", &s->name);
	if (!s->row.v[ROCPROF_NAME].p)
		name_allocation(s, t->cursor.query);
	take_address(s, t->cursor.query);
}

static bool is_null(const struct query *q, enum rocpd_column column)
{
	int64_t ignored;

	return query_get_int(q, (int)column, &ignored) == QUERY_NULL;
}

void rocpd_row_read(struct rocpd_row *s, struct reader *r, const struct rocpd_table *t)
{
	const struct query *q = t->cursor.query;
	size_t i;

	s->reader = r;
	s->process = t->process;
	s->has_value = false;
	rocprof_row_clear(&s->row);
	s->row.table = t->table;
	for (i = 0; i < sizeof fields / sizeof *fields; i++)
		s->row.v[fields[i].field] = value_text_get(&s->texts[fields[i].column], q, (int)fields[i].column);
	/* An event is its own ancestor if it has no other. */
	if (str_eq(s->row.v[ROCPROF_ANCESTOR], s->row.v[ROCPROF_CORR]))
		forget(&s->row, ROCPROF_ANCESTOR, ROCPROF_ANCESTOR);
	s->row.v[ROCPROF_CAT] =
	    name_of(s->reader, q, ROCPD_CATEGORY, &t->process->categories, "category ", &s->category);
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
		take_place(s, t, ROCPD_SRC, &s->row.source);
		take_place(s, t, ROCPD_DST, &s->row.to);
		forget(&s->row, ROCPROF_QUEUE, ROCPROF_QUEUE);
		s->row.v[ROCPROF_NAME] = name_of(s->reader, q, ROCPD_NAME, &t->process->strings, "string ", &s->name);
	}
}

/* --- counters --- */

void rocpd_row_counter(struct rocpd_row *s, struct reader *r)
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
		forget(row, ROCPROF_KERNEL_ID, ROCPROF_GROUP);
		forget(row, ROCPROF_EXTERNAL, ROCPROF_GRID_Z);
	}
	row->v[ROCPROF_NAME] = name_of(r, s->values, 0, &s->process->counters, "counter ", &s->counter);
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
		forget(row, ROCPROF_VALUE, ROCPROF_VALUE);
}

void rocpd_row_free(struct rocpd_row *s)
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

#include "rocprof_json.h"

#include "json/iter.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/write.h"

#include <math.h>
#include <stdlib.h>

/* --- the members of an event, at any depth --- */

static const struct {
	struct str name;
	enum rocprof_field field;
} members[] = {
    {ROCPROF_TEXT("thread_id"), ROCPROF_TID},
    {ROCPROF_TEXT("internal"), ROCPROF_CORR},
    {ROCPROF_TEXT("external"), ROCPROF_EXTERNAL},
    {ROCPROF_TEXT("ancestor"), ROCPROF_ANCESTOR},
    {ROCPROF_TEXT("start_timestamp"), ROCPROF_START},
    {ROCPROF_TEXT("timestamp"), ROCPROF_START},
    {ROCPROF_TEXT("end_timestamp"), ROCPROF_END},
    {ROCPROF_TEXT("kernel_id"), ROCPROF_KERNEL_ID},
    {ROCPROF_TEXT("dispatch_id"), ROCPROF_DISPATCH},
    {ROCPROF_TEXT("private_segment_size"), ROCPROF_PRIVATE},
    {ROCPROF_TEXT("group_segment_size"), ROCPROF_GROUP},
    {ROCPROF_TEXT("bytes"), ROCPROF_BYTES},
    {ROCPROF_TEXT("allocation_size"), ROCPROF_BYTES},
    {ROCPROF_TEXT("address"), ROCPROF_ADDRESS},
    {ROCPROF_TEXT("queue_id"), ROCPROF_QUEUE},
    {ROCPROF_TEXT("stream_id"), ROCPROF_STREAM},
};

/* Returns where to store the value of a member; NULL when it is not used. */
static struct str *place_of(struct rocprof_element *x, struct str key)
{
	const struct {
		struct str name, *to;
	} own[] = {
	    {STR("kind"), &x->kind},
	    {STR("operation"), &x->operation},
	    {STR("agent_id"), &x->agent},
	    {STR("src_agent_id"), &x->source},
	    {STR("dst_agent_id"), &x->to},
	    {STR("inst_index"), &x->instruction},
	};
	size_t i;

	for (i = 0; i < sizeof members / sizeof *members; i++) {
		if (str_eq(members[i].name, key))
			return &x->row.v[members[i].field];
	}
	for (i = 0; i < sizeof own / sizeof *own; i++) {
		if (str_eq(own[i].name, key))
			return own[i].to;
	}
	return NULL;
}

/* Returns the value of a member; p is NULL when it is absent, an object or an array. */
static struct str scalar_of(struct str object, struct str key)
{
	const struct str value = iter_find(object, key);

	return value.n && (value.p[0] == '{' || value.p[0] == '[') ? (struct str){NULL, 0} : value;
}

static void take_sizes(struct rocprof_element *x, enum rocprof_field first, struct str object)
{
	x->row.v[first] = scalar_of(object, STR("x"));
	x->row.v[first + 1] = scalar_of(object, STR("y"));
	x->row.v[first + 2] = scalar_of(object, STR("z"));
}

static struct str first_value(struct str object)
{
	struct str key, value;
	struct iter at;

	iter_init(&at, object);
	return iter_next(&at, &key, &value) > 0 ? value : (struct str){NULL, 0};
}

/* Stores a value of a sample that has no field. */
static void add_extra(struct rocprof_element *x, struct str key, struct str value)
{
	if (value.p[0] == '{' || value.p[0] == '[') {
		x->value.n = 0;
		x->value.n = scan_squeeze(buf_room(&x->value, value.n + 64), value).n;
		value = json_write_str(&x->value);
	}
	json_write_member(&x->row.extra, key, value);
}

static void walk(struct rocprof_element *x, struct str object, bool sample);

/* Handles a member whose value is an object or an array. */
static void take_nested(struct rocprof_element *x, struct str key, struct str value, bool sample)
{
	const bool object = value.p[0] == '{';
	struct str *to;

	if (str_eq(key, STR("records")))
		x->records = value;
	else if (str_eq(key, STR("args")))
		x->args = value;
	else if (!object)
		return;
	else if (str_eq(key, STR("correlation_id")) || str_eq(key, STR("dispatch_info")) ||
		 str_eq(key, STR("dispatch_data")))
		walk(x, value, false);
	else if (str_eq(key, STR("record")))
		walk(x, value, true);
	else if (str_eq(key, STR("workgroup_size")))
		take_sizes(x, ROCPROF_WORKGROUP_X, value);
	else if (str_eq(key, STR("grid_size")))
		take_sizes(x, ROCPROF_GRID_X, value);
	else if (str_eq(key, STR("retval")))
		x->retval = first_value(value);
	else if ((to = place_of(x, key)))
		*to = scalar_of(value, STR("handle"));
	else if (sample)
		add_extra(x, key, value);
}

/* Reads the members of an event. `sample`: members without a field are kept. */
static void walk(struct rocprof_element *x, struct str object, bool sample)
{
	struct str key, value, *to;
	struct iter at;

	iter_init(&at, object);
	while (iter_next(&at, &key, &value) > 0) {
		if (value.p[0] == '{' || value.p[0] == '[')
			take_nested(x, key, value, sample);
		else if ((to = place_of(x, key)))
			*to = value;
		else if (sample && !str_eq(key, STR("size")))
			add_extra(x, key, value);
	}
}

/* --- names --- */

/*
 * Makes a name such as "kernel 812" from the id of something whose name is not in the tables of the file, and reports
 * it. `more` is the second id, with text before it: {" operation ", "7"}; or NULL. Returns the name, which is in *to.
 */
static struct str make_name(struct rocprof_element *x, struct reader *r, uint64_t byte, struct buf *to,
    const char *what, struct str id, const struct str more[2])
{
	reader_note(r, "id without a name in the tables of the file; name made from the id", 0, byte);
	x->value.n = to->n = 0;
	buf_add(&x->value, what, strlen(what));
	buf_add(&x->value, id.p, id.n);
	if (more) {
		buf_add(&x->value, more[0].p, more[0].n);
		buf_add(&x->value, more[1].p, more[1].n);
	}
	json_quote(to, json_write_str(&x->value));
	return json_write_str(to);
}

static void name_operation(struct rocprof_element *x, struct reader *r, const struct rocprof_tables *t, uint64_t byte)
{
	x->name.n = 0;
	buf_add(&x->name, x->kind.p, x->kind.n);
	buf_char(&x->name, ':');
	buf_add(&x->name, x->operation.p, x->operation.n);
	x->row.v[ROCPROF_NAME] = rocprof_names_get(&t->operations, json_write_str(&x->name));
	if (!x->row.v[ROCPROF_NAME].p)
		x->row.v[ROCPROF_NAME] =
		    make_name(x, r, byte, &x->name, "kind ", x->kind, (struct str[]){STR(" operation "), x->operation});
}

static void name_kernel(struct rocprof_element *x, struct reader *r, const struct rocprof_tables *t, uint64_t byte)
{
	x->row.v[ROCPROF_NAME] = rocprof_names_get(&t->kernels, x->row.v[ROCPROF_KERNEL_ID]);
	if (!x->row.v[ROCPROF_NAME].p)
		x->row.v[ROCPROF_NAME] =
		    make_name(x, r, byte, &x->kernel, "kernel ", x->row.v[ROCPROF_KERNEL_ID], NULL);
}

/* A marker has the text that the program gave, and the function by which it did so. */
static void name_marker(struct rocprof_element *x, const struct rocprof_tables *t)
{
	const struct str message = rocprof_names_get(&t->messages, x->row.v[ROCPROF_CORR]);

	if (!message.p)
		return;
	x->row.v[ROCPROF_FUNCTION] = x->row.v[ROCPROF_NAME];
	x->row.v[ROCPROF_NAME] = message;
}

/* --- the kinds of events --- */

/* [{"type":"void**","name":"ptr","value":"0x7ffc00"},...] becomes {"ptr":"0x7ffc00",...}. */
static void take_args(struct rocprof_element *x)
{
	struct str key, argument, name, value;
	struct iter at;

	if (!x->args.n)
		return;
	iter_init(&at, x->args);
	x->call_args.n = 0;
	json_write_begin(&x->call_args, NULL, '{');
	while (iter_next(&at, &key, &argument) > 0) {
		if (argument.p[0] != '{')
			continue;
		name = iter_find(argument, STR("name"));
		value = iter_find(argument, STR("value"));
		if (json_is_string(name) && value.n && value.p[0] != '{' && value.p[0] != '[')
			json_write_member(&x->call_args, json_inner(name), value);
	}
	json_write_end(&x->call_args, '}');
	if (x->call_args.n > 2)
		x->row.v[ROCPROF_CALL_ARGS] = json_write_str(&x->call_args);
}

static struct rocprof_place place(const struct rocprof_tables *t, struct str handle)
{
	int64_t v;

	if (!rocprof_whole(handle, &v))
		return (struct rocprof_place){.known = false};
	return rocprof_agents_by_handle(&t->agents, v);
}

static void forget(struct rocprof_row *row, enum rocprof_field first, enum rocprof_field last)
{
	memset(&row->v[first], 0, (size_t)(last - first + 1) * sizeof *row->v);
}

/* An event of a buffer: {"kind":9,"operation":2,...}; the numbers are indexes of the tables. */
static size_t read_buffered(struct rocprof_element *x, struct reader *r, const struct rocprof_tables *t, uint64_t byte)
{
	struct rocprof_row *row = &x->row;

	row->v[ROCPROF_CAT] = rocprof_names_get(&t->kinds, x->kind);
	if (row->v[ROCPROF_KERNEL_ID].n) {
		row->table = ROCPROF_KERNELS;
		name_kernel(x, r, t, byte);
		return 1;
	}
	name_operation(x, r, t, byte);
	if (x->to.n) {
		row->table = ROCPROF_COPIES;
		return 1;
	}
	forget(row, ROCPROF_STREAM, ROCPROF_STREAM);
	if (str_starts(row->v[ROCPROF_CAT], STR("\"MEMORY_ALLOCATION")) ||
	    str_starts(row->v[ROCPROF_CAT], STR("\"SCRATCH_MEMORY"))) {
		row->table = ROCPROF_MEMORY;
		return 1;
	}
	row->table = ROCPROF_CALLS;
	row->v[ROCPROF_RETVAL] = x->retval;
	if (r->args)
		take_args(x);
	if (str_starts(row->v[ROCPROF_CAT], STR("\"MARKER_CORE")))
		name_marker(x, t);
	return 1;
}

static size_t read_sample(struct rocprof_element *x, const struct rocprof_tables *t)
{
	struct rocprof_row *row = &x->row;
	const struct str comment = rocprof_names_get(&t->comments, x->instruction);

	row->table = ROCPROF_SAMPLES;
	row->v[ROCPROF_CAT] = STR("\"PC_SAMPLING\"");
	row->v[ROCPROF_NAME] = rocprof_names_get(&t->instructions, x->instruction);
	if (comment.n > 2)
		json_write_member(&row->extra, STR("instruction_comment"), comment);
	return 1;
}

/* Adds the values of each counter: {"counter_id":{"handle":77},"value":64.0}. */
static size_t read_counters(struct rocprof_element *x, struct reader *r, const struct rocprof_tables *t, uint64_t byte)
{
	struct rocprof_row *row = &x->row;
	struct str key, value, id;
	struct iter at;
	size_t i, n;
	double v;

	row->table = ROCPROF_COUNTERS;
	row->v[ROCPROF_CAT] = STR("\"COUNTER_COLLECTION\"");
	name_kernel(x, r, t, byte);
	row->v[ROCPROF_KERNEL] = row->v[ROCPROF_NAME];
	forget(row, ROCPROF_KERNEL_ID, ROCPROF_GROUP);
	forget(row, ROCPROF_EXTERNAL, ROCPROF_GRID_Z);
	map_free(&x->totals);
	x->totals = (struct map){.n = 0};
	x->given = 0;
	iter_init(&at, x->records);
	while (iter_next(&at, &key, &value) > 0) {
		id = value.p[0] == '{' ? iter_find(value, STR("counter_id")) : (struct str){NULL, 0};
		if (id.n && id.p[0] == '{')
			id = iter_find(id, STR("handle"));
		if (!id.n || !rocprof_real(iter_find(value, STR("value")), &v))
			continue;
		n = x->totals.n;
		i = map_put(&x->totals, id);
		x->total = mem_grow(x->total, &x->cap, i + 1, sizeof *x->total);
		x->total[i] = i == n ? v : x->total[i] + v;
	}
	return x->totals.n;
}

void rocprof_element_counter(struct rocprof_element *x, struct reader *r, const struct rocprof_tables *t, uint64_t byte)
{
	const size_t i = x->given++;
	const struct str id = map_key(&x->totals, i);
	char *p;

	x->row.v[ROCPROF_NAME] = rocprof_names_get(&t->counters, id);
	if (!x->row.v[ROCPROF_NAME].p)
		x->row.v[ROCPROF_NAME] = make_name(x, r, byte, &x->name, "counter ", id, NULL);
	x->row.v[ROCPROF_VALUE] = (struct str){NULL, 0};
	if (!isfinite(x->total[i]))
		return;
	x->value.n = 0;
	p = buf_room(&x->value, NUM_ROOM);
	x->value.n = (size_t)(num_put_double(p, x->total[i]) - p);
	x->row.v[ROCPROF_VALUE] = json_write_str(&x->value);
}

size_t rocprof_element_read(
    struct rocprof_element *x, struct reader *r, const struct rocprof_tables *t, struct str text, uint64_t byte)
{
	const struct str none = {NULL, 0};
	struct rocprof_row *row = &x->row;
	size_t n = 0;

	rocprof_row_clear(row);
	x->kind = x->operation = x->agent = x->source = x->to = x->instruction = x->records = x->args = x->retval =
	    none;
	walk(x, text, false);
	row->v[ROCPROF_PID] = (struct str){t->pid, t->pid_n};
	row->agent = place(t, x->agent);
	row->source = place(t, x->source);
	row->to = place(t, x->to);
	if (x->records.n && row->v[ROCPROF_KERNEL_ID].n)
		n = read_counters(x, r, t, byte);
	else if (x->instruction.n)
		n = read_sample(x, t);
	else if (x->kind.n && x->operation.n && row->v[ROCPROF_START].n)
		n = read_buffered(x, r, t, byte);
	if (n && ((x->agent.n && !row->agent.known && !str_eq(x->agent, STR("0"))) || (x->to.n && !row->to.known) ||
		     (x->source.n && !row->source.known)))
		reader_note(r, "agent without a description; device unknown", 0, byte);
	return n;
}

void rocprof_element_free(struct rocprof_element *x)
{
	buf_free(&x->row.extra);
	buf_free(&x->name);
	buf_free(&x->kernel);
	buf_free(&x->call_args);
	buf_free(&x->value);
	map_free(&x->totals);
	free(x->total);
}

#include "rocprof_json_event.h"

#include "json/iter.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/write.h"

#include <stdlib.h>

/* --- the data of a process that its events refer to --- */

static void put_id(struct buf *id, const char *what, struct str number)
{
	buf_add(id, what, strlen(what));
	buf_add(id, number.p, number.n);
}

/* Makes the id of a name in *id: "kernel 812". */
static struct str make_id(struct buf *id, const char *what, struct str number)
{
	id->n = 0;
	put_id(id, what, number);
	return buf_str(id);
}

/* Stores a name, unless it is not a string. */
static void add_name(struct rocprof_tables *t, const char *what, struct str number, struct str name)
{
	if (number.n && json_is_string(name))
		id_texts_put(&t->names, make_id(&t->id, what, number), name);
}

/* {"kind":"HIP_RUNTIME_API","operations":["hipMalloc",...]}: the element's index is the number of the kind. */
static void add_kind(struct rocprof_tables *t, struct str number, struct str text)
{
	char digits[NUM_ROOM];
	struct str name;
	struct iter at;
	uint64_t n = 0;

	add_name(t, "kind ", number, iter_find(text, STR("kind")));
	iter_array(&at, iter_find(text, STR("operations")));
	for (; at.close && iter_element(&at, &name); n++) {
		make_id(&t->id, "kind ", number);
		put_id(&t->id, " operation ", num_str_u64(digits, n));
		if (json_is_string(name))
			id_texts_put(&t->names, buf_str(&t->id), name);
	}
}

static void add_symbol(struct rocprof_tables *t, struct str text)
{
	static const struct str members[] = {
	    ROCPROF_TEXT("formatted_kernel_name"), ROCPROF_TEXT("demangled_kernel_name"), ROCPROF_TEXT("kernel_name")};
	struct str name = {NULL, 0};
	size_t i;

	for (i = 0; i < sizeof members / sizeof *members && !(json_is_string(name) && name.n > 2); i++)
		name = iter_find(text, members[i]);
	if (name.n > 2)
		add_name(t, "kernel ", iter_find(text, STR("kernel_id")), name);
}

static void add_counter(struct rocprof_tables *t, struct str text)
{
	struct str id = iter_find(text, STR("id"));

	if (id.n && id.p[0] == '{')
		id = iter_find(id, STR("handle"));
	add_name(t, "counter ", id, iter_find(text, STR("name")));
}

static int add_agent(
    struct rocprof_tables *t, struct draft *d, const struct reader *r, struct str text, struct event *e)
{
	struct str v[ROCPROF_AGENT_N], *type = &v[ROCPROF_AGENT_TYPE];
	struct rocprof_agent agent;
	struct fault ignored;
	size_t i;

	if (!json_tree_read(&t->tree, text, &ignored))
		return 0;
	for (i = 0; i < ROCPROF_AGENT_N; i++)
		v[i] = json_tree_get(&t->tree, rocprof_agent_columns[i].names[ROCPROF_JSON]);
	*type = str_eq(*type, STR("1")) ? STR("\"CPU\"") : str_eq(*type, STR("2")) ? STR("\"GPU\"") : STR("\"UNK\"");
	agent = rocprof_agents_add(&t->agents, v);
	return rocprof_record_make_agent(d, r, &agent, v, e);
}

int rocprof_tables_add(struct rocprof_tables *t, struct draft *d, const struct reader *r, enum rocprof_section section,
    uint64_t number, struct str text, struct event *e)
{
	char digits[NUM_ROOM];
	const struct str index = num_str_u64(digits, number);

	if (section == ROCPROF_SECTION_INSTRUCTIONS)
		add_name(t, "instruction ", index, text);
	else if (section == ROCPROF_SECTION_COMMENTS)
		add_name(t, "comment ", index, text);
	else if (text.p[0] != '{')
		return 0;
	else if (section == ROCPROF_SECTION_AGENTS)
		return add_agent(t, d, r, text, e);
	else if (section == ROCPROF_SECTION_COUNTERS)
		add_counter(t, text);
	else if (section == ROCPROF_SECTION_KINDS)
		add_kind(t, index, text);
	else if (section == ROCPROF_SECTION_KERNELS)
		add_symbol(t, text);
	else if (section == ROCPROF_SECTION_MESSAGES)
		add_name(t, "message ", iter_find(text, STR("key")), iter_find(text, STR("value")));
	return 0;
}

/* Returns the words of the command as one JSON string in *to; p is NULL when the command is empty. */
static struct str join_command(struct buf *to, struct str command)
{
	struct buf words = {0};
	struct iter at;
	struct str word;

	iter_array(&at, command);
	while (at.close && iter_element(&at, &word)) {
		if (!json_is_string(word))
			continue;
		if (words.n)
			buf_char(&words, ' ');
		json_unescape(&words, json_inner(word));
	}
	word = rocprof_quote(to, buf_str(&words));
	buf_free(&words);
	return word;
}

int rocprof_tables_metadata(
    struct rocprof_tables *t, struct draft *d, const struct reader *r, struct str text, struct event *e)
{
	struct rocprof_process_text process = {.pid = {NULL, 0}};
	struct fault ignored;
	int64_t pid;

	if (!json_tree_read(&t->tree, text, &ignored))
		return 0;
	t->pid_n = 0;
	if (num_int(json_tree_get(&t->tree, "pid"), &pid) == NUM_OK)
		process.pid = num_str_i64(t->pid, pid);
	t->pid_n = process.pid.n;
	if (json_is_string(json_tree_get(&t->tree, "node.hostname")))
		process.host = json_tree_get(&t->tree, "node.hostname");
	process.command = join_command(&t->id, json_tree_get(&t->tree, "command"));
	process.init = json_tree_get(&t->tree, "init_time");
	process.fini = json_tree_get(&t->tree, "fini_time");
	return rocprof_record_make_process(d, r, &process, e);
}

void rocprof_tables_free(struct rocprof_tables *t)
{
	id_texts_free(&t->names);
	json_tree_free(&t->tree);
	buf_free(&t->id);
	*t = (struct rocprof_tables){.pid_n = 0};
}

/* --- the members of an event, at any depth --- */

/* Returns where to store the value of a member; NULL when it is not used. */
static struct str *field_place(struct rocprof_json_event *x, struct str key)
{
	const enum rocprof_field field = rocprof_find_field(ROCPROF_JSON, key);

	return field < ROCPROF_N ? &x->row.v[field] : NULL;
}

/* Returns the value of a member; p is NULL when it is absent, an object or an array. */
static struct str scalar_member(struct str object, struct str key)
{
	const struct str value = iter_find(object, key);

	return value.n && (value.p[0] == '{' || value.p[0] == '[') ? (struct str){NULL, 0} : value;
}

static void read_sizes(struct rocprof_json_event *x, enum rocprof_field first, struct str object)
{
	x->row.v[first] = scalar_member(object, STR("x"));
	x->row.v[first + 1] = scalar_member(object, STR("y"));
	x->row.v[first + 2] = scalar_member(object, STR("z"));
}

static struct str first_value(struct str object)
{
	struct str key, value;
	struct iter at;

	iter_init(&at, object);
	return iter_next(&at, &key, &value) > 0 ? value : (struct str){NULL, 0};
}

/* Stores a value of a sample that has no field. */
static void add_extra(struct rocprof_json_event *x, struct str key, struct str value)
{
	const bool nested = value.p[0] == '{' || value.p[0] == '[';
	struct buf *b = &x->row.extra;

	json_write_member(b, key, nested ? STR("") : value);
	if (nested)
		b->n += scan_squeeze(buf_room(b, value.n + 64), value).n;
}

static void read_members(struct rocprof_json_event *x, struct str object, bool sample);

/* Handles a member whose value is an object or an array. */
static void read_nested(struct rocprof_json_event *x, struct str key, struct str value, bool sample)
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
		read_members(x, value, false);
	else if (str_eq(key, STR("record")))
		read_members(x, value, true);
	else if (str_eq(key, STR("workgroup_size")))
		read_sizes(x, ROCPROF_WORKGROUP_X, value);
	else if (str_eq(key, STR("grid_size")))
		read_sizes(x, ROCPROF_GRID_X, value);
	else if (str_eq(key, STR("retval")))
		x->retval = first_value(value);
	else if ((to = field_place(x, key)))
		*to = scalar_member(value, STR("handle"));
	else if (sample)
		add_extra(x, key, value);
}

/* Reads the members of an event. `sample`: members without a field are kept. */
static void read_members(struct rocprof_json_event *x, struct str object, bool sample)
{
	struct str key, value, *to;
	struct iter at;

	iter_init(&at, object);
	while (iter_next(&at, &key, &value) > 0) {
		if (value.p[0] == '{' || value.p[0] == '[')
			read_nested(x, key, value, sample);
		else if ((to = field_place(x, key)))
			*to = value;
		else if (sample && !str_eq(key, STR("size")))
			add_extra(x, key, value);
	}
}

/* --- names --- */

/* Returns the name for the id x->id. If the file has none, the id is the name, and this is reported. */
static struct str find_name(struct rocprof_json_event *x)
{
	const struct str name = id_texts_get(&x->tables.names, buf_str(&x->id));

	if (name.p)
		return name;
	reader_note(x->reader, "id without a name in the tables of the file; name made from the id", 0, x->byte);
	return rocprof_quote(&x->row.made[ROCPROF_NAME], buf_str(&x->id));
}

/* Returns the name for an id such as "message 12"; p is NULL if the file has none. */
static struct str find_optional(struct rocprof_json_event *x, const char *what, struct str id)
{
	return id_texts_get(&x->tables.names, make_id(&x->id, what, id));
}

static void name_operation(struct rocprof_json_event *x)
{
	put_id(&x->id, " operation ", x->row.v[ROCPROF_OPERATION]); /* x->id is the kind */
	x->row.v[ROCPROF_NAME] = find_name(x);
}

static void name_kernel(struct rocprof_json_event *x)
{
	make_id(&x->id, "kernel ", x->row.v[ROCPROF_KERNEL_ID]);
	x->row.v[ROCPROF_NAME] = find_name(x);
}

/* --- the kinds of events --- */

/* [{"type":"void**","name":"ptr","value":"0x7ffc00"},...] becomes {"ptr":"0x7ffc00",...}. */
static void take_args(struct rocprof_json_event *x)
{
	struct buf *b = &x->row.made[ROCPROF_CALL_ARGS];
	struct str key, argument, name, value;
	struct iter at;

	if (!x->args.n)
		return;
	iter_init(&at, x->args);
	b->n = 0;
	json_write_begin(b, NULL, '{');
	while (iter_next(&at, &key, &argument) > 0) {
		if (argument.p[0] != '{')
			continue;
		name = iter_find(argument, STR("name"));
		value = iter_find(argument, STR("value"));
		if (json_is_string(name) && value.n && value.p[0] != '{' && value.p[0] != '[')
			json_write_member(b, json_inner(name), value);
	}
	json_write_end(b, '}');
	if (b->n > 2)
		x->row.v[ROCPROF_CALL_ARGS] = buf_str(b);
}

static struct rocprof_agent_ref agent_by_handle(const struct rocprof_json_event *x, struct str handle)
{
	int64_t v;

	if (num_int(handle, &v) != NUM_OK)
		return (struct rocprof_agent_ref){.known = false};
	return rocprof_agents_by_handle(&x->tables.agents, v);
}

/* An event of a buffer: {"kind":9,"operation":2,...}; the numbers are indexes of the tables. */
static size_t read_buffered(struct rocprof_json_event *x)
{
	struct rocprof_row *row = &x->row;

	row->v[ROCPROF_CAT] = find_optional(x, "kind ", row->v[ROCPROF_KIND]);
	if (row->v[ROCPROF_KERNEL_ID].n) {
		row->table = ROCPROF_KERNELS;
		name_kernel(x);
		return 1;
	}
	name_operation(x);
	if (row->v[ROCPROF_DST].n) {
		row->table = ROCPROF_COPIES;
		return 1;
	}
	rocprof_row_forget(row, ROCPROF_STREAM, ROCPROF_STREAM);
	if (str_starts(row->v[ROCPROF_CAT], STR("\"MEMORY_ALLOCATION")) ||
	    str_starts(row->v[ROCPROF_CAT], STR("\"SCRATCH_MEMORY"))) {
		row->table = ROCPROF_MEMORY;
		return 1;
	}
	row->table = ROCPROF_CALLS;
	row->v[ROCPROF_RETVAL] = x->retval;
	if (x->reader->args)
		take_args(x);
	if (str_starts(row->v[ROCPROF_CAT], STR("\"MARKER_CORE")))
		rocprof_row_set_message(row, find_optional(x, "message ", row->v[ROCPROF_CORR]));
	return 1;
}

static size_t read_sample(struct rocprof_json_event *x)
{
	struct rocprof_row *row = &x->row;
	const struct str comment = find_optional(x, "comment ", row->v[ROCPROF_INSTRUCTION]);

	row->table = ROCPROF_SAMPLES;
	row->v[ROCPROF_CAT] = STR("\"PC_SAMPLING\"");
	row->v[ROCPROF_NAME] = find_optional(x, "instruction ", row->v[ROCPROF_INSTRUCTION]);
	if (comment.n > 2)
		json_write_member(&row->extra, STR("instruction_comment"), comment);
	return 1;
}

/* Adds the values of each counter: {"counter_id":{"handle":77},"value":64.0}. */
static size_t read_counters(struct rocprof_json_event *x)
{
	struct rocprof_row *row = &x->row;
	struct str key, value, id;
	struct iter at;
	size_t i, n;
	double v;

	name_kernel(x);
	rocprof_row_count(row);
	map_free(&x->totals);
	x->totals = (struct map){.n = 0};
	x->given = 0;
	iter_init(&at, x->records);
	while (iter_next(&at, &key, &value) > 0) {
		id = value.p[0] == '{' ? iter_find(value, STR("counter_id")) : (struct str){NULL, 0};
		if (id.n && id.p[0] == '{')
			id = iter_find(id, STR("handle"));
		if (!id.n || !num_double(iter_find(value, STR("value")), &v))
			continue;
		n = x->totals.n;
		i = map_put(&x->totals, id);
		x->total = mem_grow(x->total, &x->cap, i + 1, sizeof *x->total);
		x->total[i] = i == n ? v : x->total[i] + v;
	}
	return x->totals.n;
}

void rocprof_json_event_count(struct rocprof_json_event *x)
{
	const size_t i = x->given++;

	make_id(&x->id, "counter ", map_key(&x->totals, i));
	x->row.v[ROCPROF_NAME] = find_name(x);
	x->row.v[ROCPROF_VALUE] = rocprof_real(&x->row.made[ROCPROF_VALUE], x->total[i]);
}

size_t rocprof_json_event_read(struct rocprof_json_event *x, struct reader *r, struct str text, uint64_t byte)
{
	struct rocprof_row *row = &x->row;
	const struct str *v = row->v;
	size_t n = 0;

	x->reader = r;
	x->byte = byte;
	rocprof_row_clear(row);
	x->records = x->args = x->retval = (struct str){NULL, 0};
	read_members(x, text, false);
	row->v[ROCPROF_PID] = (struct str){x->tables.pid, x->tables.pid_n};
	row->agent = agent_by_handle(x, v[ROCPROF_AGENT]);
	row->source = agent_by_handle(x, v[ROCPROF_SRC]);
	row->to = agent_by_handle(x, v[ROCPROF_DST]);
	if (x->records.n && v[ROCPROF_KERNEL_ID].n)
		n = read_counters(x);
	else if (v[ROCPROF_INSTRUCTION].n)
		n = read_sample(x);
	else if (v[ROCPROF_KIND].n && v[ROCPROF_OPERATION].n && v[ROCPROF_START].n)
		n = read_buffered(x);
	if (n && ((v[ROCPROF_AGENT].n && !row->agent.known && !str_eq(v[ROCPROF_AGENT], STR("0"))) ||
		     (v[ROCPROF_DST].n && !row->to.known) || (v[ROCPROF_SRC].n && !row->source.known)))
		reader_note(x->reader, "agent without a description; device unknown", 0, x->byte);
	return n;
}

void rocprof_json_event_free(struct rocprof_json_event *x)
{
	rocprof_tables_free(&x->tables);
	rocprof_row_free(&x->row);
	buf_free(&x->id);
	map_free(&x->totals);
	free(x->total);
}

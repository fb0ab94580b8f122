/* rocprof_element: converts the elements of the arrays of rocprofv3's JSON output. */
#include "rocprof_json.h"

#include "json/iter.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/write.h"

#include <math.h>
#include <stdlib.h>

/* --- the data of a process that its events refer to --- */

static bool is_filled(struct str json)
{
	return json_is_string(json) && json.n > 2;
}

/* Stores the text of an element whose id is its position in the array. */
static void add_numbered(struct rocprof_names *names, uint64_t *n, struct str text)
{
	char id[NUM_ROOM];

	if (json_is_string(text))
		rocprof_names_put(names, num_str_u64(id, *n), text);
	++*n;
}

/* {"kind":"HIP_RUNTIME_API","operations":["hipMalloc",...]}: the element's position is the number of the kind. */
static void add_kind(struct rocprof_tables *t, struct str text)
{
	struct str operations = iter_find(text, STR("operations")), key, value;
	char id[2 * NUM_ROOM], *operation;
	struct iter at;
	uint64_t n = 0;

	operation = num_put_u64(id, t->kinds_n);
	*operation++ = ':';
	add_numbered(&t->kinds, &t->kinds_n, iter_find(text, STR("kind")));
	if (!operations.n)
		return;
	iter_init(&at, operations);
	while (iter_next(&at, &key, &value) > 0) {
		if (json_is_string(value))
			rocprof_names_put(
			    &t->operations, (struct str){id, (size_t)(num_put_u64(operation, n) - id)}, value);
		n++;
	}
}

static void add_symbol(struct rocprof_tables *t, struct str text)
{
	static const struct str names[] = {
	    ROCPROF_TEXT("formatted_kernel_name"), ROCPROF_TEXT("demangled_kernel_name"), ROCPROF_TEXT("kernel_name")};
	struct str name = {NULL, 0}, id = iter_find(text, STR("kernel_id"));
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names && !is_filled(name); i++)
		name = iter_find(text, names[i]);
	if (id.n && is_filled(name))
		rocprof_names_put(&t->kernels, id, name);
}

static void add_counter(struct rocprof_tables *t, struct str text)
{
	struct str id = iter_find(text, STR("id")), name = iter_find(text, STR("name"));

	if (id.n && id.p[0] == '{')
		id = iter_find(id, STR("handle"));
	if (id.n && json_is_string(name))
		rocprof_names_put(&t->counters, id, name);
}

/* Returns the whole number at a path, or `absent`. */
static int64_t number_at(const struct json_tree *tree, const char *path, int64_t absent)
{
	int64_t v;

	return num_int(json_tree_get(tree, path), &v) == NUM_OK ? v : absent;
}

static int add_agent(
    struct rocprof_tables *t, struct rocprof_maker *m, const struct reader *r, struct str text, struct event *e)
{
	struct rocprof_agent_text is;
	struct rocprof_agent agent;
	struct fault ignored;
	int64_t type;

	if (!json_tree_read(&t->tree, text, &ignored))
		return 0;
	agent.handle = number_at(&t->tree, "id.handle", -1);
	agent.node = number_at(&t->tree, "node_id", agent.handle);
	agent.logical = number_at(&t->tree, "logical_node_id", agent.node);
	type = number_at(&t->tree, "type", 0);
	agent.gpu = type == 2;
	agent.index =
	    number_at(&t->tree, "logical_node_type_id", rocprof_agents_count(&t->agents, agent.gpu, agent.node));
	rocprof_agents_put(&t->agents, agent);
	is.type = type == 1 ? STR("\"CPU\"") : type == 2 ? STR("\"GPU\"") : STR("\"UNK\"");
	is.name = json_tree_get(&t->tree, "name");
	is.vendor = json_tree_get(&t->tree, "vendor_name");
	is.product = json_tree_get(&t->tree, "product_name");
	is.cu_count = json_tree_get(&t->tree, "cu_count");
	return rocprof_make_agent(m, r, &agent, &is, e);
}

int rocprof_tables_add(struct rocprof_tables *t, struct rocprof_maker *m, const struct reader *r,
    enum rocprof_section section, struct str text, struct event *e)
{
	const bool object = text.p[0] == '{';

	switch (section) {
	case ROCPROF_SECTION_AGENTS:
		return object ? add_agent(t, m, r, text, e) : 0;
	case ROCPROF_SECTION_INSTRUCTIONS:
		add_numbered(&t->instructions, &t->instructions_n, text);
		break;
	case ROCPROF_SECTION_COMMENTS:
		add_numbered(&t->comments, &t->comments_n, text);
		break;
	case ROCPROF_SECTION_COUNTERS:
		if (object)
			add_counter(t, text);
		break;
	case ROCPROF_SECTION_KINDS:
		if (object)
			add_kind(t, text);
		break;
	case ROCPROF_SECTION_KERNELS:
		if (object)
			add_symbol(t, text);
		break;
	case ROCPROF_SECTION_MESSAGES:
		if (object && iter_find(text, STR("key")).n && json_is_string(iter_find(text, STR("value"))))
			rocprof_names_put(&t->messages, iter_find(text, STR("key")), iter_find(text, STR("value")));
		break;
	case ROCPROF_SECTION_PROCESSES:
	case ROCPROF_SECTION_EVENTS:
		break;
	}
	return 0;
}

void rocprof_tables_skip(struct rocprof_tables *t, enum rocprof_section section)
{
	t->kinds_n += section == ROCPROF_SECTION_KINDS;
	t->instructions_n += section == ROCPROF_SECTION_INSTRUCTIONS;
	t->comments_n += section == ROCPROF_SECTION_COMMENTS;
}

/* Writes the words of the command as one text. */
static void put_command(struct rocprof_maker *m, struct buf *words, struct str command)
{
	struct str key, value;
	struct iter at;

	iter_init(&at, command);
	while (iter_next(&at, &key, &value) > 0) {
		if (!json_is_string(value))
			continue;
		if (words->n)
			buf_char(words, ' ');
		json_unescape(words, json_inner(value));
	}
	if (words->n)
		json_write_text(&m->args, "command", json_write_str(words));
}

int rocprof_tables_metadata(
    struct rocprof_tables *t, struct rocprof_maker *m, const struct reader *r, struct str text, struct event *e)
{
	struct buf words = {0};
	struct fault ignored;
	struct str command;
	int64_t pid;

	if (!json_tree_read(&t->tree, text, &ignored))
		return 0;
	t->pid_n = 0;
	if (num_int(json_tree_get(&t->tree, "pid"), &pid) == NUM_OK)
		t->pid_n = (size_t)(num_put_i64(t->pid, pid) - t->pid);
	event_clear(e);
	event_set_kind(e, KIND_META);
	if (json_is_string(json_tree_get(&t->tree, "node.hostname")))
		event_set(e, EVENT_NAME, json_tree_get(&t->tree, "node.hostname"));
	event_set(e, EVENT_CAT, STR("\"metadata\""));
	if (t->pid_n)
		event_set(e, EVENT_PID, (struct str){t->pid, t->pid_n});
	m->args.n = 0;
	json_write_begin(&m->args, NULL, '{');
	command = json_tree_get(&t->tree, "command");
	if (command.n && command.p[0] == '[')
		put_command(m, &words, command);
	rocprof_put(&m->args, "init_time", json_tree_get(&t->tree, "init_time"));
	rocprof_put(&m->args, "fini_time", json_tree_get(&t->tree, "fini_time"));
	json_write_end(&m->args, '}');
	if (r->args)
		event_set(e, EVENT_ARGS, json_write_str(&m->args));
	buf_free(&words);
	return reader_wants(r, KIND_META);
}

void rocprof_tables_free(struct rocprof_tables *t)
{
	rocprof_names_free(&t->kinds);
	rocprof_names_free(&t->operations);
	rocprof_names_free(&t->messages);
	rocprof_names_free(&t->kernels);
	rocprof_names_free(&t->counters);
	rocprof_names_free(&t->instructions);
	rocprof_names_free(&t->comments);
	json_tree_free(&t->tree);
	t->agents.n = t->pid_n = 0;
	t->kinds_n = t->instructions_n = t->comments_n = 0;
}

/* --- the members of an event, at any depth --- */

/* Returns where to store the value of a member; NULL when it is not used. */
static struct str *field_place(struct rocprof_element *x, struct str key)
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
	const enum rocprof_field field = rocprof_member_field(key);
	size_t i;

	if (field < ROCPROF_N)
		return &x->row.v[field];
	for (i = 0; i < sizeof own / sizeof *own; i++) {
		if (str_eq(own[i].name, key))
			return own[i].to;
	}
	return NULL;
}

/* Returns the value of a member; p is NULL when it is absent, an object or an array. */
static struct str scalar_member(struct str object, struct str key)
{
	const struct str value = iter_find(object, key);

	return value.n && (value.p[0] == '{' || value.p[0] == '[') ? (struct str){NULL, 0} : value;
}

static void read_sizes(struct rocprof_element *x, enum rocprof_field first, struct str object)
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
static void add_extra(struct rocprof_element *x, struct str key, struct str value)
{
	if (value.p[0] == '{' || value.p[0] == '[') {
		x->value.n = 0;
		x->value.n = scan_squeeze(buf_room(&x->value, value.n + 64), value).n;
		value = json_write_str(&x->value);
	}
	json_write_member(&x->row.extra, key, value);
}

static void read_members(struct rocprof_element *x, struct str object, bool sample);

/* Handles a member whose value is an object or an array. */
static void read_nested(struct rocprof_element *x, struct str key, struct str value, bool sample)
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
static void read_members(struct rocprof_element *x, struct str object, bool sample)
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

static struct rocprof_place agent_by_handle(const struct rocprof_tables *t, struct str handle)
{
	int64_t v;

	if (num_int(handle, &v) != NUM_OK)
		return (struct rocprof_place){.known = false};
	return rocprof_agents_by_handle(&t->agents, v);
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
	rocprof_row_forget(row, ROCPROF_STREAM, ROCPROF_STREAM);
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
	rocprof_row_forget(row, ROCPROF_KERNEL_ID, ROCPROF_GROUP);
	rocprof_row_forget(row, ROCPROF_EXTERNAL, ROCPROF_GRID_Z);
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
	read_members(x, text, false);
	row->v[ROCPROF_PID] = (struct str){t->pid, t->pid_n};
	row->agent = agent_by_handle(t, x->agent);
	row->source = agent_by_handle(t, x->source);
	row->to = agent_by_handle(t, x->to);
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

/*
 * rocprof_json: reads the JSON output of rocprofv3, one element of an array at a time. The elements are events, and the
 * names and agents to which the later events of the same process refer.
 */
#include "json/check.h"
#include "json/iter.h"
#include "json/scan.h"
#include "json/tree.h"
#include "json/write.h"
#include "rocprof_record.h"
#include "trace2ndjson/formats/document.h"
#include "trace2ndjson/formats/id_texts.h"

#include <stdlib.h>

/* The arrays whose elements have a meaning, in the order of section_names[]. */
enum section {
	PROCESSES, /* one object for each process */
	AGENTS,
	COUNTERS,     /* the names of counters */
	KINDS,        /* strings.buffer_records: the names of kinds and their operations */
	MESSAGES,     /* strings.marker_api: the texts of markers; also a buffer of this name */
	INSTRUCTIONS, /* texts of program counter samples */
	COMMENTS,
	KERNELS,
	EVENTS, /* any other array */
};
static const char *const section_names[] = {"rocprofiler-sdk-tool", "agents", "counters", "buffer_records",
    "marker_api", "pc_sample_instructions", "pc_sample_comments", "kernel_symbols"};

struct rocprof_json {
	/* The position in the text. */
	enum section section;         /* of the array that is being read */
	bool inside;                  /* in an array: its elements are read one by one */
	uint64_t number;              /* index of the next element of the array */
	bool comma;                   /* in an array: a comma must precede the next element */
	bool started, ended, damaged; /* damaged: the depth is not known any more */
	size_t depth;                 /* open brackets outside such arrays */
	size_t used;                  /* bytes of the element whose records are being given */
	size_t waiting;               /* number of these records that are not given yet */
	struct buf key;
	/* The process. The ids of names are words, which replace a missing name: "kernel 812", "kind 9 operation 2". */
	struct rocprof_agents agents;
	struct id_texts names;
	struct str pid; /* JSON; p is NULL when it is unknown */
	char pid_text[NUM_ROOM];
	struct json_tree tree;
	struct buf id; /* of a name */
	/* The event: views of its text. */
	struct rocprof_row row;
	uint64_t byte; /* its offset */
	struct str records, args, retval;
	struct map totals; /* the ids of the counters of this event */
	double *total;     /* their sums */
	size_t total_cap;
};

static bool is_nested(struct str value)
{
	return value.n && (value.p[0] == '{' || value.p[0] == '[');
}

/* --- the data of a process that its events refer to --- */

/* Makes the id of a name in j->id: "kernel 812". */
static struct str make_id(struct rocprof_json *j, const char *what, struct str number)
{
	j->id.n = 0;
	buf_add(&j->id, what, strlen(what));
	buf_add(&j->id, number.p, number.n);
	return buf_str(&j->id);
}

/* Makes the id of an operation's name in j->id: "kind 9 operation 2". */
static struct str make_operation_id(struct rocprof_json *j, struct str kind, struct str operation)
{
	make_id(j, "kind ", kind);
	buf_lit(&j->id, " operation ");
	buf_add(&j->id, operation.p, operation.n);
	return buf_str(&j->id);
}

/* Stores a name, unless it is not a string. */
static void add_name(struct rocprof_json *j, const char *what, struct str number, struct str name)
{
	if (number.n && json_is_string(name))
		id_texts_put(&j->names, make_id(j, what, number), name);
}

/* {"kind":"HIP_RUNTIME_API","operations":["hipMalloc",...]}: the element's index is the number of the kind. */
static void add_kind(struct rocprof_json *j, struct str number, struct str text)
{
	char digits[NUM_ROOM];
	struct str name;
	struct iter at;
	uint64_t n = 0;

	add_name(j, "kind ", number, iter_find(text, STR("kind")));
	iter_array(&at, iter_find(text, STR("operations")));
	for (; at.close && iter_element(&at, &name); n++) {
		if (json_is_string(name))
			id_texts_put(&j->names, make_operation_id(j, number, num_str_u64(digits, n)), name);
	}
}

static void add_symbol(struct rocprof_json *j, struct str text)
{
	static const struct str members[] = {
	    ROCPROF_TEXT("formatted_kernel_name"), ROCPROF_TEXT("demangled_kernel_name"), ROCPROF_TEXT("kernel_name")};
	struct str name = {NULL, 0};
	size_t i;

	for (i = 0; i < sizeof members / sizeof *members && !(json_is_string(name) && name.n > 2); i++)
		name = iter_find(text, members[i]);
	if (name.n > 2)
		add_name(j, "kernel ", iter_find(text, STR("kernel_id")), name);
}

/* Returns the id in an element of the counters or in a value of a counter: a number, or {"handle":77}. */
static struct str counter_id(struct str object, struct str key)
{
	const struct str id = iter_find(object, key);

	return id.n && id.p[0] == '{' ? iter_find(id, STR("handle")) : id;
}

static int add_agent(struct rocprof_json *j, const struct reader *r, struct str text, struct event *e)
{
	struct str v[ROCPROF_AGENT_N], *type = &v[ROCPROF_AGENT_TYPE];
	struct fault ignored;
	size_t i;

	if (!json_tree_read(&j->tree, text, &ignored))
		return 0;
	for (i = 0; i < ROCPROF_AGENT_N; i++)
		v[i] = json_tree_get(&j->tree, rocprof_agent_columns[i].names[ROCPROF_JSON]);
	*type = str_eq(*type, STR("1")) ? STR("\"CPU\"") : str_eq(*type, STR("2")) ? STR("\"GPU\"") : STR("\"UNK\"");
	return rocprof_record_make_agent(r, &j->agents, v, e);
}

/* Stores the names or the agent in an element with this index. Returns 1 with *e set for an agent, otherwise 0. */
static int add_element(
    struct rocprof_json *j, const struct reader *r, uint64_t number, struct str text, struct event *e)
{
	char digits[NUM_ROOM];
	const struct str index = num_str_u64(digits, number);

	if (j->section == INSTRUCTIONS)
		add_name(j, "instruction ", index, text);
	else if (j->section == COMMENTS)
		add_name(j, "comment ", index, text);
	else if (text.p[0] != '{')
		return 0;
	else if (j->section == AGENTS)
		return add_agent(j, r, text, e);
	else if (j->section == COUNTERS)
		add_name(j, "counter ", counter_id(text, STR("id")), iter_find(text, STR("name")));
	else if (j->section == KINDS)
		add_kind(j, index, text);
	else if (j->section == KERNELS)
		add_symbol(j, text);
	else if (j->section == MESSAGES)
		add_name(j, "message ", iter_find(text, STR("key")), iter_find(text, STR("value")));
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

/* Forgets the names and agents of the process. */
static void free_process(struct rocprof_json *j)
{
	id_texts_free(&j->names);
	j->agents.n = 0;
	j->pid = (struct str){NULL, 0};
}

/* Reads the value of "metadata", with which a process begins. Returns 1 with *e set if the record is selected. */
static int read_metadata(struct rocprof_json *j, const struct reader *r, struct str text, struct event *e)
{
	struct str v[ROCPROF_PROCESS_N] = {{NULL, 0}};
	struct fault ignored;
	int64_t pid;

	if (!json_tree_read(&j->tree, text, &ignored))
		return 0;
	if (num_int(json_tree_get(&j->tree, "pid"), &pid) == NUM_OK)
		j->pid = num_str_i64(j->pid_text, pid);
	v[ROCPROF_PROCESS_PID] = j->pid;
	if (json_is_string(json_tree_get(&j->tree, "node.hostname")))
		v[ROCPROF_PROCESS_HOST] = json_tree_get(&j->tree, "node.hostname");
	v[ROCPROF_PROCESS_COMMAND] = join_command(&j->id, json_tree_get(&j->tree, "command"));
	v[ROCPROF_PROCESS_INIT] = json_tree_get(&j->tree, "init_time");
	v[ROCPROF_PROCESS_FINI] = json_tree_get(&j->tree, "fini_time");
	return rocprof_record_make_process(r, v, e);
}

/* --- the members of an event, at any depth --- */

/* Returns where to store the value of a member; NULL when it is not used. */
static struct str *find_value_slot(struct rocprof_json *j, struct str key)
{
	const enum rocprof_field field = rocprof_find_field(ROCPROF_JSON, key);

	return field < ROCPROF_N ? &j->row.v[field] : NULL;
}

/* Returns the value of a member; p is NULL when it is absent, an object or an array. */
static struct str scalar_member(struct str object, struct str key)
{
	const struct str value = iter_find(object, key);

	return is_nested(value) ? (struct str){NULL, 0} : value;
}

static void read_sizes(struct rocprof_json *j, enum rocprof_field first, struct str object)
{
	j->row.v[first] = scalar_member(object, STR("x"));
	j->row.v[first + 1] = scalar_member(object, STR("y"));
	j->row.v[first + 2] = scalar_member(object, STR("z"));
}

static void read_members(struct rocprof_json *j, struct str object, bool sample);

/* Handles a member whose value is an object or an array. */
static void read_nested(struct rocprof_json *j, struct str key, struct str value, bool sample)
{
	struct str *to, first;
	struct iter at;

	if (str_eq(key, STR("records"))) {
		j->records = value;
	} else if (str_eq(key, STR("args"))) {
		j->args = value;
	} else if (value.p[0] != '{') {
		return;
	} else if (str_eq(key, STR("correlation_id")) || str_eq(key, STR("dispatch_info")) ||
		   str_eq(key, STR("dispatch_data"))) {
		read_members(j, value, false);
	} else if (str_eq(key, STR("record"))) {
		read_members(j, value, true);
	} else if (str_eq(key, STR("workgroup_size"))) {
		read_sizes(j, ROCPROF_WORKGROUP_X, value);
	} else if (str_eq(key, STR("grid_size"))) {
		read_sizes(j, ROCPROF_GRID_X, value);
	} else if (str_eq(key, STR("retval"))) {
		iter_init(&at, value);
		if (iter_next(&at, &first, &j->retval) <= 0)
			j->retval = (struct str){NULL, 0};
	} else if ((to = find_value_slot(j, key))) {
		*to = scalar_member(value, STR("handle"));
	} else if (sample) {
		json_write_squeezed(&j->row.extra, key, value);
	}
}

/* Reads the members of an event. `sample`: members without a field are kept. */
static void read_members(struct rocprof_json *j, struct str object, bool sample)
{
	struct str key, value, *to;
	struct iter at;

	iter_init(&at, object);
	while (iter_next(&at, &key, &value) > 0) {
		if (is_nested(value))
			read_nested(j, key, value, sample);
		else if ((to = find_value_slot(j, key)))
			*to = value;
		else if (sample && !str_eq(key, STR("size")))
			json_write_squeezed(&j->row.extra, key, value);
	}
}

/* --- names --- */

/* Sets the name to that of the id. If the file has none, the id is the name, and this is reported. */
static void set_name(struct rocprof_json *j, struct reader *r, struct str id)
{
	struct str *name = &j->row.v[ROCPROF_NAME];

	*name = id_texts_get(&j->names, id);
	if (name->p)
		return;
	reader_note(r, "id without a name in the tables of the file; name made from the id", 0, j->byte);
	*name = rocprof_quote(&j->row.made[ROCPROF_NAME], id);
}

/* Returns the name for an id such as "message 12"; p is NULL if the file has none. */
static struct str find_optional(struct rocprof_json *j, const char *what, struct str id)
{
	return id_texts_get(&j->names, make_id(j, what, id));
}

/* --- the kinds of events --- */

/* [{"type":"void**","name":"ptr","value":"0x7ffc00"},...] becomes {"ptr":"0x7ffc00",...}. */
static void take_args(struct rocprof_json *j)
{
	struct buf *b = &j->row.made[ROCPROF_CALL_ARGS];
	struct str key, argument, name, value;
	struct iter at;

	if (!j->args.n)
		return;
	iter_init(&at, j->args);
	b->n = 0;
	json_write_begin(b, NULL, '{');
	while (iter_next(&at, &key, &argument) > 0) {
		if (argument.p[0] != '{')
			continue;
		name = iter_find(argument, STR("name"));
		value = iter_find(argument, STR("value"));
		if (json_is_string(name) && value.n && !is_nested(value))
			json_write_member(b, json_inner(name), value);
	}
	json_write_end(b, '}');
	if (b->n > 2)
		j->row.v[ROCPROF_CALL_ARGS] = buf_str(b);
}

/* An event of a buffer: {"kind":9,"operation":2,...}; the numbers are indexes of the tables. */
static void read_buffered(struct rocprof_json *j, struct reader *r)
{
	struct rocprof_row *row = &j->row;
	struct str *cat = &row->v[ROCPROF_CAT];

	*cat = find_optional(j, "kind ", row->v[ROCPROF_KIND]);
	if (row->v[ROCPROF_KERNEL_ID].n) {
		row->table = ROCPROF_KERNELS;
		set_name(j, r, make_id(j, "kernel ", row->v[ROCPROF_KERNEL_ID]));
		return;
	}
	set_name(j, r, make_operation_id(j, row->v[ROCPROF_KIND], row->v[ROCPROF_OPERATION]));
	if (row->v[ROCPROF_DST].n) {
		row->table = ROCPROF_COPIES;
		return;
	}
	rocprof_row_forget(row, ROCPROF_STREAM, ROCPROF_STREAM);
	if (str_starts(*cat, STR("\"MEMORY_ALLOCATION")) || str_starts(*cat, STR("\"SCRATCH_MEMORY"))) {
		row->table = ROCPROF_MEMORY;
		return;
	}
	row->table = ROCPROF_CALLS;
	row->v[ROCPROF_RETVAL] = j->retval;
	if (r->args)
		take_args(j);
	if (str_starts(*cat, STR("\"MARKER_CORE")))
		rocprof_row_set_message(row, find_optional(j, "message ", row->v[ROCPROF_CORR]));
}

static void read_sample(struct rocprof_json *j)
{
	struct rocprof_row *row = &j->row;
	const struct str comment = find_optional(j, "comment ", row->v[ROCPROF_INSTRUCTION]);

	row->table = ROCPROF_SAMPLES;
	row->v[ROCPROF_CAT] = STR("\"PC_SAMPLING\"");
	row->v[ROCPROF_NAME] = find_optional(j, "instruction ", row->v[ROCPROF_INSTRUCTION]);
	if (comment.n > 2)
		json_write_member(&row->extra, STR("instruction_comment"), comment);
}

/* Adds the values of each counter, one for each XCC, SE ...: {"counter_id":{"handle":77},"value":64.0}. */
static void read_counters(struct rocprof_json *j, struct reader *r)
{
	struct str key, value, id;
	struct iter at;
	size_t i, n;
	double v;

	set_name(j, r, make_id(j, "kernel ", j->row.v[ROCPROF_KERNEL_ID]));
	rocprof_row_count(&j->row);
	map_free(&j->totals);
	j->totals = (struct map){.n = 0};
	iter_init(&at, j->records);
	while (iter_next(&at, &key, &value) > 0) {
		id = value.p[0] == '{' ? counter_id(value, STR("counter_id")) : STR("");
		if (!id.n || !num_double(iter_find(value, STR("value")), &v))
			continue;
		n = j->totals.n;
		i = map_put(&j->totals, id);
		j->total = mem_grow(j->total, &j->total_cap, i + 1, sizeof *j->total);
		j->total[i] = i == n ? v : j->total[i] + v;
	}
}

static struct rocprof_agent_ref agent_by_handle(const struct rocprof_json *j, struct str handle)
{
	int64_t v;

	if (num_int(handle, &v) != NUM_OK)
		return (struct rocprof_agent_ref){.known = false};
	return rocprof_agents_by_handle(&j->agents, v);
}

/* Reads an event into j->row. Returns the number of its records, which is 0 for an object that is not an event. */
static size_t read_event(struct rocprof_json *j, struct reader *r, struct str text)
{
	struct rocprof_row *row = &j->row;
	const struct str *v = row->v;
	size_t n = 1;

	j->byte = r->src->offset;
	rocprof_row_clear(row);
	j->records = j->args = j->retval = (struct str){NULL, 0};
	read_members(j, text, false);
	row->v[ROCPROF_PID] = j->pid;
	row->agent = agent_by_handle(j, v[ROCPROF_AGENT]);
	row->source = agent_by_handle(j, v[ROCPROF_SRC]);
	row->to = agent_by_handle(j, v[ROCPROF_DST]);
	if (j->records.n && v[ROCPROF_KERNEL_ID].n) {
		read_counters(j, r);
		n = j->totals.n;
	} else if (v[ROCPROF_INSTRUCTION].n) {
		read_sample(j);
	} else if (v[ROCPROF_KIND].n && v[ROCPROF_OPERATION].n && v[ROCPROF_START].n) {
		read_buffered(j, r);
	} else {
		return 0;
	}
	if (n && ((v[ROCPROF_AGENT].n && !row->agent.known && !str_eq(v[ROCPROF_AGENT], STR("0"))) ||
		     (v[ROCPROF_DST].n && !row->to.known) || (v[ROCPROF_SRC].n && !row->source.known)))
		reader_note(r, "agent without a description; device unknown", 0, j->byte);
	return n;
}

/* Makes the next record of the event. */
static int next_record(struct rocprof_json *j, struct reader *r, struct event *e)
{
	size_t i;

	j->waiting--;
	if (j->row.table == ROCPROF_COUNTERS) {
		i = j->totals.n - j->waiting - 1;
		set_name(j, r, make_id(j, "counter ", map_key(&j->totals, i)));
		j->row.v[ROCPROF_VALUE] = rocprof_real(&j->row.made[ROCPROF_VALUE], j->total[i]);
	}
	return rocprof_record_make(r, &j->row, j->byte, e);
}

/* --- finds the elements of arrays in damaged text --- */

/* Returns the section of an array from its name, without quotes. */
static enum section section_of(struct str key)
{
	enum section i;

	for (i = 0; i < EVENTS && !str_eq(key, str_of(section_names[i])); i++)
		;
	return i;
}

/* Returns the name of the array whose bracket ends the text; p is NULL when it has none. */
static struct str name_of_array(struct str s)
{
	size_t begin;

	s = document_before(s, s.n - 1);
	if (!str_ends(s, STR(":")))
		return (struct str){NULL, 0};
	s = document_before(s, s.n - 1);
	if (!str_ends(s, STR("\"")))
		return (struct str){NULL, 0};
	s.n--;
	begin = str_after_last(s, '"');
	return begin ? str_from(s, begin) : (struct str){NULL, 0};
}

/*
 * Whether an element of an array begins at the brace at `at`: after a comma or bracket, and with a key that the first
 * member of an element has. If the element is the first of an array that has a name, sets *section to the section of
 * this array.
 */
static int element_at(void *section, struct str s, size_t at)
{
	static const char *const firsts[] = {
	    "\"size\"", "\"kind\"", "\"key\"", "\"thread_id\"", "\"record\"", "\"agent_id\"", NULL};
	const struct str earlier = document_before(s, at), text = str_trim(str_from(s, at + 1));
	const bool first = str_ends(earlier, STR("["));
	struct str name = {NULL, 0};

	if ((!first && !str_ends(earlier, STR(","))) || !str_starts_in(text, firsts))
		return 0;
	if (first)
		name = name_of_array(earlier);
	if (name.p)
		*(enum section *)section = section_of(name);
	return 1;
}

static bool report_cut(struct rocprof_json *j, struct reader *r, const char *what)
{
	if (!r->src->fault.what && !j->damaged)
		reader_cut(r, what, 0, r->src->offset + r->src->n);
	j->ended = true;
	return false;
}

/* Reports damaged text, which begins at the window, and skips it up to the next element of an array. Returns false. */
static bool skip_damage(struct rocprof_json *j, struct reader *r, const char *what)
{
	enum { LOOK_BACK = 256 }; /* more than the name of an array and the first key of an element need */
	const enum section section = j->section;

	reader_lost(r, what, 0, r->src->offset);
	j->number += j->inside;
	j->damaged = j->inside = true;
	j->comma = false;
	j->used = 0;
	j->ended = !document_skip_to_object(r->src, 1, LOOK_BACK, element_at, &j->section);
	if (j->section != section)
		j->number = 0;
	return false;
}

/*
 * Loads the object at the beginning of the window. Returns its length. Returns 0 when it is larger than --max-record,
 * when another element begins before its end, or when the input ends before its end; *cut is true only in the last
 * case. A large object is scanned again only when the window has doubled, so that the time is linear.
 */
static size_t load_object(struct rocprof_json *j, struct reader *r, bool *cut)
{
	enum { LARGE = 64 * 1024 };
	struct source *s = r->src;
	enum section ignored;
	size_t n = 0, enough;

	*cut = false;
	while (!(n = scan_skip((struct str){s->p, s->n})) && !*cut) {
		if (s->n > r->max_record)
			return 0;
		if (s->n > LARGE && j->section >= EVENTS &&
		    document_find_object((struct str){s->p, s->n}, 1, element_at, &ignored) < s->n)
			return 0;
		enough = s->n > LARGE ? 2 * s->n : s->n + 1;
		while (s->n < enough && !*cut)
			*cut = source_more(s) <= 0;
	}
	*cut = !n && document_find_object((struct str){s->p, s->n}, 1, element_at, &ignored) == s->n;
	return n <= r->max_record ? n : 0;
}

/* Sets *text to the element at the beginning of the window; false when it is damaged. */
static bool load_element(struct rocprof_json *j, struct reader *r, struct str *text)
{
	enum section ignored;
	bool cut = false;
	const int first = document_peek(r);

	j->used = first == '{' ? load_object(j, r, &cut) : document_value(r, &cut);
	*text = (struct str){r->src->p, j->used};
	if (cut) {
		j->used = 0;
		return report_cut(j, r, "file is cut short: the last record is incomplete");
	}
	/* If the element contains the beginning of another one, its own end is missing. */
	if (!j->used || (!json_check(*text, NULL) &&
			    (first != '{' || document_find_object(*text, 1, element_at, &ignored) < text->n ||
				!reader_repair(r, text, 0, r->src->offset))))
		return skip_damage(j, r, "record damaged or larger than --max-record; skipped");
	*text = reader_names(r, *text);
	return true;
}

static int read_element(struct rocprof_json *j, struct reader *r, struct event *e)
{
	const int next = document_peek(r);
	struct str text;

	if (next < 0)
		return report_cut(j, r, "file is cut short: an array is not closed");
	if (next == ']' || next == ',') {
		source_skip(r->src, 1);
		j->inside = next != ']';
		if (next == ',' && !j->comma)
			reader_repaired_as(r, "extra comma between events; removed", 0, r->src->offset - 1);
		j->comma = false;
		return 0;
	}
	if (j->comma && next == '{')
		reader_repaired_as(r, "missing comma between events; added", 0, r->src->offset);
	if (!load_element(j, r, &text))
		return 0;
	j->comma = true;
	if (text.p[0] == '{')
		j->waiting = read_event(j, r, text);
	return j->waiting ? 0 : add_element(j, r, j->number++, text, e);
}

/* --- the text around the arrays --- */

#define NOT_CLOSED "file is cut short: the top-level object is not closed"
#define DAMAGED "text between the records is damaged; skipped to the next record"

/*
 * Reads the key at the window, which is one of the known names or a part of another name, and its colon. On damage, the
 * text of the key stays in the window, because an element may begin in it when a quote is missing.
 */
static bool read_key(struct rocprof_json *j, struct reader *r)
{
	enum { WHOLE = 64, SPACE = 16 };
	bool cut;
	size_t n = document_value(r, &cut);

	while (!cut && n && r->src->n < n + SPACE && source_more(r->src) > 0)
		;
	if (cut || n == r->src->n)
		return report_cut(j, r, NOT_CLOSED);
	if (!n || !str_starts(str_trim(str_from((struct str){r->src->p, r->src->n}, n)), STR(":")))
		return skip_damage(j, r, DAMAGED);
	j->key.n = 0;
	buf_add(&j->key, r->src->p + 1, n - 2 < WHOLE ? n - 2 : WHOLE);
	source_skip(r->src, n);
	return document_take(r, ':');
}

/* Reads a key, its colon, and the bracket of its value or the whole value. */
static int read_member(struct rocprof_json *j, struct reader *r, struct event *e)
{
	bool metadata;
	struct str text;
	int next;

	if (!read_key(j, r))
		return 0;
	next = document_peek(r);
	if (next < 0)
		return report_cut(j, r, NOT_CLOSED);
	if (next == '[') {
		j->section = section_of(buf_str(&j->key));
		if (j->section == PROCESSES)
			return 0;
		source_skip(r->src, 1);
		j->inside = true;
		j->comma = false;
		j->number = 0;
		return 0;
	}
	metadata = next == '{' && str_eq(buf_str(&j->key), STR("metadata"));
	if (next == '{' && !metadata)
		return 0;
	if (metadata)
		free_process(j); /* another process begins */
	return load_element(j, r, &text) && metadata ? read_metadata(j, r, text, e) : 0;
}

static int read_structure(struct rocprof_json *j, struct reader *r, struct event *e)
{
	const int next = document_peek(r);

	switch (next) {
	case '"':
		return read_member(j, r, e);
	case '{':
	case '[':
		source_skip(r->src, 1);
		j->started = true;
		j->depth++;
		return 0;
	case '}':
	case ']':
		/* Outside the arrays of elements, only the array of processes, at depth 2, ends with a bracket. */
		if (!j->damaged && (!j->depth || (j->depth == 2) != (next == ']')))
			reader_repaired_as(r, "closing bracket without an opening bracket; ignored", 0, r->src->offset);
		source_skip(r->src, 1);
		j->depth -= j->depth > 0;
		return 0;
	case ',':
		source_skip(r->src, 1);
		return 0;
	case -1:
		j->ended = true;
		return j->depth || !j->started ? report_cut(j, r, NOT_CLOSED) : 0;
	default:
		return skip_damage(j, r, DAMAGED);
	}
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct rocprof_json *j = state;
	int made = 0;

	while (!made) {
		if (j->waiting) {
			made = next_record(j, r, e);
		} else if (j->used) {
			source_skip(r->src, j->used);
			j->used = 0;
		} else if (j->ended) {
			return 0;
		} else {
			made = j->inside ? read_element(j, r, e) : read_structure(j, r, e);
		}
	}
	return 1;
}

static void close_json(void *state, struct reader *r)
{
	struct rocprof_json *j = state;

	(void)r;
	free_process(j);
	json_tree_free(&j->tree);
	rocprof_row_free(&j->row);
	map_free(&j->totals);
	free(j->total);
	bufs_free(&j->key, &j->id);
}

static bool begins_with_name(struct str head)
{
	head = str_trim(head);
	return str_starts(head, STR("{")) && str_starts(str_trim(str_from(head, 1)), STR("\"rocprofiler-sdk-tool\""));
}

const struct format rocprof_json = {
    .probe = begins_with_name, .state_size = sizeof(struct rocprof_json), .next = next, .close = close_json};

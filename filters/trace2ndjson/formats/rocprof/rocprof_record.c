/* rocprof_record: makes the records of the rows that the readers of the outputs of rocprofv3 fill. */
#include "rocprof_record.h"

#include "base/char_class.h"
#include "json/write.h"
#include "trace2ndjson/formats/copy_direction.h"

#include <math.h>

/* --- the agents, which are the CPUs and GPUs of a system --- */

#define AGENT_ROW(field, type, csv, json, database) [ROCPROF_AGENT_##field] = {{csv, json, database}, ROCPROF_##type},
const struct columns_row rocprof_agent_columns[ROCPROF_AGENT_N] = {ROCPROF_AGENT_FIELDS(AGENT_ROW)};

static int64_t number_or(struct str json, int64_t absent)
{
	int64_t v;

	return num_int(json, &v) == NUM_OK ? v : absent;
}

/* Stores the agent; it replaces the agent with the same node. Returns the stored agent. */
static struct rocprof_agent add_agent(struct rocprof_agents *a, const struct str v[ROCPROF_AGENT_N])
{
	struct rocprof_agent agent;
	int64_t *number = agent.number, others = 0;
	size_t i, same = a->n;

	number[ROCPROF_AGENT_HANDLE] = number_or(v[ROCPROF_AGENT_HANDLE], -1);
	number[ROCPROF_AGENT_NODE] = number_or(v[ROCPROF_AGENT_NODE], number[ROCPROF_AGENT_HANDLE]);
	number[ROCPROF_AGENT_LOGICAL] = number_or(v[ROCPROF_AGENT_LOGICAL], number[ROCPROF_AGENT_NODE]);
	agent.gpu = str_eq(v[ROCPROF_AGENT_TYPE], STR("\"GPU\""));
	for (i = 0; i < a->n; i++) {
		if (a->agent[i].number[ROCPROF_AGENT_NODE] == number[ROCPROF_AGENT_NODE])
			same = i;
		else
			others += a->agent[i].gpu == agent.gpu;
	}
	number[ROCPROF_AGENT_INDEX] = number_or(v[ROCPROF_AGENT_INDEX], others);
	if (same < ROCPROF_AGENTS_MAX)
		a->agent[same] = agent;
	a->n += same == a->n && same < ROCPROF_AGENTS_MAX;
	return agent;
}

/* Finds the first agent with this number; if the number is the index, among the agents of the type. */
static struct rocprof_agent_ref find_agent(
    const struct rocprof_agents *a, enum rocprof_agent_field field, int64_t number, bool gpu)
{
	const struct rocprof_agent *agent;

	for (agent = a->agent; a->n && agent < a->agent + a->n; agent++) {
		if (agent->number[field] == number && (field != ROCPROF_AGENT_INDEX || agent->gpu == gpu))
			return (struct rocprof_agent_ref){true, true, agent->gpu, agent->number[ROCPROF_AGENT_NODE],
			    agent->number[ROCPROF_AGENT_INDEX]};
	}
	return (struct rocprof_agent_ref){.known = false};
}

struct rocprof_agent_ref rocprof_agents_by_handle(const struct rocprof_agents *a, int64_t handle)
{
	return find_agent(a, ROCPROF_AGENT_HANDLE, handle, false);
}

struct rocprof_agent_ref rocprof_agents_by_label(const struct rocprof_agents *a, struct str label)
{
	const bool gpu = str_starts(label, STR("GPU")), typed = gpu || str_starts(label, STR("CPU"));
	struct rocprof_agent_ref agent;
	int64_t number;

	if (num_int(str_last(label, is_digit), &number) != NUM_OK)
		return (struct rocprof_agent_ref){.known = false};
	/* "Agent N" counts the agents that the process can use; with --agent-index=absolute, N is the node. */
	agent = find_agent(a, typed ? ROCPROF_AGENT_INDEX : ROCPROF_AGENT_LOGICAL, number, gpu);
	if (!agent.known && !typed)
		agent = find_agent(a, ROCPROF_AGENT_NODE, number, gpu);
	if (agent.known)
		return agent;
	return (struct rocprof_agent_ref){.known = typed, !typed, gpu || !typed, number, number};
}

/* --- the columns of the values of an event --- */

#define ROW(field, type, csv, json, database) [ROCPROF_##field] = {{csv, json, database}, ROCPROF_##type},
const struct columns_row rocprof_columns[ROCPROF_N] = {ROCPROF_FIELDS(ROW)};

enum rocprof_field rocprof_find_field(enum rocprof_output output, struct str column)
{
	static struct columns columns = {.list = rocprof_columns, .n = ROCPROF_N};

	return (enum rocprof_field)columns_find(&columns, output, column);
}

void rocprof_row_count(struct rocprof_row *row)
{
	const struct buf kernel = row->made[ROCPROF_NAME];

	row->made[ROCPROF_NAME] = row->made[ROCPROF_KERNEL];
	row->made[ROCPROF_KERNEL] = kernel;
	row->table = ROCPROF_COUNTERS;
	row->v[ROCPROF_CAT] = STR("\"COUNTER_COLLECTION\"");
	row->v[ROCPROF_KERNEL] = row->v[ROCPROF_NAME];
	rocprof_row_forget(row, ROCPROF_KERNEL_ID, ROCPROF_GROUP);
	rocprof_row_forget(row, ROCPROF_EXTERNAL, ROCPROF_GRID_Z);
}

void rocprof_row_set_message(struct rocprof_row *row, struct str message)
{
	if (!json_is_string(message))
		return;
	row->v[ROCPROF_FUNCTION] = row->v[ROCPROF_NAME];
	row->v[ROCPROF_NAME] = message;
}

void rocprof_row_free(struct rocprof_row *row)
{
	size_t i;

	for (i = 0; i < ROCPROF_N; i++)
		buf_free(&row->made[i]);
	buf_free(&row->extra);
}

struct str rocprof_real(struct buf *to, double v)
{
	char *p;

	if (!isfinite(v))
		return (struct str){NULL, 0};
	to->n = 0;
	p = buf_room(to, NUM_ROOM);
	return (struct str){p, (size_t)(num_put_double(p, v) - p)};
}

void rocprof_row_clear(struct rocprof_row *row)
{
	memset(row->v, 0, sizeof row->v);
	row->agent = row->source = row->to = (struct rocprof_agent_ref){.known = false};
	row->extra.n = 0;
}

/* --- members that depend on the kind --- */

/* Returns the library of a call, from the beginning of its category; p may be NULL. */
static struct str call_lib(struct str cat)
{
	static const struct {
		struct str begin, lib;
	} libs[] = {
	    {ROCPROF_TEXT("\"HIP"), ROCPROF_TEXT("\"HIP\"")},
	    {ROCPROF_TEXT("\"HSA"), ROCPROF_TEXT("\"HSA\"")},
	    {ROCPROF_TEXT("\"RCCL"), ROCPROF_TEXT("\"RCCL\"")},
	    {ROCPROF_TEXT("\"ROCDECODE"), ROCPROF_TEXT("\"rocDecode\"")},
	    {ROCPROF_TEXT("\"ROCJPEG"), ROCPROF_TEXT("\"rocJPEG\"")},
	    {ROCPROF_TEXT("\"MARKER"), ROCPROF_TEXT("\"ROCTX\"")},
	    {ROCPROF_TEXT("\"OMPT"), ROCPROF_TEXT("\"OMPT\"")},
	};
	size_t i;

	for (i = 0; i < sizeof libs / sizeof *libs; i++) {
		if (str_starts(cat, libs[i].begin))
			return libs[i].lib;
	}
	return (struct str){NULL, 0};
}

/* --- args --- */

/* Writes the three sizes that begin at `first` as an array, if all are present. */
static void put_sizes(struct buf *b, const char *key, const struct str *first)
{
	size_t i;

	if (!first[0].p || !first[1].p || !first[2].p)
		return;
	json_write_begin(b, key, '[');
	for (i = 0; i < 3; i++)
		json_write_json(b, NULL, first[i]);
	json_write_end(b, ']');
}

static bool is_zero(struct str json)
{
	return str_eq(json, STR("0"));
}

/* Appends a member unless its value is absent, null or an empty string. */
static void put_filled(struct buf *b, const char *key, struct str json)
{
	if (json.n && !str_eq(json, STR("null")) && !str_eq(json, STR("\"\"")))
		json_write_json(b, key, json);
}

/* The fields that are members of args, in the order in which these are written. */
static const struct {
	enum rocprof_field field;
	const char *name;
} args[] = {
    {ROCPROF_FUNCTION, "function"},
    {ROCPROF_VALUE, "value"},
    {ROCPROF_KERNEL, "kernel"},
    {ROCPROF_QUEUE, "queue_id"},
    {ROCPROF_DISPATCH, "dispatch_id"},
    {ROCPROF_KERNEL_ID, "kernel_id"},
    {ROCPROF_PRIVATE, "private_segment_size"},
    {ROCPROF_GROUP, "group_segment_size"},
    {ROCPROF_ADDRESS, "address"},
    {ROCPROF_CALL_ARGS, "args"},
    {ROCPROF_EXTERNAL, "external"},
    {ROCPROF_ANCESTOR, "ancestor"},
};

static void put_args(struct buf *b, const struct rocprof_row *row, enum event_kind kind)
{
	struct str value;
	size_t i;

	if (row->agent.has_node)
		json_write_int(b, "agent", row->agent.node);
	if (row->source.has_node)
		json_write_int(b, "src_agent", row->source.node);
	if (row->to.has_node)
		json_write_int(b, "dst_agent", row->to.node);
	for (i = 0; i < sizeof args / sizeof *args; i++) {
		value = row->v[args[i].field];
		if (args[i].field < ROCPROF_EXTERNAL || args[i].field > ROCPROF_ANCESTOR || !is_zero(value))
			put_filled(b, args[i].name, value);
	}
	put_sizes(b, "workgroup_size", &row->v[ROCPROF_WORKGROUP_X]);
	put_sizes(b, "grid_size", &row->v[ROCPROF_GRID_X]);
	if (kind == KIND_API)
		put_filled(b, "lib", call_lib(row->v[ROCPROF_CAT]));
	if (row->extra.n) /* its first comma is left out after the opening brace */
		buf_add(b, row->extra.p + (b->n == 1), row->extra.n - (b->n == 1));
}

/* --- the record --- */

static void set_present(struct event *e, enum event_member member, struct str json)
{
	if (json.n && !str_eq(json, STR("null")))
		event_set(e, member, json);
}

/* Sets ts and dur; returns false when a time is not within 64 bits. */
static bool set_record_times(const struct rocprof_row *row, struct event *e, bool *lasts)
{
	const struct str start = row->v[ROCPROF_START], end = row->v[ROCPROF_END];
	int64_t first, last, dur;

	*lasts = false;
	if (!start.n)
		return true;
	if (num_int(start, &first) != NUM_OK)
		return false;
	event_set_ts(e, first);
	if (!end.n)
		return true;
	if (num_int(end, &last) != NUM_OK || __builtin_sub_overflow(last, first, &dur))
		return false;
	if (first && last) /* 0: the event has not ended */
		event_set_dur(e, dur);
	*lasts = last != first;
	return true;
}

/* Sets the direction of a copy. Returns the agent whose device is that of the record. */
static const struct rocprof_agent_ref *set_copy(struct event *e, const struct rocprof_row *row)
{
	const struct rocprof_agent_ref *from = &row->source, *to = &row->to;
	struct str copy = copy_direction(row->v[ROCPROF_NAME]);

	if (from->has_dev && to->has_dev && from->dev != to->dev && str_eq(copy, STR("\"d2d\"")))
		copy = STR("\"p2p\"");
	set_present(e, EVENT_COPY, copy);
	return str_eq(copy, STR("\"d2h\"")) ? from : to;
}

static void set_members(
    struct reader *r, struct event *e, const struct rocprof_row *row, enum event_kind kind, uint64_t byte)
{
	const struct rocprof_agent_ref *agent = &row->agent;
	const struct str *v = row->v;
	int64_t error;

	set_present(e, EVENT_NAME, v[ROCPROF_NAME]);
	set_present(e, EVENT_CAT, v[ROCPROF_CAT]);
	set_present(e, EVENT_PID, v[ROCPROF_PID]);
	set_present(e, EVENT_TID, v[ROCPROF_TID]);
	set_present(e, EVENT_STREAM,
	    v[ROCPROF_STREAM].p || (kind != KIND_KERNEL && kind != KIND_COUNTER) ? v[ROCPROF_STREAM]
										 : v[ROCPROF_QUEUE]);
	if (!is_zero(v[ROCPROF_CORR]))
		set_present(e, EVENT_CORR, v[ROCPROF_CORR]);
	set_present(e, EVENT_BYTES, v[ROCPROF_BYTES]);
	if (kind == KIND_MEMCPY)
		agent = set_copy(e, row);
	if (kind == KIND_API && num_int(v[ROCPROF_RETVAL], &error) == NUM_OK && error)
		event_set(e, EVENT_ERR, v[ROCPROF_RETVAL]);
	if (!agent->has_dev)
		return;
	if (!agent->known)
		reader_note(r, "agent without a description; its number used as dev (name agent_info.csv as well)",
		    r->line, byte);
	draft_int(r->draft, e, EVENT_DEV, agent->dev);
}

int rocprof_record_make(struct reader *r, const struct rocprof_row *row, uint64_t byte, struct event *e)
{
	static const enum event_kind kinds[] = {
	    [ROCPROF_KERNELS] = KIND_KERNEL,
	    [ROCPROF_COPIES] = KIND_MEMCPY,
	    [ROCPROF_MEMORY] = KIND_OTHER,
	    [ROCPROF_COUNTERS] = KIND_COUNTER,
	    [ROCPROF_SAMPLES] = KIND_SAMPLE,
	    [ROCPROF_CALLS] = KIND_API,
	    [ROCPROF_STATS] = KIND_ROW,
	    [ROCPROF_AGENTS] = KIND_META,
	};
	enum event_kind kind = kinds[row->table];
	bool lasts;

	draft_begin(r, e, KIND_OTHER);
	if (!set_record_times(row, e, &lasts)) {
		reader_lost(r, "time is not a 64-bit integer (ns); record skipped", r->line, byte);
		return 0;
	}
	if (kind == KIND_API && str_starts(row->v[ROCPROF_CAT], STR("\"MARKER_CORE")))
		kind = lasts ? KIND_RANGE : KIND_MARK;
	if (!reader_wants(r, kind))
		return 0;
	event_set_kind(e, kind);
	if (kind == KIND_MARK)
		e->has &= ~(1u << EVENT_DUR);
	set_members(r, e, row, kind, byte);
	if (r->args)
		put_args(&r->draft->args, row, kind);
	return draft_end(r, e);
}

int rocprof_record_make_agent(
    const struct reader *r, struct rocprof_agents *a, const struct str v[ROCPROF_AGENT_N], struct event *e)
{
	const struct rocprof_agent agent = add_agent(a, v);

	draft_begin(r, e, KIND_META);
	set_present(e, EVENT_NAME, v[ROCPROF_AGENT_PRODUCT]);
	event_set(e, EVENT_CAT, STR("\"agent\""));
	if (agent.gpu)
		draft_int(r->draft, e, EVENT_DEV, agent.number[ROCPROF_AGENT_INDEX]);
	json_write_int(&r->draft->args, "agent", agent.number[ROCPROF_AGENT_NODE]);
	put_filled(&r->draft->args, "type", v[ROCPROF_AGENT_TYPE]);
	put_filled(&r->draft->args, "name", v[ROCPROF_AGENT_NAME]);
	put_filled(&r->draft->args, "vendor_name", v[ROCPROF_AGENT_VENDOR]);
	put_filled(&r->draft->args, "cu_count", v[ROCPROF_AGENT_UNITS]);
	return draft_end(r, e);
}

int rocprof_record_make_process(const struct reader *r, const struct str v[ROCPROF_PROCESS_N], struct event *e)
{
	draft_begin(r, e, KIND_META);
	set_present(e, EVENT_NAME, v[ROCPROF_PROCESS_HOST]);
	event_set(e, EVENT_CAT, STR("\"metadata\""));
	set_present(e, EVENT_PID, v[ROCPROF_PROCESS_PID]);
	put_filled(&r->draft->args, "command", v[ROCPROF_PROCESS_COMMAND]);
	put_filled(&r->draft->args, "init_time", v[ROCPROF_PROCESS_INIT]);
	put_filled(&r->draft->args, "fini_time", v[ROCPROF_PROCESS_FINI]);
	return draft_end(r, e);
}

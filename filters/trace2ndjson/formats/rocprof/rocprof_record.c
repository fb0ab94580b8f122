#include "rocprof_row.h"

#include "json/string.h"
#include "json/write.h"

/* --- members that depend on the kind --- */

/* Returns the library of a call, from the beginning of its category (without the opening quote); p may be NULL. */
static struct str lib_of(struct str cat)
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

static bool is_marker(const struct rocprof_row *row)
{
	return str_starts(row->v[ROCPROF_CAT], STR("\"MARKER_CORE"));
}

static struct str copy_of(const struct rocprof_row *row)
{
	static const struct {
		struct str end, copy;
	} directions[] = {
	    {ROCPROF_TEXT("HOST_TO_DEVICE\""), ROCPROF_TEXT("\"h2d\"")},
	    {ROCPROF_TEXT("DEVICE_TO_HOST\""), ROCPROF_TEXT("\"d2h\"")},
	    {ROCPROF_TEXT("HOST_TO_HOST\""), ROCPROF_TEXT("\"h2h\"")},
	};
	const struct str name = row->v[ROCPROF_NAME];
	size_t i;

	for (i = 0; i < sizeof directions / sizeof *directions; i++) {
		if (str_ends(name, directions[i].end))
			return directions[i].copy;
	}
	if (!str_ends(name, STR("DEVICE_TO_DEVICE\"")))
		return (struct str){NULL, 0};
	if (row->source.has_dev && row->to.has_dev && row->source.dev != row->to.dev)
		return STR("\"p2p\"");
	return STR("\"d2d\"");
}

static enum event_kind kind_of(const struct rocprof_row *row, bool lasts)
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

	if (row->table == ROCPROF_CALLS && is_marker(row))
		return lasts ? KIND_RANGE : KIND_MARK;
	return kinds[row->table];
}

/* --- args --- */

static void put_agents(struct buf *b, const struct rocprof_row *row)
{
	if (row->agent.has_node)
		json_write_int(b, "agent", row->agent.node);
	if (row->source.has_node)
		json_write_int(b, "src_agent", row->source.node);
	if (row->to.has_node)
		json_write_int(b, "dst_agent", row->to.node);
}

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

void rocprof_put(struct buf *b, const char *key, struct str json)
{
	if (json.n && !str_eq(json, STR("null")) && !str_eq(json, STR("\"\"")))
		json_write_json(b, key, json);
}

static void put_args(struct rocprof_maker *m, const struct rocprof_row *row, enum event_kind kind)
{
	enum rocprof_field i;

	m->args.n = 0;
	json_write_begin(&m->args, NULL, '{');
	put_agents(&m->args, row);
	for (i = 0; i < ROCPROF_N; i++) {
		if (rocprof_row_arg(i) && !((i == ROCPROF_EXTERNAL || i == ROCPROF_ANCESTOR) && is_zero(row->v[i])))
			rocprof_put(&m->args, rocprof_row_arg(i), row->v[i]);
	}
	put_sizes(&m->args, "workgroup_size", &row->v[ROCPROF_WORKGROUP_X]);
	put_sizes(&m->args, "grid_size", &row->v[ROCPROF_GRID_X]);
	if (kind == KIND_API)
		rocprof_put(&m->args, "lib", lib_of(row->v[ROCPROF_CAT]));
	if (row->extra.n) /* its first comma is left out after the opening brace */
		buf_add(&m->args, row->extra.p + (m->args.n == 1), row->extra.n - (m->args.n == 1));
	json_write_end(&m->args, '}');
}

/* --- the record --- */

static void set_present(struct event *e, enum event_member member, struct str json)
{
	if (json.n && !str_eq(json, STR("null")))
		event_set(e, member, json);
}

/* Sets ts and dur; returns false when a time is not within 64 bits. */
static bool set_times(const struct rocprof_row *row, struct event *e, bool *lasts)
{
	const struct str start = row->v[ROCPROF_START], end = row->v[ROCPROF_END];
	int64_t first, last, dur;

	*lasts = false;
	if (!start.n)
		return true;
	if (!rocprof_whole(start, &first))
		return false;
	event_set_ts(e, first);
	if (!end.n)
		return true;
	if (!rocprof_whole(end, &last) || __builtin_sub_overflow(last, first, &dur))
		return false;
	if (first && last) /* 0: the event has not ended */
		event_set_dur(e, dur);
	*lasts = last != first;
	return true;
}

static void set_device(
    struct rocprof_maker *m, struct reader *r, const struct rocprof_row *row, struct rocprof_at at, struct event *e)
{
	const struct rocprof_place *place = &row->agent;
	char *end;

	if (row->table == ROCPROF_COPIES)
		place = event_has(e, EVENT_COPY) && str_eq(e->m[EVENT_COPY], STR("\"d2h\"")) ? &row->source : &row->to;
	if (!place->has_dev)
		return;
	if (!place->known)
		reader_note(r, "agent without a description; its number used as dev (name agent_info.csv as well)",
		    at.line, at.byte);
	end = num_put_i64(m->dev, place->dev);
	event_set(e, EVENT_DEV, (struct str){m->dev, (size_t)(end - m->dev)});
}

/* Returns the error of a call: its return value when this is a whole number other than 0. */
static struct str error_of(const struct rocprof_row *row)
{
	int64_t v;

	if (rocprof_whole(row->v[ROCPROF_RETVAL], &v) && v)
		return row->v[ROCPROF_RETVAL];
	return (struct str){NULL, 0};
}

static void set_members(struct event *e, const struct rocprof_row *row, enum event_kind kind)
{
	const struct str *v = row->v;

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
		set_present(e, EVENT_COPY, copy_of(row));
	if (kind == KIND_API)
		set_present(e, EVENT_ERR, error_of(row));
}

int rocprof_make(
    struct rocprof_maker *m, struct reader *r, const struct rocprof_row *row, struct rocprof_at at, struct event *e)
{
	enum event_kind kind;
	bool lasts;

	event_clear(e);
	if (!set_times(row, e, &lasts)) {
		reader_lost(r, "time is not a 64-bit integer (ns); record skipped", at.line, at.byte);
		return 0;
	}
	kind = kind_of(row, lasts);
	if (!reader_wants(r, kind))
		return 0;
	event_set_kind(e, kind);
	if (kind == KIND_MARK)
		e->has &= ~(1u << EVENT_DUR);
	set_members(e, row, kind);
	set_device(m, r, row, at, e);
	if (r->args) {
		put_args(m, row, kind);
		if (m->args.n > 2)
			event_set(e, EVENT_ARGS, json_write_str(&m->args));
	}
	return 1;
}

int rocprof_make_agent(struct rocprof_maker *m, const struct reader *r, const struct rocprof_agent *agent,
    const struct rocprof_agent_text *text, struct event *e)
{
	if (!reader_wants(r, KIND_META))
		return 0;
	event_clear(e);
	event_set_kind(e, KIND_META);
	set_present(e, EVENT_NAME, text->product);
	event_set(e, EVENT_CAT, STR("\"agent\""));
	if (agent->gpu)
		event_set(e, EVENT_DEV, (struct str){m->dev, (size_t)(num_put_i64(m->dev, agent->index) - m->dev)});
	m->args.n = 0;
	json_write_begin(&m->args, NULL, '{');
	json_write_int(&m->args, "agent", agent->node);
	rocprof_put(&m->args, "type", text->type);
	rocprof_put(&m->args, "name", text->name);
	rocprof_put(&m->args, "vendor_name", text->vendor);
	rocprof_put(&m->args, "cu_count", text->cu_count);
	json_write_end(&m->args, '}');
	if (r->args)
		event_set(e, EVENT_ARGS, json_write_str(&m->args));
	return 1;
}

void rocprof_maker_free(struct rocprof_maker *m)
{
	buf_free(&m->args);
}

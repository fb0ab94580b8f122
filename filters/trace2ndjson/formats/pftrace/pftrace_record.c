#include "pftrace_record.h"

#include "base/char_class.h"
#include "base/num_parse.h"
#include "json/iter.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/write.h"
#include "trace2ndjson/formats/copy_direction.h"

#include <stdlib.h>

/* --- categories --- */

struct category {
	const char *name;
	enum event_kind kind;
	const char *lib;
};

/* rocprofiler-systems puts "rocm_" before the names of rocprofv3. */
static const struct category categories[] = {
    {"cpu_op", KIND_OP, NULL},
    {"cuda_runtime", KIND_API, NULL},
    {"cuda_driver", KIND_API, NULL},
    {"python_function", KIND_PYTHON, NULL},
    {"user_annotation", KIND_RANGE, NULL},
    {"cuda_sync", KIND_SYNC, NULL},
    {"kernel", KIND_KERNEL, NULL},
    {"gpu_memcpy", KIND_MEMCPY, NULL},
    {"gpu_memset", KIND_MEMSET, NULL},
    {"gpu_user_annotation", KIND_GPU_RANGE, NULL},
    {"kernel_dispatch", KIND_KERNEL, NULL},
    {"memory_copy", KIND_MEMCPY, NULL},
    {"scratch_memory", KIND_OTHER, NULL},
    {"memory_allocation", KIND_OTHER, NULL},
    {"marker_api", KIND_RANGE, NULL},
    {"hip_api", KIND_API, "HIP"},
    {"hsa_api", KIND_API, "HSA"},
    {"rccl_api", KIND_API, "RCCL"},
    {"rocdecode_api", KIND_API, "rocDecode"},
    {"rocjpeg_api", KIND_API, "rocJPEG"},
    {"mpi", KIND_API, "MPI"},
};

/* Returns the row of the first category in the JSON text `cat`; NULL when it is not in the table. */
static const struct category *category_of(struct str cat)
{
	struct str rest = cat.n ? json_inner(cat) : STR(""), first;
	size_t i;

	str_split(&rest, ',', &first);
	if (str_starts(first, STR("rocm_")))
		first = str_from(first, 5);
	for (i = 0; i < sizeof categories / sizeof *categories; i++) {
		if (str_eq(first, str_of(categories[i].name)))
			return &categories[i];
	}
	return NULL;
}

/* --- args --- */

/* The members of args that set other members of a record, and their names, in the same order. */
enum { ARG_CORRELATION, ARG_CORR_ID, ARG_DEVICE, ARG_STREAM, ARG_STREAM_ID, ARG_ROCM_STREAM, ARG_QUEUE, ARG_BYTES };
enum { ARG_COPY_BYTES = ARG_BYTES + 1, ARG_AGENT, ARG_SRC_AGENT, ARG_DST_AGENT, ARG_TID, ARG_PROCESS_ID, ARG_CBID };
enum { ARG_SYNC_KIND = ARG_CBID + 1, ARG_PYTHON_ID, ARG_EV_IDX, ARG_EXTERNAL_ID, ARG_GRID, ARG_N };
static const struct str arg_names[ARG_N] = {{"correlation", 11}, {"corr_id", 7}, {"device", 6}, {"stream", 6},
    {"stream id", 9}, {"stream_ID", 9}, {"queue", 5}, {"bytes", 5}, {"copy_bytes", 10}, {"agent", 5}, {"src_agent", 9},
    {"dst_agent", 9}, {"tid", 3}, {"process_id", 10}, {"cbid", 4}, {"cuda_sync_kind", 14}, {"Python id", 9},
    {"Ev Idx", 6}, {"External id", 11}, {"grid", 4}};

/* Finds the values of these members in args; p is NULL for absent ones. */
static void find_args(struct str args, struct str v[ARG_N])
{
	struct str key, value;
	struct iter w;
	size_t i;

	memset(v, 0, ARG_N * sizeof *v);
	iter_init(&w, args);
	while (iter_next(&w, &key, &value) > 0) {
		for (i = 0; i < ARG_N; i++) {
			if (key.n == arg_names[i].n && key.p[0] == arg_names[i].p[0] && str_eq(key, arg_names[i]))
				v[i] = value;
		}
	}
}

/* Sets an integer member from args, unless it is absent or not an integer. */
static void set_whole(struct event *e, enum event_member m, struct str json)
{
	int64_t number;

	if (num_int(json, &number) == NUM_OK)
		event_set(e, m, json);
}

static void set_corr(struct event *e, struct str json)
{
	int64_t number;

	if (num_int(json, &number) == NUM_OK && number != 0 && number != -1)
		event_set(e, EVENT_CORR, json);
}

/* --- kinds --- */

/* Returns the kind of a slice whose category is not in the table: PyTorch's traces may have no categories. */
static enum event_kind kind_of_args(
    const struct pftrace_records *p, const struct event *e, uint32_t track, const struct str v[ARG_N])
{
	if (v[ARG_CBID].p)
		return KIND_API;
	if (v[ARG_SYNC_KIND].p)
		return KIND_SYNC;
	if (event_has(e, EVENT_CAT))
		return KIND_RANGE;
	if (v[ARG_CORRELATION].p || pftrace_tracks_on_gpu(&p->in->tracks, track)) {
		if (str_starts(e->m[EVENT_NAME], STR("\"Memcpy")))
			return KIND_MEMCPY;
		if (str_starts(e->m[EVENT_NAME], STR("\"Memset")))
			return KIND_MEMSET;
		return v[ARG_GRID].p || (v[ARG_CORRELATION].p && v[ARG_DEVICE].p) ? KIND_KERNEL : KIND_GPU_RANGE;
	}
	if (v[ARG_PYTHON_ID].p)
		return KIND_PYTHON;
	return v[ARG_EV_IDX].p || v[ARG_EXTERNAL_ID].p ? KIND_OP : KIND_RANGE;
}

/* --- members of device records --- */

/* Sets dev, stream and tid from the args of rocprofv3; dev is N of the agent "Agent-N". */
static void set_rocprof_place(struct pftrace_records *p, struct event *e, struct str agent, const struct str v[ARG_N])
{
	const struct str digits = str_last(json_is_string(agent) ? json_inner(agent) : agent, is_digit);
	int64_t dev;

	e->has &= ~(1u << EVENT_PID | 1u << EVENT_TID);
	if (num_int(digits, &dev) == NUM_OK)
		draft_int(p->in->reader->draft, e, EVENT_DEV, dev);
	set_whole(e, EVENT_STREAM, v[ARG_ROCM_STREAM].p ? v[ARG_ROCM_STREAM] : v[ARG_QUEUE]);
	set_whole(e, EVENT_TID, v[ARG_TID]);
}

/* Sets direction and size of a copy. A copy within devices is one between peers if their agents differ. */
static void set_copy(struct event *e, const struct str v[ARG_N])
{
	const struct str from = v[ARG_SRC_AGENT], to = v[ARG_DST_AGENT];
	const bool same = from.p && to.p ? str_eq(from, to) : !from.p && !to.p;
	struct str copy = copy_direction(e->m[EVENT_NAME]);

	if (str_eq(copy, STR("\"d2d\"")) && !same)
		copy = STR("\"p2p\"");
	event_set(e, EVENT_COPY, copy);
	set_whole(e, EVENT_BYTES, v[ARG_COPY_BYTES].p ? v[ARG_COPY_BYTES] : v[ARG_BYTES]);
}

static void set_device(struct pftrace_records *p, struct event *e, enum event_kind kind, const struct str v[ARG_N])
{
	struct str agent = v[ARG_AGENT];
	int64_t stream;

	if (v[ARG_DEVICE].p || v[ARG_STREAM].p) { /* PyTorch */
		e->has &= ~(1u << EVENT_PID | 1u << EVENT_TID);
		set_whole(e, EVENT_DEV, v[ARG_DEVICE]);
		if (num_int(v[ARG_STREAM], &stream) == NUM_OK && stream >= 0)
			event_set(e, EVENT_STREAM, v[ARG_STREAM]);
		if (kind == KIND_MEMSET)
			set_whole(e, EVENT_BYTES, v[ARG_BYTES]);
	}
	if (kind == KIND_MEMCPY)
		agent = v[str_find(e->m[EVENT_NAME], STR("DEVICE_TO_HOST")) < e->m[EVENT_NAME].n ? ARG_SRC_AGENT
												 : ARG_DST_AGENT];
	if (agent.p)
		set_rocprof_place(p, e, agent, v);
	if (kind == KIND_MEMCPY)
		set_copy(e, v);
}

/* --- records --- */

/* Sets src to what is special about a legacy event, and returns whether it is an instant. */
static bool set_legacy(struct pftrace_records *p, struct event *e, const struct pftrace_entry *entry)
{
	buf_set(&p->src, STR("{"));
	if (entry->phase && !entry->has_dur)
		json_write_text(&p->src, "ph", (struct str){&entry->phase, 1});
	if (entry->phase && entry->has_legacy_id) {
		json_write_key(&p->src, "id");
		num_add_u64(&p->src, entry->legacy_id);
	}
	json_write_end(&p->src, '}');
	if (p->src.n > 2)
		event_set(e, EVENT_SRC, buf_str(&p->src));
	return entry->phase == 'R' || entry->phase == 'I' || entry->phase == 'i' || entry->phase == 'n';
}

/* Sets the members of a slice or an instant; `args` are its args, and *e has its other members. */
static void kind_set(struct pftrace_records *p, struct event *e, const struct pftrace_entry *entry,
    const struct category *category, struct str args)
{
	const bool marker = category && str_eq(str_of(category->name), STR("marker_api"));
	const bool instant = set_legacy(p, e, entry) || (entry->type == PFTRACE_INSTANT && !entry->phase);
	struct str v[ARG_N];
	enum event_kind kind;

	if (!event_has(e, EVENT_NAME))
		event_set(e, EVENT_NAME, STR("\"\""));
	find_args(args, v);
	kind = category ? category->kind : kind_of_args(p, e, entry->track, v);
	if (kind == KIND_RANGE && (instant || (marker && entry->has_dur && entry->dur == 0)))
		kind = KIND_MARK;
	event_set_kind(e, kind);
	if (entry->has_dur && kind != KIND_MARK)
		event_set_dur(e, entry->dur);
	set_corr(e, v[ARG_CORRELATION]);
	set_corr(e, v[ARG_CORR_ID]);
	if (event_kind_is_device(kind) || kind == KIND_GPU_RANGE)
		set_device(p, e, kind, v);
}

/* The same for GPU work and the counters of GPUs. */
static void kind_set_gpu(struct pftrace_records *p, struct event *e, const struct pftrace_entry *entry, struct str args)
{
	const enum event_kind kind = (enum event_kind)entry->kind;
	struct str v[ARG_N];

	event_set_kind(e, kind);
	draft_int(p->in->reader->draft, e, EVENT_DEV, entry->dev);
	if (kind == KIND_COUNTER)
		return;
	find_args(args, v);
	event_set_dur(e, entry->dur);
	set_whole(e, EVENT_PID, v[ARG_PROCESS_ID]);
	if (v[ARG_STREAM_ID].p)
		event_set(e, EVENT_STREAM, v[ARG_STREAM_ID]);
	else if (entry->has_lane)
		draft_int(p->in->reader->draft, e, EVENT_STREAM, entry->lane);
	set_corr(e, v[ARG_CORRELATION]);
	if (kind == KIND_MEMCPY || kind == KIND_MEMSET)
		set_whole(e, EVENT_BYTES, v[ARG_BYTES]);
}

/* --- names of processes and threads --- */

static bool name_record(struct pftrace_records *p, struct event *e)
{
	struct pftrace_track *track;
	struct str name;

	if (p->told == p->in->tracks.n_named || !reader_wants(p->in->reader, KIND_META))
		return false;
	track = &p->in->tracks.list[p->in->tracks.named[p->told++]];
	name = track->process_name.n ? track->process_name : track->thread_name;
	draft_begin(p->in->reader, e, KIND_META);
	event_set(e, EVENT_NAME, track->process_name.n ? STR("\"process_name\"") : STR("\"thread_name\""));
	draft_int(p->in->reader->draft, e, EVENT_PID, track->process_name.n ? track->process : track->thread_pid);
	if (!track->process_name.n)
		draft_int(p->in->reader->draft, e, EVENT_TID, track->thread);
	json_write_text(&p->in->reader->draft->args, "name", name);
	return draft_end(p->in->reader, e);
}

/* --- flows --- */

/* Returns whether the flow was seen before, and stores that it was seen now. */
static bool flow_was_seen(struct pftrace_records *p, uint64_t id)
{
	const uint64_t block = id / 64, bit = (uint64_t)1 << id % 64;
	const size_t i = map_put(&p->flow_ids, (struct str){(const char *)&block, sizeof block});
	bool seen;

	p->flow_bits = mem_grow_zero(p->flow_bits, &p->cap_flows, p->flow_ids.n, sizeof *p->flow_bits);
	seen = p->flow_bits[i] & bit;
	p->flow_bits[i] |= bit;
	return seen;
}

/* Makes a record of the next flow of the last slice; returns false after the last flow. */
static bool flow_record(struct pftrace_records *p, struct event *e)
{
	static const enum event_member place[] = {EVENT_PID, EVENT_TID, EVENT_DEV, EVENT_STREAM, EVENT_CLOCK};
	struct pftrace_flow flow;
	size_t i;

	if (p->rest.n - p->next_flow < sizeof flow)
		return false;
	memcpy(&flow, p->rest.p + p->next_flow, sizeof flow);
	p->next_flow += sizeof flow;
	if (flow_was_seen(p, flow.id) && flow.phase == 's')
		flow.phase = 't';
	event_clear(e);
	event_set_ts(e, p->last.ts);
	event_set_kind(e, KIND_FLOW);
	event_set(e, EVENT_NAME, STR("\"flow\""));
	for (i = 0; i < sizeof place / sizeof *place; i++) {
		if (event_has(&p->last, place[i]))
			event_set(e, place[i], p->last.m[place[i]]);
	}
	event_set(e, EVENT_ID, num_str_u64(p->in->reader->draft->numbers[EVENT_ID].text, flow.id));
	buf_set(&p->src, STR("{"));
	json_write_text(&p->src, "ph", (struct str){&flow.phase, 1});
	json_write_end(&p->src, '}');
	event_set(e, EVENT_SRC, buf_str(&p->src));
	return true;
}

/* --- slices, marks, counters and GPU work --- */

/* Adds args, which have no closing bracket, to those of the record. */
static void add_args(struct pftrace_records *p, struct str args)
{
	if (args.n > 1)
		json_write_json(&p->in->reader->draft->args, NULL, str_from(args, 1));
}

/* Adds the increase of the extra counters from the begin to the end of a slice. */
static void add_extras(struct pftrace_records *p, struct str begin, struct str end)
{
	struct pftrace_extra from, to;
	size_t i, k;
	struct str name;

	for (i = 0; i + sizeof to <= end.n; i += sizeof to) {
		memcpy(&to, end.p + i, sizeof to);
		for (k = 0; k + sizeof from <= begin.n; k += sizeof from) {
			memcpy(&from, begin.p + k, sizeof from);
			if (from.track != to.track)
				continue;
			name = p->in->tracks.list[to.track].name;
			json_write_name(&p->in->reader->draft->args, name.n ? name : STR("counter"));
			num_add_i64(&p->in->reader->draft->args, (int64_t)((uint64_t)to.value - (uint64_t)from.value));
			break;
		}
	}
}

/* Reads the end of slice `number`, and adds to the entry and args what it says. */
static bool add_end(struct pftrace_records *p, uint64_t number, struct pftrace_entry *entry, const struct str *texts)
{
	struct pftrace_entry end;
	struct str end_texts[PFTRACE_TEXTS];
	struct fault f;
	const char *bytes =
	    spool_read(&p->in->ends, &p->number_window, number * sizeof(uint64_t), sizeof(uint64_t), &f);
	uint64_t at;
	int64_t ts;

	if (!bytes) {
		pftrace_fail(p->in, &f);
		return false;
	}
	memcpy(&at, bytes, sizeof at);
	if (!at)
		return true;
	if (!pftrace_entries_read(p->in, &p->end_window, at - 1, &end, end_texts))
		return false;
	ts = end.ts;
	pftrace_clocks_convert(&p->in->clocks, end.clock, &ts);
	entry->has_dur = !__builtin_sub_overflow(ts, entry->ts, &entry->dur);
	add_args(p, end_texts[PFTRACE_ARGS]);
	add_extras(p, texts[PFTRACE_EXTRAS], end_texts[PFTRACE_EXTRAS]);
	buf_add(&p->rest, end_texts[PFTRACE_FLOWS].p, end_texts[PFTRACE_FLOWS].n);
	return true;
}

/* Makes the record of a counter. */
static void set_counter(struct pftrace_records *p, struct event *e, const struct pftrace_entry *entry)
{
	struct pftrace_track *track = &p->in->tracks.list[entry->track];
	uint64_t value = (uint64_t)entry->value * (uint64_t)track->multiplier;

	event_set_kind(e, KIND_COUNTER);
	p->src.n = 0;
	if (track->name.n)
		json_quote(&p->src, track->name);
	else if (!event_has(e, EVENT_NAME))
		json_quote(&p->src,
		    wire_numbered(p->in->numbered, "track ", pftrace_tracks_uuid(&p->in->tracks, entry->track)));
	if (p->src.n)
		event_set(e, EVENT_NAME, buf_str(&p->src));
	/* The tid of a track without a thread is its name. */
	if (event_has(e, EVENT_TID) && event_has(e, EVENT_NAME) && str_eq(e->m[EVENT_TID], e->m[EVENT_NAME]))
		e->has &= ~(1u << EVENT_TID);
	if (entry->has_real) {
		json_write_key(&p->in->reader->draft->args, "value");
		json_put_double(&p->in->reader->draft->args, entry->real * (double)track->multiplier);
		return;
	}
	if (track->adds_up)
		value += (uint64_t)track->sum;
	track->sum = (int64_t)value;
	json_write_int(&p->in->reader->draft->args, "value", (int64_t)value);
}

/* Sets the members of a record except those that depend on its kind. */
static void set_common(
    struct pftrace_records *p, struct event *e, const struct pftrace_entry *entry, const struct str *texts)
{
	const struct pftrace_track *track;

	event_set_ts(e, entry->ts);
	event_set(e, EVENT_NAME, texts[PFTRACE_NAME]);
	event_set(e, EVENT_CAT, texts[PFTRACE_CAT]);
	if (entry->track == PFTRACE_NONE)
		return;
	track = pftrace_tracks_place(&p->in->tracks, entry->track);
	event_set(e, EVENT_PID, track->pid);
	event_set(e, EVENT_TID, track->tid);
}

/* Makes the record of an entry; returns false if the entry has no record. */
static bool entry_record(
    struct pftrace_records *p, struct pftrace_entry *entry, const struct str *texts, struct event *e)
{
	const bool converted = pftrace_clocks_convert(&p->in->clocks, entry->clock, &entry->ts);
	const bool counter = entry->type == PFTRACE_COUNTER && !entry->phase;
	const struct category *category = NULL;
	struct str args;

	if (entry->type == PFTRACE_END)
		return false;
	draft_begin(p->in->reader, e, KIND_RANGE);
	p->next_flow = p->rest.n = 0;
	add_args(p, texts[PFTRACE_ARGS]);
	buf_add(&p->rest, texts[PFTRACE_FLOWS].p, texts[PFTRACE_FLOWS].n);
	if (entry->type == PFTRACE_BEGIN && !entry->phase && !add_end(p, p->next_begin++, entry, texts))
		return false;
	set_common(p, e, entry, texts);
	if (!converted) {
		p->clock.n = 0;
		pftrace_clocks_put(&p->in->clocks, entry->clock, &p->clock);
		event_set(e, EVENT_CLOCK, buf_str(&p->clock));
	}
	if (counter) {
		set_counter(p, e, entry);
	} else if (entry->type != PFTRACE_GPU) {
		category = category_of(texts[PFTRACE_CAT]);
		if (category && category->lib)
			json_write_text(&p->in->reader->draft->args, "lib", str_of(category->lib));
		json_write_json(&p->in->reader->draft->args, "track", p->in->tracks.list[entry->track].sub);
	}
	buf_char(&p->in->reader->draft->args, '}');
	scan_pad(&p->in->reader->draft->args);
	args = buf_str(&p->in->reader->draft->args);
	if (entry->type == PFTRACE_GPU)
		kind_set_gpu(p, e, entry, args);
	else if (!counter)
		kind_set(p, e, entry, category, args);
	if (p->in->reader->args && args.n > 2)
		event_set(e, EVENT_ARGS, args);
	return true;
}

bool pftrace_record_next(struct pftrace_records *p, struct event *e)
{
	struct pftrace_entry entry;
	struct str texts[PFTRACE_TEXTS];
	size_t size;

	if (name_record(p, e))
		return true;
	if (reader_wants(p->in->reader, KIND_FLOW) && flow_record(p, e))
		return true;
	while (!p->in->failed && p->next_entry < p->in->entries.size) {
		size = pftrace_entries_read(p->in, &p->entry_window, p->next_entry, &entry, texts);
		if (!size)
			return false;
		p->next_entry += size;
		if (!entry_record(p, &entry, texts, e))
			continue;
		if (p->rest.n)
			p->last = *e;
		return true;
	}
	return false;
}

void pftrace_records_free(struct pftrace_records *p)
{
	spool_window_free(&p->entry_window);
	spool_window_free(&p->end_window);
	spool_window_free(&p->number_window);
	map_free(&p->flow_ids);
	free(p->flow_bits);
	bufs_free(&p->rest, &p->clock, &p->src);
}

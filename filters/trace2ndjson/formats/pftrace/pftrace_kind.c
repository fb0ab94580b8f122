#include "pftrace_kind.h"

#include "base/char_class.h"
#include "base/num_parse.h"
#include "json/iter.h"
#include "json/string.h"
#include "json/write.h"

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
	struct str rest, first;
	size_t i;

	if (!cat.n)
		return NULL;
	rest = json_inner(cat);
	str_split(&rest, ',', &first);
	if (str_starts(first, STR("rocm_")))
		first = str_from(first, 5);
	for (i = 0; i < sizeof categories / sizeof *categories; i++) {
		if (str_eq(first, str_of(categories[i].name)))
			return &categories[i];
	}
	return NULL;
}

void pftrace_kind_add_args(struct pftrace *p, struct str cat, uint32_t track)
{
	const struct category *category = category_of(cat);
	const struct pftrace_text sub = p->tracks.list[track].sub;

	if (category && category->lib)
		json_write_text(&p->text, "lib", str_of(category->lib));
	if (sub.n)
		json_write_json(&p->text, "track", pftrace_tracks_text(&p->tracks, sub));
}

/* --- args --- */

/* The members of args that set other members of a record. */
#define ARGS(X)                                                                                                        \
	X(CORRELATION, "correlation")                                                                                  \
	X(CORR_ID, "corr_id")                                                                                          \
	X(DEVICE, "device")                                                                                            \
	X(STREAM, "stream")                                                                                            \
	X(STREAM_ID, "stream id")                                                                                      \
	X(ROCM_STREAM, "stream_ID")                                                                                    \
	X(QUEUE, "queue")                                                                                              \
	X(BYTES, "bytes")                                                                                              \
	X(COPY_BYTES, "copy_bytes")                                                                                    \
	X(AGENT, "agent")                                                                                              \
	X(SRC_AGENT, "src_agent")                                                                                      \
	X(DST_AGENT, "dst_agent")                                                                                      \
	X(TID, "tid")                                                                                                  \
	X(PROCESS_ID, "process_id")                                                                                    \
	X(CBID, "cbid")                                                                                                \
	X(SYNC_KIND, "cuda_sync_kind")                                                                                 \
	X(PYTHON_ID, "Python id")                                                                                      \
	X(EV_IDX, "Ev Idx")                                                                                            \
	X(EXTERNAL_ID, "External id")                                                                                  \
	X(GRID, "grid")

#define ARG_ENUM(id, name) ARG_##id,
enum arg { ARGS(ARG_ENUM) ARG_N };
#undef ARG_ENUM

/* Finds the values of these members in args; p is NULL for absent ones. */
static void find_args(struct str args, struct str v[ARG_N])
{
	static const struct str names[ARG_N] = {
#define ARG_ROW(id, name) {name, sizeof name - 1},
	    ARGS(ARG_ROW)};
	struct str key, value;
	struct iter w;
	size_t i;

	memset(v, 0, ARG_N * sizeof *v);
	iter_init(&w, args);
	while (iter_next(&w, &key, &value) > 0) {
		for (i = 0; i < ARG_N; i++) {
			if (key.n == names[i].n && key.p[0] == names[i].p[0] && str_eq(key, names[i]))
				v[i] = value;
		}
	}
}

static bool is_whole(struct str json, int64_t *number)
{
	return json.p && num_int(json, number) == NUM_OK;
}

/* Sets an integer member from args, unless it is absent or not an integer. */
static void set_whole(struct event *e, enum event_member m, struct str json)
{
	int64_t number;

	if (is_whole(json, &number))
		event_set(e, m, json);
}

static void set_corr(struct event *e, struct str json)
{
	int64_t number;

	if (is_whole(json, &number) && number != 0 && number != -1)
		event_set(e, EVENT_CORR, json);
}

static void set_dev(struct pftrace *p, struct event *e, int64_t dev)
{
	event_set(e, EVENT_DEV, (struct str){p->dev, (size_t)(num_put_i64(p->dev, dev) - p->dev)});
}

/* --- kinds --- */

static enum event_kind kind_of_gpu_slice(struct str name, const struct str v[ARG_N])
{
	if (str_starts(name, STR("\"Memcpy")))
		return KIND_MEMCPY;
	if (str_starts(name, STR("\"Memset")))
		return KIND_MEMSET;
	return v[ARG_GRID].p || (v[ARG_CORRELATION].p && v[ARG_DEVICE].p) ? KIND_KERNEL : KIND_GPU_RANGE;
}

/* Returns the kind of a slice whose category is not in the table: PyTorch's traces may have no categories. */
static enum event_kind kind_of_args(
    const struct pftrace *p, const struct event *e, uint32_t track, const struct str v[ARG_N])
{
	const bool bare = !event_has(e, EVENT_CAT);

	if (v[ARG_CBID].p)
		return KIND_API;
	if (v[ARG_SYNC_KIND].p)
		return KIND_SYNC;
	if (bare && (v[ARG_CORRELATION].p || pftrace_tracks_on_gpu(&p->tracks, track)))
		return kind_of_gpu_slice(event_has(e, EVENT_NAME) ? e->m[EVENT_NAME] : STR(""), v);
	if (bare && v[ARG_PYTHON_ID].p)
		return KIND_PYTHON;
	return bare && (v[ARG_EV_IDX].p || v[ARG_EXTERNAL_ID].p) ? KIND_OP : KIND_RANGE;
}

/* --- members of device records --- */

/* Sets dev and stream from the args of PyTorch. */
static void set_torch_place(struct event *e, enum event_kind kind, const struct str v[ARG_N])
{
	int64_t stream;

	e->has &= ~(1u << EVENT_PID | 1u << EVENT_TID);
	set_whole(e, EVENT_DEV, v[ARG_DEVICE]);
	if (is_whole(v[ARG_STREAM], &stream) && stream >= 0)
		event_set(e, EVENT_STREAM, v[ARG_STREAM]);
	if (kind == KIND_MEMCPY || kind == KIND_MEMSET)
		set_whole(e, EVENT_BYTES, v[ARG_BYTES]);
}

/* Sets dev, stream and tid from the args of rocprofv3; dev is N of the agent "Agent-N". */
static void set_rocprof_place(struct pftrace *p, struct event *e, struct str agent, const struct str v[ARG_N])
{
	const struct str text = json_is_string(agent) ? json_inner(agent) : agent;
	struct str digits = {text.p + text.n, 0};
	int64_t dev;

	while (digits.n < text.n && is_digit(digits.p[-1])) {
		digits.p--;
		digits.n++;
	}
	e->has &= ~(1u << EVENT_PID | 1u << EVENT_TID);
	if (digits.n && num_int(digits, &dev) == NUM_OK)
		set_dev(p, e, dev);
	set_whole(e, EVENT_STREAM, v[ARG_ROCM_STREAM].p ? v[ARG_ROCM_STREAM] : v[ARG_QUEUE]);
	set_whole(e, EVENT_TID, v[ARG_TID]);
}

/* Returns the direction of a copy as JSON, from a name like MEMORY_COPY_HOST_TO_DEVICE or "Memcpy HtoD (...)". */
static struct str copy_of(struct str name, const struct str v[ARG_N])
{
	static const struct {
		struct str sign, copy;
	} signs[] = {
	    {{"HOST_TO_DEVICE\"", 15}, {"\"h2d\"", 5}},
	    {{"DEVICE_TO_HOST\"", 15}, {"\"d2h\"", 5}},
	    {{"DEVICE_TO_DEVICE\"", 17}, {"\"d2d\"", 5}},
	    {{"HOST_TO_HOST\"", 13}, {"\"h2h\"", 5}},
	    {{"HtoD", 4}, {"\"h2d\"", 5}},
	    {{"DtoH", 4}, {"\"d2h\"", 5}},
	    {{"DtoD", 4}, {"\"d2d\"", 5}},
	    {{"HtoH", 4}, {"\"h2h\"", 5}},
	    {{"PtoP", 4}, {"\"p2p\"", 5}},
	};
	const bool same = (!v[ARG_SRC_AGENT].p && !v[ARG_DST_AGENT].p) ||
			  (v[ARG_SRC_AGENT].p && v[ARG_DST_AGENT].p && str_eq(v[ARG_SRC_AGENT], v[ARG_DST_AGENT]));
	size_t i;

	for (i = 0; i < sizeof signs / sizeof *signs; i++) {
		if (str_find(name, signs[i].sign) < name.n)
			return str_eq(signs[i].copy, STR("\"d2d\"")) && !same ? STR("\"p2p\"") : signs[i].copy;
	}
	return (struct str){NULL, 0};
}

static void set_device(struct pftrace *p, struct event *e, enum event_kind kind, const struct str v[ARG_N])
{
	const struct str name = event_has(e, EVENT_NAME) ? e->m[EVENT_NAME] : STR("");
	struct str agent = v[ARG_AGENT], copy;

	if (v[ARG_DEVICE].p || v[ARG_STREAM].p)
		set_torch_place(e, kind, v);
	if (kind == KIND_MEMCPY)
		agent = str_find(name, STR("DEVICE_TO_HOST")) < name.n ? v[ARG_SRC_AGENT] : v[ARG_DST_AGENT];
	if (agent.p)
		set_rocprof_place(p, e, agent, v);
	if (kind != KIND_MEMCPY)
		return;
	copy = copy_of(name, v);
	if (copy.p)
		event_set(e, EVENT_COPY, copy);
	set_whole(e, EVENT_BYTES, v[ARG_COPY_BYTES].p ? v[ARG_COPY_BYTES] : v[ARG_BYTES]);
}

/* --- records --- */

/* Sets src to what is special about a legacy event, and returns whether it is an instant. */
static bool set_legacy(struct pftrace *p, struct event *e, const struct pftrace_entry *entry)
{
	p->src.n = 0;
	json_write_begin(&p->src, NULL, '{');
	if (entry->phase && !entry->has_dur)
		json_write_text(&p->src, "ph", (struct str){&entry->phase, 1});
	if (entry->phase && entry->has_legacy_id) {
		json_write_key(&p->src, "id");
		wire_put_uint(&p->src, entry->legacy_id);
	}
	json_write_end(&p->src, '}');
	if (p->src.n > 2)
		event_set(e, EVENT_SRC, json_write_str(&p->src));
	return entry->phase == 'R' || entry->phase == 'I' || entry->phase == 'i' || entry->phase == 'n';
}

void pftrace_kind_set(struct pftrace *p, struct event *e, const struct pftrace_entry *entry)
{
	const struct category *category = category_of(event_has(e, EVENT_CAT) ? e->m[EVENT_CAT] : STR(""));
	const bool marker = category && str_eq(str_of(category->name), STR("marker_api"));
	const bool instant = set_legacy(p, e, entry) || (entry->type == PFTRACE_INSTANT && !entry->phase);
	struct str v[ARG_N];
	enum event_kind kind;

	find_args(json_write_str(&p->text), v);
	kind = category ? category->kind : kind_of_args(p, e, entry->track, v);
	if (kind == KIND_RANGE && (instant || (marker && entry->has_dur && entry->dur == 0)))
		kind = KIND_MARK;
	event_set_kind(e, kind);
	if (entry->has_dur && kind != KIND_MARK)
		event_set_dur(e, entry->dur);
	if (!event_has(e, EVENT_NAME))
		event_set(e, EVENT_NAME, STR("\"\""));
	set_corr(e, v[ARG_CORRELATION]);
	if (v[ARG_CORR_ID].p)
		set_corr(e, v[ARG_CORR_ID]);
	if (event_kind_is_device(kind) || kind == KIND_GPU_RANGE)
		set_device(p, e, kind, v);
}

void pftrace_kind_set_gpu(struct pftrace *p, struct event *e, const struct pftrace_entry *entry)
{
	const enum event_kind kind = (enum event_kind)entry->kind;
	struct str v[ARG_N];

	event_set_kind(e, kind);
	set_dev(p, e, entry->dev);
	if (kind == KIND_COUNTER)
		return;
	find_args(json_write_str(&p->text), v);
	event_set_dur(e, entry->dur);
	set_whole(e, EVENT_PID, v[ARG_PROCESS_ID]);
	if (v[ARG_STREAM_ID].p)
		event_set(e, EVENT_STREAM, v[ARG_STREAM_ID]);
	else if (entry->has_lane)
		event_set(e, EVENT_STREAM,
		    (struct str){p->stream, (size_t)(num_put_i64(p->stream, entry->lane) - p->stream)});
	set_corr(e, v[ARG_CORRELATION]);
	if (kind == KIND_MEMCPY || kind == KIND_MEMSET)
		set_whole(e, EVENT_BYTES, v[ARG_BYTES]);
}

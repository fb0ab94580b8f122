#include "nsys_record.h"

#include "base/char_class.h"
#include "base/num_parse.h"
#include "json/iter.h"
#include "json/string.h"
#include "json/write.h"
#include "trace2ndjson/formats/copy_direction.h"

#define TO(member) OPT_TO(struct nsys_run, member)
const struct opt nsys_options[] = {
    {0, "strings", OPT_FLAG, TO(strings), "nsys: write each string of the export as a record of kind meta"},
    {0},
};

/* --- the fields of a row --- */

/* Whether a member is in args although its value is stored in v[], which may represent it only in part. */
enum keep {
	KEPT,  /* always kept in args */
	WHOLE, /* not kept in args when it is a whole number */
	TIME,  /* not kept in args when it is a whole number; an object that contains the time is kept */
	TEXT,  /* not kept in args when it is a string */
	ARRAY, /* not kept in args when it is an array */
};

#define ROW(field, keep, top, event, database) [NSYS_##field] = {{top, event, database}, keep},
const struct columns_row nsys_columns[NSYS_N] = {NSYS_FIELDS(ROW)};

enum nsys_field nsys_row_field(enum nsys_name_set set, struct str name)
{
	static struct columns columns = {.list = nsys_columns, .n = NSYS_N};

	return (enum nsys_field)columns_find(&columns, set, name);
}

struct str nsys_whole(struct str value)
{
	const struct str none = {NULL, 0};
	size_t i;

	if (value.n > 2 && value.p[0] == '"')
		value = json_inner(value);
	i = value.n > 1 && value.p[0] == '-';
	if (value.n == 0 || (value.p[i] == '0' && value.n > i + 1))
		return none;
	return str_all(str_from(value, i), is_digit) ? value : none;
}

bool nsys_row_take(struct nsys_row *row, enum nsys_field field, struct str value)
{
	const bool object = value.p[0] == '{';
	struct str *v = &row->v[field];
	struct str digits;

	if (v->p || str_eq(value, STR("null")))
		return false; /* another member has already set v[], or this value is null */
	switch (nsys_columns[field].type) {
	case WHOLE:
		*v = nsys_whole(value);
		return v->p;
	case TIME:
		*v = object ? iter_find(value, STR("Time")) : value;
		digits = nsys_whole(*v);
		if (digits.p) /* a value that is not a number is reported when the record is made */
			*v = digits;
		return digits.p && !object;
	case TEXT:
	case ARRAY:
		if (value.p[0] == (nsys_columns[field].type == TEXT ? '"' : '['))
			*v = value;
		return v->p;
	default:
		*v = value;
		return false;
	}
}

bool nsys_row_take_int(struct nsys_row *row, enum nsys_field field, struct str digits)
{
	const enum keep keep = nsys_columns[field].type;
	struct str *v = &row->v[field];

	if (v->p || keep == TEXT || keep == ARRAY)
		return false;
	*v = digits;
	return keep != KEPT;
}

/* --- the kind of a row --- */

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define K(kind) (1u << KIND_##kind)
/* The ways to find the kind of an event or of a table's row. */
enum by { FIXED, CLASS, TABLE_CLASS, OBJECT, NVTX, NOTHING };

struct nsys_shape {
	struct str name; /* of the event object or table, in quotes; or its beginning, without the last quote */
	enum by by;
	uint32_t kinds;       /* all possible kinds; none for constants of the export, which are not records */
	enum event_kind kind; /* the kind if `by` is FIXED, otherwise the default kind */
	struct str lib;
	struct str title; /* JSON: the name of all records; p == NULL when rows have names */
};

/* clang-format off */
#define Q(name) {"\"" name "\"", sizeof("\"" name "\"") - 1}
#define NONE {NULL, 0}
#define IS(name, kind, lib) {Q(name), FIXED, K(kind), KIND_##kind, lib, NONE}
#define TITLED(name, kind, title) {Q(name), FIXED, K(kind), KIND_##kind, NONE, Q(title)}
#define CALLS(name, lib) {Q(name), TABLE_CLASS, K(API) | K(OTHER), KIND_API, lib, NONE}
#define PREFIX(text, kind) {{"\"" text, sizeof(text)}, FIXED, K(kind), KIND_##kind, NONE, NONE}
/* clang-format on */

static const struct nsys_shape shapes[] = {
    {Q("TraceProcessEvent"), CLASS, K(API) | K(OTHER), KIND_OTHER, NONE, NONE},
    {Q("CudaEvent"), OBJECT, K(KERNEL) | K(MEMCPY) | K(MEMSET) | K(SYNC) | K(OTHER), KIND_OTHER, NONE, NONE},
    /* When ranges, marks or calls are selected, the events that create domains (kind meta) are needed too. */
    {Q("NvtxEvent"), NVTX, K(RANGE) | K(MARK) | K(META) | K(API) | K(OTHER), KIND_OTHER, NONE, NONE},
    {Q("NVTX_EVENTS"), NVTX, K(RANGE) | K(MARK) | K(META) | K(OTHER), KIND_OTHER, NONE, NONE},
    IS("CUPTI_ACTIVITY_KIND_RUNTIME", API, NONE),
    IS("CUPTI_ACTIVITY_KIND_DRIVER", API, NONE),
    IS("CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, NONE),
    IS("CUPTI_ACTIVITY_KIND_MEMCPY", MEMCPY, NONE),
    TITLED("CUPTI_ACTIVITY_KIND_MEMSET", MEMSET, "[CUDA memset]"),
    IS("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", SYNC, NONE),
    TITLED("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", KERNEL, "[CUDA graph]"),
    TITLED("CUPTI_ACTIVITY_KIND_CUDA_EVENT", OTHER, "cudaEventRecord"),
    CALLS("CUDNN_EVENTS", Q("cuDNN")),
    CALLS("CUBLAS_EVENTS", Q("cuBLAS")),
    CALLS("OSRT_API", Q("OSRT")),
    IS("MPI_COLLECTIVES_EVENTS", API, Q("MPI")),
    IS("MPI_P2P_EVENTS", API, Q("MPI")),
    IS("MPI_START_WAIT_EVENTS", API, Q("MPI")),
    IS("MPI_OTHER_EVENTS", API, Q("MPI")),
    IS("UCP_EVENTS", API, Q("UCX")),
    IS("UCP_SUBMIT_EVENTS", API, Q("UCX")),
    IS("UCP_PROGRESS_EVENTS", API, Q("UCX")),
    IS("COMPOSITE_EVENTS", SAMPLE, NONE),
    IS("GPU_METRICS", COUNTER, NONE),
    IS("NET_NIC_METRIC", COUNTER, NONE),
    IS("NET_IB_SWITCH_METRIC", COUNTER, NONE),
    IS("PROCESSES", META, NONE),
    IS("ThreadNames", META, NONE),
    IS("ProcessStreams", META, NONE),
    IS("ANALYSIS_DETAILS", META, NONE),
    IS("ANALYSIS_FILE", META, NONE),
    IS("EXPORT_META_DATA", META, NONE),
    IS("MPI_RANKS", META, NONE),
    IS("MPI_COMMUNICATORS", META, NONE),
    IS("NVTX_PAYLOAD_SCHEMAS", META, NONE),
    IS("NVTX_PAYLOAD_SCHEMA_ENTRIES", META, NONE),
    IS("GENERIC_EVENT_SOURCES", META, NONE),
    IS("GENERIC_EVENT_TYPES", META, NONE),
    IS("UnwindMethodType", META, NONE),
    PREFIX("TARGET_INFO_", META),
    PREFIX("META_DATA_", META),
    {{"\"ENUM_", 6}, NOTHING, 0, KIND_META, NONE, NONE},
};

/* The kinds of NVTX events by their number in ENUM_NSYS_EVENT_TYPE; those from 64 to 74 are of text files (NVTXT). */
static const struct {
	unsigned char first, last;
	enum event_kind kind;
	struct str style;
} nvtx_types[] = {
    {59, 59, KIND_RANGE, Q("PushPop")}, {60, 60, KIND_RANGE, Q("StartEnd")}, {34, 34, KIND_MARK, NONE},
    {33, 33, KIND_META, NONE}, /* category */
    {39, 39, KIND_META, NONE}, /* name of a thread */
    {64, 64, KIND_META, NONE}, /* category */
    {65, 65, KIND_MARK, NONE}, {70, 70, KIND_RANGE, Q("PushPop")}, {71, 71, KIND_RANGE, Q("StartEnd")},
    {72, 76, KIND_META, NONE}, /* thread, process, display; a domain is created (75) or destroyed (76) */
    {97, 99, KIND_META, NONE}, /* name of a device, context, stream of CUDA */
};
enum { NVTX_DOMAIN_CREATE = 75, NVTX_DOMAIN_DESTROY = 76 };

/* The values of eventClass in a TraceProcessEvent that mean a call; all others are notices and overhead. */
static const struct {
	size_t class;
	struct str lib;
} calls[] = {
    {0, NONE}, /* CUDA runtime */
    {1, NONE}, /* CUDA driver */
    {27, Q("OSRT")},
    {28, Q("cuDNN")},
    {29, Q("cuBLAS")},
};

/* Indexed by copyKind, a number defined by CUPTI; 11 to 13 are migrations of managed memory. */
static const struct str copies[] = {
    Q("[CUDA memcpy Unknown]"),
    Q("[CUDA memcpy Host-to-Device]"),
    Q("[CUDA memcpy Device-to-Host]"),
    Q("[CUDA memcpy Host-to-Array]"),
    Q("[CUDA memcpy Array-to-Host]"),
    Q("[CUDA memcpy Array-to-Array]"),
    Q("[CUDA memcpy Array-to-Device]"),
    Q("[CUDA memcpy Device-to-Array]"),
    Q("[CUDA memcpy Device-to-Device]"),
    Q("[CUDA memcpy Host-to-Host]"),
    Q("[CUDA memcpy Peer-to-Peer]"),
    Q("[CUDA memcpy Unified Host-to-Device]"),
    Q("[CUDA memcpy Unified Device-to-Host]"),
    Q("[CUDA memcpy Unified Device-to-Device]"),
};

/* Indexed by syncType. */
static const struct str syncs[] = {
    Q("Unknown Sync"),
    Q("Event Sync"),
    Q("Stream Wait Event"),
    Q("Stream Sync"),
    Q("Context Sync"),
};

static const struct nsys_shape *find_shape(struct str name)
{
	size_t i;

	for (i = 0; i < COUNT(shapes) && !str_starts(name, shapes[i].name); i++)
		;
	return i < COUNT(shapes) ? &shapes[i] : NULL;
}

uint32_t nsys_event_kinds(struct str name)
{
	const struct nsys_shape *shape = find_shape(name);

	return shape ? shape->kinds : K(OTHER);
}

enum event_kind nsys_object_kind(struct str name)
{
	const enum event_kind kind = name.n > 2 ? event_kind(json_inner(name)) : KIND_N;

	return kind <= KIND_SYNC ? kind : KIND_OTHER; /* kernel, memcpy, memset, sync are the first kinds */
}

const struct nsys_shape *nsys_row_shape(const struct nsys_row *row)
{
	struct str name = row->event.p ? row->event : row->v[NSYS_TABLE];

	if (row->shape && str_eq(row->shape->name, name))
		return row->shape; /* most rows have the shape of the preceding row */
	return name.p ? find_shape(name) : NULL;
}

/* Returns a number below 1000 as an index; SIZE_MAX for any other value. */
static size_t small_number(struct str value)
{
	uint64_t v;

	return num_count(nsys_whole(value), &v) && v < 1000 ? (size_t)v : SIZE_MAX;
}

/* Sets the kind of an NVTX event from the vendor's number for the type of the event. */
static void set_nvtx_kind(struct nsys_record *record)
{
	const size_t type = small_number(record->row.v[NSYS_NVTX]);
	size_t i;

	for (i = 0; i < COUNT(nvtx_types) && (type < nvtx_types[i].first || type > nvtx_types[i].last); i++)
		;
	if (i == COUNT(nvtx_types))
		return;
	record->kind = nvtx_types[i].kind;
	record->style = nvtx_types[i].style;
}

/*
 * Sets the kind of an event or of a row of a library's table, whose class must be that of a call, and of this library.
 * A table without a column for the class has only calls.
 */
static void set_call_kind(struct nsys_record *record)
{
	const struct nsys_row *row = &record->row;
	const struct str trace_process = STR("47"); /* a type: the library of the class starts or ends */
	const size_t class = small_number(row->v[NSYS_CLASS]);
	size_t i;

	for (i = 0; i < COUNT(calls) && calls[i].class != class; i++)
		;
	if (row->shape->by == TABLE_CLASS &&
	    (!row->v[NSYS_CLASS].p || (i < COUNT(calls) && str_eq(calls[i].lib, row->shape->lib))))
		return;
	record->kind = KIND_OTHER;
	record->lib = (struct str){NULL, 0};
	if (row->shape->by == CLASS && i < COUNT(calls) && !str_eq(row->v[NSYS_TYPE], trace_process)) {
		record->kind = KIND_API;
		record->lib = calls[i].lib;
	}
}

/* Sets the title of a row that has no name in the source. */
static void set_title(struct nsys_record *record)
{
	const struct nsys_row *row = &record->row;
	size_t n;

	switch (record->kind) {
	case KIND_MEMCPY:
		n = small_number(row->v[NSYS_COPY]);
		record->title = copies[n < COUNT(copies) ? n : 0];
		record->copy = copy_direction(record->title);
		return;
	case KIND_MEMSET:
		record->title = STR("\"[CUDA memset]\"");
		return;
	case KIND_SYNC:
		n = small_number(row->v[NSYS_SYNC]);
		record->title = syncs[n < COUNT(syncs) ? n : 0];
		return;
	case KIND_OTHER:
		record->title = row->object; /* calls such as cudaEventRecord */
		return;
	default:
		return;
	}
}

/* Sets the kind and the texts that depend on it. Returns false for constants of the export, which are not records. */
static bool find_kind(struct nsys_record *record)
{
	const struct nsys_row *row = &record->row;
	const struct nsys_shape *shape = row->shape;

	record->copy = record->lib = record->style = record->title = (struct str){NULL, 0};
	record->kind = shape ? shape->kind : KIND_OTHER;
	if (!shape) {
		/* Stream or ThreadName; or a thread name in a line without a type */
		if (!row->event.p && !row->v[NSYS_TABLE].p && (row->v[NSYS_LINE].p || row->v[NSYS_NAME_ID].p))
			record->kind = KIND_META;
		return true;
	}
	record->lib = shape->lib;
	if (shape->by == CLASS || shape->by == TABLE_CLASS)
		set_call_kind(record);
	else if (shape->by == OBJECT)
		record->kind = nsys_object_kind(row->object);
	else if (shape->by == NVTX)
		set_nvtx_kind(record);
	record->title = shape->title;
	if (!shape->title.p)
		set_title(record);
	return shape->by != NOTHING;
}

/* --- names --- */

/*
 * Returns the global id of a row's thread or, if that is absent, of its process. Bits 24 to 47 are the process, the
 * lower bits the thread, the higher bits the machine. Returns 0 when the id is absent or not a whole number.
 */
static uint64_t global_id(const struct nsys_row *row)
{
	const struct str digits = nsys_whole(row->v[row->v[NSYS_THREAD].p ? NSYS_THREAD : NSYS_PROCESS]);
	const bool minus = digits.n && digits.p[0] == '-'; /* sqlite stores ids of 2^63 and above as negative numbers */
	uint64_t v = 0;
	size_t i;

	for (i = minus; i < digits.n; i++)
		v = v * 10 + (uint64_t)(digits.p[i] - '0');
	return minus ? 0 - v : v;
}

static uint64_t process_of(uint64_t global_id)
{
	return global_id >> 24 & 0xffffff;
}

struct str nsys_plain(struct buf *to, struct str text)
{
	struct buf room = {0};

	if (!memchr(text.p, '\\', text.n))
		return text;
	to->n = 0;
	json_requote(to, text, &room);
	buf_free(&room);
	return buf_str(to);
}

void nsys_record_string(struct event *e, struct str id, struct str text)
{
	event_clear(e);
	event_set_kind(e, KIND_META);
	event_set(e, EVENT_CAT, STR("\"string\""));
	event_set(e, EVENT_ID, id);
	event_set(e, EVENT_NAME, text);
}

const struct nsys_metric *nsys_metric_of(struct str table, bool names)
{
	static const struct nsys_metric metrics[] = {
	    {"GPU_METRICS", "TARGET_INFO_GPU_METRICS", {"typeId", "metricId"}, "metricName", true},
	    {"NET_NIC_METRIC", "TARGET_INFO_NETWORK_METRICS", {"metricsListId", "metricsIdx"}, "name", false},
	    {"NET_IB_SWITCH_METRIC", "TARGET_INFO_NETWORK_METRICS", {"metricsListId", "metricsIdx"}, "name", false},
	};
	size_t i;

	for (i = 0; i < sizeof metrics / sizeof *metrics; i++) {
		if (str_eq(table, str_of(names ? metrics[i].names : metrics[i].rows)))
			return &metrics[i];
	}
	return NULL;
}

/* Returns whether the text of an id is known, or there is no id. An id may also be a text itself. */
static bool find_text(struct nsys_record *record, struct str id, struct buf *to, struct str *text)
{
	const struct str digits = nsys_whole(id);

	to->n = 0;
	if (digits.p)
		*text = record->text_of(record->arg, digits, to);
	else
		*text = id.p && id.p[0] == '"' ? id : (struct str){NULL, 0};
	return text->p || !digits.p;
}

static void find_names(struct nsys_record *record, struct reader *r)
{
	const struct str *v = record->row.v, none = {NULL, 0};
	const bool kernel = record->kind == KIND_KERNEL;

	record->id = v[NSYS_NAME].p ? none : v[NSYS_NAME_ID];
	if (kernel)
		record->id = v[NSYS_DEMANGLED].p ? v[NSYS_DEMANGLED]
			     : v[NSYS_SHORT].p   ? v[NSYS_SHORT]
						 : v[NSYS_MANGLED];
	record->short_id = r->args ? v[NSYS_SHORT] : none;
	/* Look up both names even if the first is unknown, so that both are counted as awaited. */
	record->named = find_text(record, record->id, &record->name_text, &record->name);
	record->named &= find_text(record, record->short_id, &record->short_text, &record->short_name);
	if (v[NSYS_NAME].p && !kernel)
		record->name = nsys_plain(&record->name_text, v[NSYS_NAME]);
}

struct str nsys_record_domain(struct nsys_record *record, struct str created)
{
	struct str id = nsys_whole(record->row.v[NSYS_DOMAIN]);
	char key[2 * NUM_ROOM], *p;

	if (!id.p || id.n > NUM_ROOM)
		return (struct str){NULL, 0};
	p = num_put_u64(key, process_of(global_id(&record->row)));
	*p++ = ':';
	memcpy(p, id.p, id.n);
	id = (struct str){key, (size_t)(p + id.n - key)};
	if (created.p)
		id_texts_put(&record->domains, id, created);
	return id_texts_get(&record->domains, id);
}

/* Finds the domain of an NVTX event, once its names are known. An event that creates or destroys one gets its name. */
static void find_domain(struct nsys_record *record)
{
	const struct str type = record->row.v[NSYS_NVTX], none = {NULL, 0};
	const size_t number = small_number(type);

	record->domain = none;
	if (number != NVTX_DOMAIN_CREATE && number != NVTX_DOMAIN_DESTROY)
		record->domain = type.p ? nsys_record_domain(record, none) : none;
	else if (record->named)
		record->name = nsys_record_domain(record, number == NVTX_DOMAIN_CREATE ? record->name : none);
}

bool nsys_record_begin(struct nsys_record *record, struct reader *r)
{
	if (!find_kind(record))
		return false;
	find_names(record, r);
	find_domain(record);
	/* Reports of nsys treat ranges "MPI_..." of the domain "MPI" as calls; other exports have tables of them. */
	if (record->kind == KIND_RANGE && str_eq(record->domain, STR("\"MPI\"")) &&
	    str_starts(record->name, STR("\"MPI_"))) {
		record->kind = KIND_API;
		record->lib = STR("\"MPI\"");
		record->style = (struct str){NULL, 0};
	}
	/* A range may turn out to be a call once its name is known. */
	return reader_wants(r, record->kind) ||
	       (!record->named && record->kind == KIND_RANGE && reader_wants(r, KIND_API));
}

/* --- members --- */

/* Sets ts and dur. Returns false when a time is not an integer, or does not fit in int64. */
static bool set_row_times(struct event *e, const struct nsys_row *row, enum event_kind kind)
{
	struct str start = row->v[NSYS_START], end = row->v[NSYS_END];
	int64_t from = row->start, to = row->end, dur;

	if (!start.p && !row->has_start)
		return true;
	if ((start.p && num_int(start, &from) != NUM_OK) || (end.p && num_int(end, &to) != NUM_OK))
		return false;
	/* A CUDA event that is recorded on the device has no time in the source, only a 0 in its place. */
	if (from == 0 && (row->object.p ? kind == KIND_OTHER && end.p && to == 0
					: str_eq(row->v[NSYS_TABLE], STR("\"CUPTI_ACTIVITY_KIND_CUDA_EVENT\""))))
		return true;
	event_set_ts(e, from);
	if (!end.p && !row->has_end)
		return true;
	if (__builtin_sub_overflow(to, from, &dur))
		return false;
	event_set_dur(e, dur);
	return true;
}

/* Sets a standard field, unless the number means "none". */
static void set_number(struct event *e, enum event_member m, struct str value, bool zero)
{
	if (!value.p || str_eq(value, STR("-1")) || str_eq(value, STR("4294967295")) ||
	    (!zero && str_eq(value, STR("0"))))
		return;
	event_set(e, m, value);
}

/* Sets record->pid and record->tid; p is NULL for an absent one. */
static void find_ids(struct nsys_record *record)
{
	const struct str *v = record->row.v;
	const bool of_thread = v[NSYS_THREAD].p;
	const struct str id = v[of_thread ? NSYS_THREAD : NSYS_PROCESS];
	uint64_t number;

	if (id.n && of_thread == record->of_thread &&
	    str_eq(id, (struct str){record->global_id, record->global_id_length}))
		return;
	record->pid = record->tid = (struct str){NULL, 0};
	record->of_thread = of_thread;
	record->global_id_length = id.n <= NUM_ROOM ? id.n : 0;
	if (!id.p)
		return;
	memcpy(record->global_id, id.p, record->global_id_length);
	number = global_id(&record->row);
	record->pid = num_str_u64(record->pid_text, process_of(number));
	if (of_thread && (number & 0xffffff)) /* 0 in the id of a process */
		record->tid = num_str_u64(record->tid_text, number & 0xffffff);
}

static void set_members(struct nsys_record *record, struct event *e)
{
	const struct nsys_row *row = &record->row;
	struct str cat = row->event.p ? row->event : row->v[row->v[NSYS_TABLE].p ? NSYS_TABLE : NSYS_LINE];

	event_set_kind(e, record->kind);
	if (!cat.p && record->kind == KIND_META)
		cat = STR("\"ThreadName\""); /* an element of a {"data":[...]} line has no type */
	event_set(e, EVENT_CAT, cat);
	find_ids(record);
	event_set(e, EVENT_PID, record->pid);
	event_set(e, EVENT_TID, record->tid);
	set_number(e, EVENT_DEV, row->v[NSYS_DEV], true);
	set_number(e, EVENT_STREAM, row->v[NSYS_STREAM], true);
	set_number(e, EVENT_CORR, row->v[NSYS_CORR], false);
	event_set(e, EVENT_BYTES, row->v[NSYS_BYTES]);
	event_set(e, EVENT_COPY, record->copy);
	if (row->v[NSYS_RESULT].p && !str_eq(row->v[NSYS_RESULT], STR("0")))
		event_set(e, EVENT_ERR, row->v[NSYS_RESULT]);
}

static void set_args(struct nsys_record *record, struct event *e)
{
	const struct str *v = record->row.v;
	struct buf *args = &record->row.args;

	/* A row without a start gets no dur, so write the end to args. */
	if (!v[NSYS_START].p && nsys_whole(v[NSYS_END]).p)
		json_write_json(args, "end", v[NSYS_END]);
	json_write_json(args, "shortName", record->short_name);
	json_write_json(args, "lib", record->lib);
	json_write_json(args, "style", record->style);
	json_write_json(args, "domain", record->domain);
	if (args->n) {
		args->p[0] = '{'; /* in place of the first comma */
		buf_char(args, '}');
		event_set(e, EVENT_ARGS, buf_str(args));
	}
	if (v[NSYS_TYPE].p) {
		record->src.n = 0;
		buf_lit(&record->src, "{\"Type\":");
		buf_add(&record->src, v[NSYS_TYPE].p, v[NSYS_TYPE].n);
		buf_char(&record->src, '}');
		event_set(e, EVENT_SRC, buf_str(&record->src));
	}
}

/* Returns a name such as "#37", made in *to, for an id that has no text, and reports the text as lost. */
static struct str make_name(struct reader *r, const struct line *line, struct str id, struct buf *to)
{
	struct str digits = nsys_whole(id);

	reader_lost(r, "name id without a string; name written as \"#ID\"", line->line, line->offset);
	to->n = 0;
	buf_lit(to, "\"#");
	buf_add(to, digits.p, digits.n);
	buf_char(to, '"');
	return buf_str(to);
}

bool nsys_record_make(struct nsys_record *record, struct reader *r, const struct line *line, struct event *e)
{
	if (!reader_wants(r, record->kind))
		return false;
	event_clear(e);
	if (!set_row_times(e, &record->row, record->kind)) {
		reader_lost(r, "time is not a 64-bit integer (ns); record skipped", line->line, line->offset);
		return false;
	}
	if (!record->name.p)
		record->name = nsys_whole(record->id).p ? make_name(r, line, record->id, &record->name_text)
			       : record->given_name.p   ? record->given_name
							: record->title;
	event_set(e, EVENT_NAME, record->name);
	if (!record->short_name.p && record->short_id.p)
		record->short_name = make_name(r, line, record->short_id, &record->short_text);
	set_members(record, e);
	e->attachments = record->attachments;
	if (r->args)
		set_args(record, e);
	return true;
}

void nsys_record_free(struct nsys_record *record)
{
	id_texts_free(&record->domains);
	bufs_free(&record->row.args, &record->name_text, &record->short_text, &record->src);
}

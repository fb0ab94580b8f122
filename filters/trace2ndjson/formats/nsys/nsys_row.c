/* nsys_row: splits a line into fields, and finds the kind of a row. */
#include "nsys_row.h"

#include "base/char_class.h"
#include "base/num_parse.h"
#include "json/check.h"
#include "json/iter_inline.h"
#include "json/scan.h"
#include "json/string.h"
#include "trace2ndjson/formats/copy_direction.h"

/* --- the kind of a row --- */

#define K(kind) (1u << KIND_##kind)
/* The ways to find the kind of an event or of a table's row. */
enum by { FIXED, CLASS, TABLE_CLASS, OBJECT, NVTX, NOTHING };

struct nsys_shape {
	struct str
	    name; /* name of the event object or of the table, with quotes; the beginning, without the last quote */
	enum by by;
	uint32_t kinds;       /* all possible kinds; none for constants of the export, which are not records */
	enum event_kind kind; /* the kind if `by` is FIXED, otherwise the default kind */
	struct str lib;
	struct str title; /* JSON: the name of all records; p == NULL when rows have names */
};

/* clang-format off */
#define Q(name) {"\"" name "\"", sizeof("\"" name "\"") - 1}
#define NO_LIB {NULL, 0}
#define NO_NAME {NULL, 0}
#define IS(name, kind, lib) {Q(name), FIXED, K(kind), KIND_##kind, lib, NO_NAME}
#define TITLED(name, kind, title) {Q(name), FIXED, K(kind), KIND_##kind, NO_LIB, Q(title)}
#define CALLS(name, lib) {Q(name), TABLE_CLASS, K(API) | K(OTHER), KIND_API, lib, NO_NAME}
#define PREFIX(text, kind) {{"\"" text, sizeof(text)}, FIXED, K(kind), KIND_##kind, NO_LIB, NO_NAME}
/* clang-format on */

static const struct nsys_shape shapes[] = {
    {Q("TraceProcessEvent"), CLASS, K(API) | K(OTHER), KIND_OTHER, NO_LIB, NO_NAME},
    {Q("CudaEvent"), OBJECT, K(KERNEL) | K(MEMCPY) | K(MEMSET) | K(SYNC) | K(OTHER), KIND_OTHER, NO_LIB, NO_NAME},
    /* When ranges, marks or calls are selected, the events that create domains (kind meta) are needed too. */
    {Q("NvtxEvent"), NVTX, K(RANGE) | K(MARK) | K(META) | K(API) | K(OTHER), KIND_OTHER, NO_LIB, NO_NAME},
    {Q("NVTX_EVENTS"), NVTX, K(RANGE) | K(MARK) | K(META) | K(OTHER), KIND_OTHER, NO_LIB, NO_NAME},
    IS("CUPTI_ACTIVITY_KIND_RUNTIME", API, NO_LIB),
    IS("CUPTI_ACTIVITY_KIND_DRIVER", API, NO_LIB),
    IS("CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, NO_LIB),
    IS("CUPTI_ACTIVITY_KIND_MEMCPY", MEMCPY, NO_LIB),
    TITLED("CUPTI_ACTIVITY_KIND_MEMSET", MEMSET, "[CUDA memset]"),
    IS("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", SYNC, NO_LIB),
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
    IS("COMPOSITE_EVENTS", SAMPLE, NO_LIB),
    IS("GPU_METRICS", COUNTER, NO_LIB),
    IS("NET_NIC_METRIC", COUNTER, NO_LIB),
    IS("NET_IB_SWITCH_METRIC", COUNTER, NO_LIB),
    IS("PROCESSES", META, NO_LIB),
    IS("ThreadNames", META, NO_LIB),
    IS("ProcessStreams", META, NO_LIB),
    IS("ANALYSIS_DETAILS", META, NO_LIB),
    IS("ANALYSIS_FILE", META, NO_LIB),
    IS("EXPORT_META_DATA", META, NO_LIB),
    IS("MPI_RANKS", META, NO_LIB),
    IS("MPI_COMMUNICATORS", META, NO_LIB),
    IS("NVTX_PAYLOAD_SCHEMAS", META, NO_LIB),
    IS("NVTX_PAYLOAD_SCHEMA_ENTRIES", META, NO_LIB),
    IS("GENERIC_EVENT_SOURCES", META, NO_LIB),
    IS("GENERIC_EVENT_TYPES", META, NO_LIB),
    IS("UnwindMethodType", META, NO_LIB),
    PREFIX("TARGET_INFO_", META),
    PREFIX("META_DATA_", META),
    {{"\"ENUM_", 6}, NOTHING, 0, KIND_META, NO_LIB, NO_NAME},
};

/* The values of eventClass in a TraceProcessEvent that mean a call; all others are notices and overhead. */
static const struct {
	size_t class;
	struct str lib;
} calls[] = {
    {0, NO_LIB}, /* CUDA runtime */
    {1, NO_LIB}, /* CUDA driver */
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

#define COUNT(array) (sizeof(array) / sizeof *(array))
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

/* Returns the kind of an object that a CudaEvent contains. */
static enum event_kind object_kind(struct str name)
{
	const enum event_kind kind = name.n > 2 ? event_kind(json_inner(name)) : KIND_N;

	return kind <= KIND_SYNC ? kind : KIND_OTHER; /* kernel, memcpy, memset, sync are the first kinds */
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

/* Returns a number below 1000 as an index; SIZE_MAX for any other value. */
static size_t small_number(struct str value)
{
	struct str digits = value.p ? nsys_whole(value) : value;
	int64_t v;

	return digits.p && num_int(digits, &v) == NUM_OK && v >= 0 && v < 1000 ? (size_t)v : SIZE_MAX;
}

/* Sets the kind of an NVTX event from the vendor's number for the type of the event. */
static void set_nvtx_kind(struct nsys_row_kind *is, const struct nsys_row *row)
{
	switch (small_number(row->v[NSYS_NVTX])) {
	case 59:
	case 70: /* an event from an NVTXT file */
		is->kind = KIND_RANGE;
		is->style = STR("\"PushPop\"");
		return;
	case 60:
	case 71:
		is->kind = KIND_RANGE;
		is->style = STR("\"StartEnd\"");
		return;
	case 34:
	case 65:
		is->kind = KIND_MARK;
		return;
	case 33: /* names of categories and threads */
	case 39:
	case 64:
	/* from an NVTXT file: names of threads and processes, and display settings */
	case 72:
	case 73:
	case 74:
	case 75: /* creation and destruction of domains */
	case 76:
	case 97: /* names of CUDA devices, contexts and streams */
	case 98:
	case 99:
		is->kind = KIND_META;
		return;
	default:
		return;
	}
}

enum nsys_domain nsys_row_domain(const struct nsys_row *row)
{
	switch (small_number(row->v[NSYS_NVTX])) {
	case 75:
		return NSYS_DOMAIN_CREATED;
	case 76:
		return NSYS_DOMAIN_DESTROYED;
	default:
		return row->v[NSYS_NVTX].p ? NSYS_DOMAIN_USED : NSYS_DOMAIN_NONE;
	}
}

void nsys_range_find_kind(struct nsys_row_kind *is, struct str domain, struct str name)
{
	if (is->kind != KIND_RANGE || !str_eq(domain, STR("\"MPI\"")) || !str_starts(name, STR("\"MPI_")))
		return;
	is->kind = KIND_API;
	is->lib = STR("\"MPI\"");
	is->style = (struct str){NULL, 0};
}

/*
 * Sets the kind of an event or of a row of a library's table, whose class must be that of a call, and of this library.
 * A table without a column for the class has only calls.
 */
static void set_call_kind(struct nsys_row_kind *is, const struct nsys_shape *shape, const struct nsys_row *row)
{
	const size_t class = small_number(row->v[NSYS_CLASS]);
	size_t i;

	for (i = 0; i < COUNT(calls) && calls[i].class != class; i++)
		;
	if (shape->by == TABLE_CLASS &&
	    (!row->v[NSYS_CLASS].p || (i < COUNT(calls) && str_eq(calls[i].lib, shape->lib))))
		return;
	is->kind = KIND_OTHER;
	is->lib = (struct str){NULL, 0};
	if (shape->by == CLASS && i < COUNT(calls) && !str_eq(row->v[NSYS_TYPE], STR("47"))) {
		is->kind = KIND_API; /* 47: the library starts or ends */
		is->lib = calls[i].lib;
	}
}

static void name_device_activity(struct nsys_row_kind *is, const struct nsys_row *row)
{
	size_t n;

	switch (is->kind) {
	case KIND_MEMCPY:
		n = small_number(row->v[NSYS_COPY]);
		is->name = copies[n < COUNT(copies) ? n : 0];
		is->copy = copy_direction(is->name);
		return;
	case KIND_MEMSET:
		is->name = STR("\"[CUDA memset]\"");
		return;
	case KIND_SYNC:
		n = small_number(row->v[NSYS_SYNC]);
		is->name = syncs[n < COUNT(syncs) ? n : 0];
		return;
	case KIND_OTHER:
		is->name = row->object; /* calls such as cudaEventRecord have no name in the source */
		return;
	default:
		return;
	}
}

static void set_shape_kind(struct nsys_row_kind *is, const struct nsys_shape *shape, const struct nsys_row *row)
{
	is->kind = shape->kind;
	is->lib = shape->lib;
	switch (shape->by) {
	case CLASS:
	case TABLE_CLASS:
		set_call_kind(is, shape, row);
		break;
	case OBJECT:
		is->kind = object_kind(row->object);
		break;
	case NVTX:
		set_nvtx_kind(is, row);
		break;
	case FIXED:
	case NOTHING:
		break;
	}
	if (shape->title.p)
		is->name = shape->title;
	else
		name_device_activity(is, row);
}

const struct nsys_shape *nsys_row_shape(const struct nsys_row *row)
{
	struct str name = row->event.p ? row->event : row->v[NSYS_TABLE];

	if (row->shape && str_eq(row->shape->name, name))
		return row->shape; /* most rows have the shape of the preceding row */
	return name.p ? find_shape(name) : NULL;
}

bool nsys_row_find_kind(struct nsys_row_kind *is, const struct nsys_row *row)
{
	*is = (struct nsys_row_kind){.kind = KIND_OTHER};
	if (row->shape) {
		set_shape_kind(is, row->shape, row);
		return row->shape->by != NOTHING;
	}
	if (!row->event.p && !row->v[NSYS_TABLE].p && (row->v[NSYS_LINE].p || row->v[NSYS_NAME_ID].p))
		is->kind = KIND_META; /* Stream or ThreadName; or a thread name in a line without a type */
	return true;
}

/* --- the fields of a row --- */

/*
 * Whether a member is also kept in args when its value is stored in v[]. It is not kept if v[] represents it
 * completely.
 */
enum keep {
	KEPT,  /* always kept in args */
	WHOLE, /* not kept in args when it is a whole number */
	TIME,  /* not kept in args when it is a whole number; an object that contains the time is kept */
	TEXT,  /* not kept in args when it is a string */
	ARRAY, /* not kept in args when it is an array */
};

/* Names that begin with a capital letter are those of old exports. */
const struct columns_row nsys_columns[NSYS_N] = {
    [NSYS_LINE] = {{"type", NULL, NULL}, TEXT},
    [NSYS_TABLE] = {{"table", NULL, NULL}, TEXT},
    [NSYS_DATA] = {{"data", NULL, NULL}, ARRAY},
    [NSYS_TYPE] = {{"Type", NULL, NULL}, WHOLE},
    [NSYS_ID] = {{"id", NULL, NULL}, KEPT},
    [NSYS_VALUE] = {{"value", NULL, NULL}, KEPT},
    [NSYS_START] = {{"start timestamp", "start startNs Timestamp", "start timestamp rawTimestamp"}, TIME},
    [NSYS_END] = {{"end", "end endNs EndTimestamp", "end"}, TIME},
    [NSYS_CORR] = {{"correlationId", "correlationId", NULL}, WHOLE},
    [NSYS_DEV] = {{"deviceId", "deviceId", NULL}, WHOLE},
    [NSYS_STREAM] = {{"streamId", "streamId", NULL}, WHOLE},
    [NSYS_THREAD] = {{"globalTid", "globalTid GlobalTid", NULL}, KEPT},
    [NSYS_PROCESS] = {{"globalPid", "globalPid GlobalPid GlobalProcess", NULL}, KEPT},
    [NSYS_CLASS] = {{"eventClass", "eventClass", NULL}, KEPT},
    [NSYS_NVTX] = {{"eventType", "Type", NULL}, KEPT},
    [NSYS_DOMAIN] = {{"domainId", "domainId DomainId", NULL}, KEPT},
    [NSYS_NAME] = {{"name text filename", "Text", NULL}, TEXT},
    [NSYS_NAME_ID] = {{"nameId textId nameIdx filenameId", "name nameId TextId textId", NULL}, KEPT},
    [NSYS_DEMANGLED] = {{"demangledName", "demangledName", NULL}, KEPT},
    [NSYS_SHORT] = {{"shortName", "shortName", NULL}, WHOLE},
    [NSYS_MANGLED] = {{"mangledName", "mangledName", NULL}, KEPT},
    [NSYS_BYTES] = {{"bytes", "bytes sizebytes", NULL}, WHOLE},
    [NSYS_COPY] = {{"copyKind", "copyKind", NULL}, KEPT},
    [NSYS_SYNC] = {{"syncType", "syncType", NULL}, KEPT},
    [NSYS_RESULT] = {{"returnValue", "returnValue", NULL}, WHOLE},
};

enum nsys_field nsys_row_field(enum nsys_place place, struct str name)
{
	static struct columns columns = {.list = nsys_columns, .n = NSYS_N};

	return (enum nsys_field)columns_find(&columns, place, name);
}

struct walking {
	struct nsys_row *row;
	uint32_t kinds;
	bool args, clean;
};

uint64_t nsys_global_id(struct str value)
{
	struct str digits = value.p ? nsys_whole(value) : value;
	bool minus = digits.n && digits.p[0] == '-'; /* sqlite stores ids of 2^63 and above as negative numbers */
	uint64_t v = 0;
	size_t i;

	for (i = minus; i < digits.n; i++)
		v = v * 10 + (uint64_t)(digits.p[i] - '0');
	return minus ? 0 - v : v;
}

static bool store_time(struct str *v, struct str value)
{
	bool object = value.p[0] == '{';
	struct str time = object ? iter_find(value, STR("Time")) : value;
	struct str digits = time.p ? nsys_whole(time) : time;

	*v = digits.p ? digits : time; /* a value that is not a number is reported when the record is made */
	return digits.p && !object;
}

/*
 * Sets *v to the value if it begins with `open`, the first character of a string or an array; otherwise leaves *v
 * absent.
 */
static bool store_opened(struct str *v, struct str value, char open)
{
	if (value.p[0] != open)
		return false;
	*v = value;
	return true;
}

bool nsys_row_take(struct nsys_row *row, enum nsys_field field, struct str value)
{
	struct str *v = &row->v[field];

	if (v->p || str_eq(value, STR("null")))
		return false; /* another member has already set v[], or this value is null */
	switch (nsys_columns[field].type) {
	case WHOLE:
		*v = nsys_whole(value);
		return v->p;
	case TIME:
		return store_time(v, value);
	case TEXT:
		return store_opened(v, value, '"');
	case ARRAY:
		return store_opened(v, value, '[');
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

/* Adds ,"key":value to args. Returns false when the value is not JSON. */
static bool pass_member(struct walking *w, struct str key, struct str value)
{
	struct buf *to = &w->row->args;
	struct fault f;
	char *p;

	if (!w->args)
		return true;
	p = buf_room(to, key.n + value.n + 4 + SOURCE_PAD);
	*p++ = ',';
	memcpy(p, key.p - 1, key.n + 2);
	p += key.n + 2;
	*p++ = ':';
	if (value.p[0] == '{' || value.p[0] == '[') {
		if (w->clean && !json_check(value, &f))
			return false;
		p += scan_squeeze(p, value).n;
	} else {
		memcpy(p, value.p, value.n);
		p += value.n;
	}
	to->n = (size_t)(p - to->p);
	return true;
}

/*
 * Returns whether the value is an object whose members are read as fields too. Sets *name to the key of the first such
 * object.
 */
static bool opens_object(struct str *name, struct str key, struct str value)
{
	if (value.p[0] != '{' || name->p)
		return false;
	*name = (struct str){key.p - 1, key.n + 2};
	return true;
}

static enum nsys_walked walk_members(struct walking *w, struct str object, enum nsys_place place)
{
	struct nsys_row *row = w->row;
	enum nsys_field field;
	enum nsys_walked inner;
	struct str key, value;
	struct iter at;
	int r;

	iter_init(&at, object);
	if (at.close != '}')
		return NSYS_BROKEN;
	while ((r = iter_quick(&at, &key, &value)) > 0) {
		if (place == NSYS_TOP && opens_object(&row->event, key, value)) {
			if (!(nsys_event_kinds(row->event) & w->kinds))
				return NSYS_SKIPPED;
			inner = walk_members(w, value, NSYS_EVENT);
		} else if (place == NSYS_EVENT && str_eq(row->event, STR("\"CudaEvent\"")) &&
			   opens_object(&row->object, key, value)) {
			if (!(1u << object_kind(row->object) & w->kinds))
				return NSYS_SKIPPED;
			inner = walk_members(w, value, NSYS_EVENT);
		} else {
			field = nsys_row_field(place, key);
			if ((field == NSYS_N || !nsys_row_take(row, field, value)) && !pass_member(w, key, value))
				return NSYS_BROKEN;
			continue;
		}
		if (inner != NSYS_WALKED)
			return inner;
	}
	return r < 0 ? NSYS_BROKEN : NSYS_WALKED;
}

enum nsys_walked nsys_row_walk(struct nsys_row *row, const struct line *line, uint32_t kinds, bool args)
{
	struct walking w = {row, kinds, args, line->clean};

	memset(row->v, 0, sizeof row->v);
	row->event = row->object = (struct str){NULL, 0};
	row->args.n = 0;
	return walk_members(&w, line->text, NSYS_TOP);
}

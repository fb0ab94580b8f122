#include "table/source_kind.h"

#include "json/string.h"

enum { LOOK = 64 }; /* number of records in which a kind is searched for */

#define EVENT_TIMES "dur delay queue self since api.dur coll.wait coll.late "
#define EVENT_STAMPS "ts end api.ts "
#define BUSY_TIMES "busy idle compute_time comm_time memory_time other_time overlap_time concurrent "

#define SPAN_TIMES "dur span host_wait kernel_wait other_wait kernel_time non_compute_time start_delay"
#define DIFF_VALUES "total_a total_b diff by_calls by_time new gone mean_a mean_b median_a median_b"
#define STEP_TIMES "comm_only memory_only other_only launched_wait unknown_wait after_work pauses lag"

/*
 * Two rows for foreign records: one for records without ts, and one for records with ts. The member `end` is a point in
 * time only if there is a ts.
 */
static const struct member_kinds foreign = {.times = "dur", .stamps = "ts", .sizes = "bytes"};
static const struct member_kinds foreign_event = {.times = "dur", .stamps = "ts end", .sizes = "bytes"};

/* All kinds of event_kind.h that are not in `kinds`. */
static const struct member_kinds event = {
    .name = "event", .times = EVENT_TIMES, .stamps = EVENT_STAMPS, .sizes = "bytes"};

static const struct member_kinds kinds[] = {
    {.name = "row", .times = EVENT_TIMES "total dev_self dev_total", .stamps = EVENT_STAMPS, .sizes = "bytes"},
    {.name = "total", .times = EVENT_TIMES "total dev_self dev_total", .stamps = EVENT_STAMPS, .sizes = "bytes"},
    {.name = "gpu_range", .times = EVENT_TIMES "busy dur_sum orig_dur", .stamps = EVENT_STAMPS "orig_ts"},
    {.name = "counter", .times = EVENT_TIMES BUSY_TIMES, .stamps = EVENT_STAMPS, .shares = "busy_share overlap_share"},
    {.name = "collective",
	.times = EVENT_TIMES "skew_start skew_end late latency transfer members[].dur members[].wait",
	.stamps = EVENT_STAMPS "members[].ts",
	.sizes = "bytes",
	.shares = "share"},
    {.name = "clock", .times = EVENT_TIMES "base offset lo hi spread", .stamps = EVENT_STAMPS "at"},
    {.name = "critical-path",
	.report = true,
	.times = "dur total covered before cpu data_loading gpu_compute gpu_communication kernel_delay launch_delay",
	.stamps = "ts"},
    {.name = "edge", .report = true, .times = "dur weight", .stamps = "ts"},
    {.name = "gpu-busy", .report = true, .times = BUSY_TIMES SPAN_TIMES " " STEP_TIMES, .stamps = "ts"},
    {.name = "gpu-exposed", .report = true, .times = "dur"},
    {.name = "group-diff", .report = true, .times = DIFF_VALUES},
    {.name = "group-diff/size", .report = true, .sizes = DIFF_VALUES},
    {.name = "inference-steps",
	.report = true,
	.times = "host gpu gpu_busy wall wall_busy graph_gpu gpu_per_token",
	.stamps = "ts",
	.shares = "busy"},
    {.name = "memory-block", .report = true, .times = "dur", .stamps = "ts end", .sizes = "bytes"},
    {.name = "memory-owner", .report = true, .sizes = "peak_bytes alloc_bytes free_bytes net"},
    {.name = "memory-step", .report = true, .stamps = "ts", .sizes = "total growth net"},
    {.name = "memory-timeline",
	.report = true,
	.stamps = "peak_ts unused_ts",
	.sizes = "alloc_bytes free_bytes net first peak last reserved unused"},
    {.name = "odd-one-out", .report = true},
    {.name = "catalog",
	.report = true,
	.times = "length kernel_time step_p50 step_p95 step_max window compute_time comm_only memory_only other_only"
		 " host_wait pauses comm_time overlap_time launch_p50 call_p50",
	.stamps = "start changed",
	.sizes = "size copy_bytes memory_peak memory_size"},
    {.name = "what-if", .report = true, .times = "time ideal_time mean_dur ideal_dur"},
    {.name = "op-overheads", .report = true, .one_field = true, .times = "mean std"},
    {.name = "stats", .report = true, .one_field = true},
    {.name = "histogram", .report = true, .one_field = true},
    {.name = "fields", .report = true},
};

static const struct member_kinds *find_kind(struct str kind)
{
	size_t i;

	for (i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (str_eq(kind, str_of(kinds[i].name)))
			return &kinds[i];
	}
	for (i = 0; script_reports[i].name; i++) {
		if (str_eq(kind, str_of(script_reports[i].name)))
			return &script_reports[i];
	}
	return str_eq(kind, str_of(event.name)) || event_kind(kind) != KIND_N ? &event : NULL;
}

bool source_kind_look(struct source_kind *s, struct event *e)
{
	struct str kind = event_get(e, EVENT_KIND);
	const struct member_kinds *found;

	s->looked++;
	if (!s->fields)
		s->fields = event_has(e, EVENT_TS) ? &foreign_event : &foreign;
	if (!kind.p || event_get_kind(e) == KIND_META)
		return s->looked == LOOK;
	kind = json_inner(kind);
	s->report = str_starts(kind, STR("groupby"));
	if (s->report) {
		s->fields = &foreign_event;
		kind = str_from(kind, strlen("groupby/"));
	}
	found = find_kind(kind);
	if (found) {
		s->fields = found;
		s->report |= found->report;
	}
	return true;
}

bool source_kind_is_ours(const struct source_kind *s)
{
	return s->report || (s->fields && s->fields->name);
}

enum column_kind source_kind_member(const struct source_kind *s, struct str name)
{
	const struct member_kinds *k = s->fields ? s->fields : &foreign;

	if (str_starts(name, STR("args.")))
		name = str_from(name, strlen("args."));
	if (str_in_words(name, k->stamps))
		return COLUMN_STAMP;
	if (str_in_words(name, k->times))
		return COLUMN_TIME;
	if (str_in_words(name, k->sizes))
		return COLUMN_SIZE;
	if (str_in_words(name, k->shares) || (s->report && str_eq(name, STR("share"))))
		return COLUMN_SHARE;
	return COLUMN_ANY;
}

void source_kind_summary(const struct source_kind *s, struct buf *json)
{
	buf_lit(json, "\"groupby");
	if (s->fields && s->fields->name) {
		buf_char(json, '/');
		buf_add(json, s->fields->name, strlen(s->fields->name));
	}
	buf_char(json, '"');
}

/* --- as text --- */

#define REPORT_PREFIX "groupby/"

/* The names of sources whose records are foreign. */
static const struct {
	const char *name;
	const struct member_kinds *fields;
} others[] = {{"none", NULL}, {"members", &foreign}, {"times", &foreign_event}};

enum { OTHERS = sizeof others / sizeof *others };

void source_kind_write(const struct source_kind *s, struct buf *json)
{
	size_t i;

	buf_char(json, '"');
	if (s->report && !(s->fields && s->fields->report))
		buf_lit(json, REPORT_PREFIX);
	for (i = 0; i < OTHERS; i++) {
		if (s->fields == others[i].fields)
			buf_add(json, others[i].name, strlen(others[i].name));
	}
	if (s->fields && s->fields->name)
		buf_add(json, s->fields->name, strlen(s->fields->name));
	buf_char(json, '"');
}

bool source_kind_read(struct source_kind *s, struct str name)
{
	size_t i;

	s->report = str_starts(name, STR(REPORT_PREFIX));
	name = str_from(name, s->report ? strlen(REPORT_PREFIX) : 0);
	for (i = 0; i < OTHERS; i++) {
		s->fields = others[i].fields;
		if (str_eq(name, str_of(others[i].name)))
			return true;
	}
	s->fields = find_kind(name);
	s->report |= s->fields && s->fields->report;
	return s->fields != NULL;
}

static int source_rank(const struct source_kind *s)
{
	return source_kind_is_ours(s) ? 3 : s->fields == &foreign_event ? 2 : s->fields ? 1 : 0;
}

int source_kind_compare(const struct source_kind *a, const struct source_kind *b)
{
	return source_rank(a) - source_rank(b);
}

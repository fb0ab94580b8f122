/*
 * gpu-busy: measures how long devices and streams were busy, with which types of work, and why they were idle.
 *
 * in:  {"ts":100,"dur":50,"kind":"kernel","name":"gemm","dev":0,"stream":7,"api":{"ts":80,"dur":10}}
 *      {"ts":120,"dur":50,"kind":"kernel","name":"ncclDevKernel","dev":0,"stream":9,"api":{"ts":90,"dur":10}}
 *      {"ts":200,"dur":10,"kind":"memcpy","name":"Memcpy HtoD","dev":0,"stream":7,"api":{"ts":190,"dur":15}}
 * out: {"kind":"gpu-busy","dev":0,"count":3,"span":110,"busy":80,"idle":30,"compute_time":50,"comm_time":50,
 *       "memory_time":10,"other_time":0,"overlap_time":30,"concurrent":30,"busy_share":0.7272727272727273,
 *       "overlap_share":0.6,"host_wait":30,"kernel_wait":0,"other_wait":0}
 */
#include "program/input_options.h"
#include "gpu_busy.h"
#include "json/write.h"
#include "record/event_attach.h"

#include <inttypes.h>

/* With -g group_names[i], each place has i + 1 members. */
static const char *const group_names[] = {"all", "dev", "stream", NULL};

/* The arguments of --host. */
static const char *const host_names[] = {"op", "api", "range", NULL};

/* The arguments of --sets: enum gpu_busy_sets. */
static const char *const set_names[] = {"types", "streams", NULL};

#define TO(member) OPT_TO(struct gpu_busy, member)
static const struct opt options[] = {
    {'g', "group", OPT_CHOICE("all|dev|stream", group_names), TO(level),
	"write one record for each rank (all), device (dev, default) or stream"},
    {'k', "kind", OPT_SET("KIND,...", event_kind_names), TO(kinds),
	"count device records of these kinds as work\n"
	"(default kernel,memcpy,memset)"},
    {SETS, "sets", OPT_CHOICE_OPTIONAL("types|streams", set_names), OPT_TAKE,
	"write one record for each set of types of work that ran at the same\n"
	"time, such as COMPUTATION overlapping MEMORY, or for each number of\n"
	"streams that ran at the same time (default types)"},
    {EVERY, "every", OPT_TIME("T", 1), OPT_TAKE, "write one record for each slice of T, such as 10ms"},
    {ORIGIN, "origin", OPT_TIME("TIME", INT64_MIN), OPT_TAKE,
	"with --every: a slice begins at TIME, and at each multiple of T before and\n"
	"after it (default 0)"},
    {WITHIN, "within", OPT_TEXT("REGEX"), OPT_TAKE,
	"divide each step into computation, exposed communication, memory\n"
	"operations, other work, waits for the host and pauses; a step lasts from\n"
	"the start of a range with a matching name to the start of the next one;\n"
	"with --gaps: write only idle time after the start of the first step"},
    {'r', "range", OPT_SET("KIND,...", event_kind_names), TO(range_kinds),
	"with --within: use records of these kinds as ranges (default range)"},
    {WHOLE, "whole", OPT_FLAG, OPT_TAKE,
	"write the record of --within for one window, from the start of the first\n"
	"work to the end of the last"},
    {EXPOSED, "exposed", OPT_TEXT("KEY"), OPT_TAKE,
	"write the time in which communication runs without computation, for each\n"
	"value of the field KEY of communication kernels, such as short or range"},
    {GAPS, "gaps", OPT_FLAG, OPT_TAKE,
	"write one record for each idle interval, with its cause (the cause\n"
	"host_wait needs corr-join)"},
    {0, "host", OPT_CHOICE("op|api|range", host_names), TO(host),
	"with --gaps: write only gaps with the cause host_wait, divided by the\n"
	"activity of the host: the innermost range of the process, and for the\n"
	"thread that launched the next work the innermost operator or call (op)\n"
	"or the innermost call (api); range: only the range"},
    {0, "memory", OPT_SIZE("SIZE", 0), TO(memory),
	"with --host: use at most this much memory for records of the host\n"
	"(default 64MiB); the rest goes to a temporary file"},
    {0, "min", OPT_TIME("T", 0), TO(busy_options.min),
	"with --gaps: write only gaps of at least T (default 1ns); 0 includes\n"
	"gaps of length 0"},
    {0, "wait", OPT_TIME("T", 0), TO(busy_options.wait),
	"do not count gaps of at least T as kernel_wait (default 30us)"},
    {QUEUE, "queue", OPT_FLAG, OPT_TAKE, "write the queue lengths of streams, one record for each change"},
    {BANDWIDTH, "bandwidth", OPT_FLAG, OPT_TAKE,
	"write the bandwidth of copies and memsets in GB/s, one record for each\n"
	"change"},
    {TYPES, "types", OPT_FLAG, OPT_TAKE, "write the device records themselves, each with its type of work"},
    {0, "horizon", OPT_TIME("T", 0), TO(horizon),
	"with --queue: maximum time from the launch of work to its start\n"
	"(default 10s)"},
    {0, "comm", OPT_TEXT("REGEX"), TO(regex[WORK_COMM]), "count kernels with matching names as communication"},
    {0, "memory-ops", OPT_TEXT("REGEX"), TO(regex[WORK_MEMORY]),
	"count kernels with matching names as memory operations"},
    {0, "other", OPT_TEXT("REGEX"), TO(regex[WORK_OTHER]),
	"count kernels with matching names as other work, not as computation"},
    {0},
};

static const struct opt_program program = {
    "Measures how long devices were busy and why they were idle. Needs input in ts order.",
    "[-g all|dev|stream] [-k KIND,...] [--sets[=types|streams] | --every T [--origin TIME] | "
    "--within REGEX [-r KIND,...] | --whole | --exposed KEY | --gaps [--min T] [--host op|api|range] [--within REGEX] "
    "| --queue | --bandwidth | --types] [--wait T] [--comm REGEX] [--memory-ops REGEX] [--other REGEX] [--horizon T] "
    "[--memory SIZE] [FILE...]",
    "trace2ndjson run.json.gz | ts-sort | corr-join --sorted | gpu-busy -g stream | ndjson2table",
};

static void write_type(struct gpu_busy *f, struct event *e, enum event_kind kind)
{
	f->type.n = 0;
	json_write_text(&f->type, "type", str_of(work_type_name(work_types_of(f->types, kind, e))));
	scan_pad(&f->type);
	event_attach_write(&f->out, e, json_write_str(&f->type));
}

static bool is_one_of(uint32_t kinds, enum event_kind kind)
{
	return kind != KIND_N && kinds >> kind & 1;
}

/* For input.reads: reads the members of work that use_record() needs. */
static void read_work(void *arg, struct event *e)
{
	const struct gpu_busy *f = arg;
	const enum event_kind kind = event_get_kind(e);

	if (!is_one_of(f->kinds | f->range_kinds | f->host_kinds, kind))
		return;
	event_walk(e);
	if (f->mode == BANDWIDTH || f->windows || f->exposed)
		event_check(e, event_get(e, EVENT_ARGS));
	if (f->exposed) /* the key may be in any part of the record */
		event_check(e, event_get(e, EVENT_SRC));
}

static void take_queued(struct gpu_busy *f, struct event *e)
{
	switch (counter_series_queue(f->series, e)) {
	case COUNTER_SERIES_EARLY:
		input_lost(&f->in, "device record starts before its call (clocks disagree); left out of its queue");
		break;
	case COUNTER_SERIES_FAR:
		input_lost(&f->in, "device record starts more than --horizon after its call; left out of its queue");
		break;
	case COUNTER_SERIES_WITHOUT:
	case COUNTER_SERIES_TAKEN:
		break;
	}
}

/* Begins the window of a range that --within selects. */
static void take_range(struct gpu_busy *f, struct event *e)
{
	const struct str name = event_get(e, EVENT_NAME);
	struct str preceding;

	if (name_match_first(&f->within, name) == NAME_MATCH_NONE)
		return;
	if (!event_has_time(e) || !input_in_order(&f->in, e->ts))
		return;
	if (!f->windows) {
		busy_time_begin(f->busy, e);
		f->begun = true;
		return;
	}
	if (!event_get(e, EVENT_DUR).p)
		input_warning(
		    &f->in, "range without an end; its window lasts to the next range or to the end of the last work");
	if (!busy_windows_begin(f->windows, e, &preceding))
		die("%s:%" PRIu64 ": the ranges %.*s and %.*s overlap; change --within to match only one of them",
		    f->in.file, f->in.line, STR_FMT(preceding), STR_FMT(name));
}

static void use_record(struct gpu_busy *f, struct event *e)
{
	const enum event_kind kind = event_get_kind(e);

	if (is_one_of(f->range_kinds, kind))
		take_range(f, e);
	if (is_one_of(f->host_kinds, kind) && event_has_time(e) && input_in_order(&f->in, e->ts))
		idle_host_add(f->idle_host, e, kind);
	if (!is_one_of(f->kinds, kind))
		return;
	if (f->mode == TYPES) { /* this mode accepts records without ts, in any order */
		write_type(f, e, kind);
		return;
	}
	if (!event_has_time(e) || !input_in_order(&f->in, e->ts))
		return;
	if (f->mode == QUEUE) {
		take_queued(f, e);
	} else if (f->windows) {
		busy_windows_add(f->windows, e, kind);
	} else if (f->exposed) {
		exposed_time_add(f->exposed, e, kind);
	} else if (f->mode == BANDWIDTH) {
		counter_series_bandwidth(f->series, e);
	} else {
		if (f->mode == EVERY && !busy_time_pass(f->busy, e->ts))
			input_lost(&f->in, TOO_MANY);
		busy_time_add(f->busy, e, kind);
	}
}

int main(int argc, char **argv)
{
	struct gpu_busy f = {.in.times = INPUT_TIMED,
	    .level = -1,
	    .host = -1,
	    .memory = SIZE_MAX,
	    .busy_options = {.min = -1, .wait = 30000},
	    .horizon = -1};
	const struct opt_table tables[] = {{options, &f, gpu_busy_take_option}, INPUT_OPTIONS(&f.in), {0}};
	struct event e;
	char **operands;

	err_init(argv[0]);
	operands = opt_read(&program, argc, argv, tables);
	gpu_busy_init(&f);
	input_stop_on_signal();
	f.in.reads = read_work;
	f.in.reads_arg = &f;
	filter_open(&f.in, operands, &f.out);
	while (input_next(&f.in, &e))
		use_record(&f, &e);
	if (filter_in_order(&f.in, argv, operands))
		gpu_busy_end(&f);
	busy_time_free(f.busy);
	counter_series_free(f.series);
	if (f.idle_host)
		idle_host_free(f.idle_host);
	if (f.exposed)
		exposed_time_free(f.exposed);
	field_free(&f.exposed_key);
	if (f.windows)
		busy_windows_free(f.windows);
	name_match_free(&f.within);
	work_types_free(f.types);
	buf_free(&f.type);
	return filter_close(&f.in);
}

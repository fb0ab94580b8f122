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
#include "record/event_attach.h"
#include "busy_time.h"
#include "cli/filter.h"
#include "cli/input_options.h"
#include "json/write.h"
#include "counter_series.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { EVERY = 256, SETS, GAPS, QUEUE, BANDWIDTH, TYPES };

/* With -g group_names[i], each place has i + 1 members. */
static const char *const group_names[] = {"all", "dev", "stream", NULL};

/* The arguments of --sets. */
enum { SETS_TYPES, SETS_STREAMS };
static const char *const set_names[] = {"types", "streams", NULL};

struct gpu_busy {
	struct input in;
	struct out out;
	int mode;             /* letter of the option that selects the output; 0: the sums */
	char mode_option[32]; /* name of this option, as in struct opt_value; not set if mode is 0 */
	int sets;             /* --sets: index in set_names */
	int level;            /* -g: index in group_names; -1: not given */
	uint32_t kinds;
	const char *regex[WORK_N]; /* --comm, --memory-ops, --other */
	struct work_types *types;
	struct busy_time_options busy_options;
	struct busy_time *busy;
	int64_t horizon;
	struct counter_series *series;
	struct buf type; /* the member that --types adds */
};

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
    {GAPS, "gaps", OPT_FLAG, OPT_TAKE,
	"write one record for each idle interval, with its cause (never host_wait\n"
	"without corr-join)"},
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
    /* --memory was renamed, because it takes a size in other programs */
    {0, "memory", OPT_RENAMED("--memory-ops"), OPT_TAKE, ""},
    {0},
};

static const struct opt_program program = {
    "Measures how long devices were busy and why they were idle. Needs input in ts order.",
    "[-g all|dev|stream] [-k KIND,...] [--sets[=types|streams] | --every T | --gaps [--min T] | --queue | "
    "--bandwidth | --types] [--wait T] [--comm REGEX] [--memory-ops REGEX] [--other REGEX] "
    "[--horizon T] [FILE...]",
    "trace2ndjson run.json.gz | ts-sort | corr-join --sorted | gpu-busy -g stream | ndjson2table",
};

/* A pipeline that joins device records to their calls, even if the clocks of host and device differ. */
#define JOINED "... | ts-sort | corr-join --sorted --lead 250ms | "

#define TOO_MANY "more than 1000000 slices in which no work starts; only the first one is written"

static void write_type(struct gpu_busy *f, struct event *e, enum event_kind kind)
{
	f->type.n = 0;
	json_write_text(&f->type, "type", str_of(work_type_name(work_types_of(f->types, kind, e))));
	scan_pad(&f->type);
	event_attach_write(&f->out, e, json_write_str(&f->type));
}

/* For input.reads: reads the members of work that take() needs. */
static void read_record(void *arg, struct event *e)
{
	const struct gpu_busy *f = arg;
	const enum event_kind kind = event_get_kind(e);

	if (kind == KIND_N || !(f->kinds >> kind & 1))
		return;
	event_walk(e);
	if (f->mode == BANDWIDTH)
		event_check(e, event_get(e, EVENT_ARGS));
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

static void take(struct gpu_busy *f, struct event *e)
{
	const enum event_kind kind = event_get_kind(e);

	if (kind == KIND_N || !(f->kinds >> kind & 1))
		return;
	if (f->mode == TYPES) { /* this mode accepts records without ts, in any order */
		write_type(f, e, kind);
		return;
	}
	if (!event_has_time(e) || !input_in_order(&f->in, e->ts))
		return;
	if (!event_get(e, EVENT_DUR).p) {
		e->dur = 0;
	} else if (e->dur < 0) {
		input_warning(&f->in, "negative dur; treated as 0");
		e->dur = 0;
	}
	if (f->mode == QUEUE) {
		take_queued(f, e);
	} else if (f->mode == BANDWIDTH) {
		counter_series_bandwidth(f->series, e);
	} else {
		if (f->mode == EVERY && !busy_time_pass(f->busy, e->ts))
			input_lost(&f->in, TOO_MANY);
		busy_time_add(f->busy, e, kind);
	}
}

/* --- end of input --- */

static void finish(struct gpu_busy *f)
{
	const struct busy_time_counts *counts = busy_time_counts(f->busy);
	const uint64_t without = counter_series_without(f->series);
	/* If a script runs this program, the script has already joined the records, so messages suggest no command. */
	const bool script = strcmp(err_command(), err_prog()) != 0;
	const char *run = script ? "" : "; run: " JOINED, *filter = script ? "" : err_prog();

	if (!busy_time_end(f->busy))
		input_lost(&f->in, TOO_MANY);
	counter_series_end(f->series);
	if (!f->mode)
		busy_time_write_sums(f->busy);
	else if (f->mode == SETS)
		(f->sets == SETS_STREAMS ? busy_time_write_streams : busy_time_write_types)(f->busy);
	if (counts->causeless && (!f->mode || f->mode == GAPS))
		note("%" PRIu64
		     " idle intervals end with work that has no call (api); their causes are guessed from their "
		     "lengths%s%s",
		    counts->causeless, run, filter);
	if (counts->early && (!f->mode || f->mode == GAPS))
		warn("%" PRIu64
		     " idle intervals end with work that starts before its call (clocks disagree); host_wait may "
		     "not be their cause",
		    counts->early);
	if (without && f->mode == QUEUE)
		warn("%" PRIu64 " device records have no call (api) and are left out of all queues%s%s%s", without, run,
		    filter, script ? "" : " --queue");
	if (without && f->mode == BANDWIDTH)
		warn("%" PRIu64 " copies and memsets left out: bandwidth unknown (no bytes or no dur)", without);
}

/* --- options --- */

/* Takes an option that selects the output. */
static void take_mode(void *arg, const struct opt_value *v)
{
	struct gpu_busy *f = arg;

	if (f->mode && f->mode != v->opt->letter)
		opt_excluded(f->mode_option, v->option);
	memcpy(f->mode_option, v->option, sizeof f->mode_option);
	f->mode = v->opt->letter;
	if (f->mode == EVERY)
		f->busy_options.slice = v->number;
	if (f->mode == SETS)
		f->sets = (int)v->number;
}

/* Call it after all options were read. */
static void init(struct gpu_busy *f)
{
	struct places places = {.members = {EVENT_RANK, EVENT_DEV, EVENT_STREAM}};

	if (!f->kinds)
		f->kinds = 1u << KIND_KERNEL | 1u << KIND_MEMCPY | 1u << KIND_MEMSET;
	if (f->mode == BANDWIDTH)
		f->kinds &= 1u << KIND_MEMCPY | 1u << KIND_MEMSET;
	f->types = work_types_new(f->regex);
	f->busy_options.gaps = f->mode == GAPS;
	places.n_members = f->level >= 0 ? (size_t)f->level + 1 : 2;
	f->busy = busy_time_new(&f->busy_options, &places, f->types, &f->out);
	places.n_members = f->level >= 0 ? (size_t)f->level + 1 : 3;
	if (f->mode == BANDWIDTH)
		places.members[2] = EVENT_NAME;
	f->series = counter_series_new(
	    &places, f->mode == QUEUE ? STR("\"queue\"") : (struct str){NULL, 0}, f->horizon, &f->out);
}

int main(int argc, char **argv)
{
	struct gpu_busy f = {
	    .in.times = INPUT_TIMED, .level = -1, .busy_options = {.min = 1, .wait = 30000}, .horizon = 10000000000};
	const struct opt_table tables[] = {{options, &f, take_mode}, INPUT_OPTIONS(&f.in), {0}};
	struct event e;
	char **operands;

	err_init(argv[0]);
	operands = opt_read(&program, argc, argv, tables);
	init(&f);
	input_stop_on_signal();
	f.in.reads = read_record;
	f.in.reads_arg = &f;
	filter_open(&f.in, operands, &f.out);
	while (input_next(&f.in, &e))
		take(&f, &e);
	if (filter_in_order(&f.in, argv, operands))
		finish(&f);
	busy_time_free(f.busy);
	counter_series_free(f.series);
	work_types_free(f.types);
	buf_free(&f.type);
	return filter_close(&f.in);
}

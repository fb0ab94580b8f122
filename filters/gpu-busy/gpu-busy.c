/*
 * gpu-busy: measures how long devices and streams were busy, and with which types of work.
 *
 * in:  {"ts":100,"dur":50,"kind":"kernel","name":"gemm","dev":0,"stream":7,"api":{"ts":80,"dur":10}}
 *      {"ts":120,"dur":50,"kind":"kernel","name":"cross_device_reduce_1stage","dev":0,"stream":9,"api":{"ts":90}}
 *      {"ts":200,"dur":10,"kind":"memcpy","name":"Memcpy HtoD","dev":0,"stream":7,"api":{"ts":190,"dur":15}}
 * out: {"kind":"gpu-busy","dev":0,"count":3,"span":110,"busy":80,"idle":30,"compute_time":50,"comm_time":50,
 *       "memory_time":10,"other_time":0,"overlap_time":30,"concurrent":30,"busy_share":0.7272727272727273,
 *       "overlap_share":0.6,"host_wait":30,"kernel_wait":0,"other_wait":0}
 */
#include "program/input_options.h"
#include "program/work_options.h"
#include "busy_time.h"
#include "busy_windows.h"
#include "json/write.h"
#include "program/filter.h"
#include "program/opt_fields.h"
#include "record/event_attach.h"

#include <inttypes.h>

/* The options without letters that select the output, and ORIGIN. */
enum { EVERY = 256, SETS, WITHIN, WHOLE, TYPES, ORIGIN };

/* The arguments of --sets. */
static const char *const set_names[] = {"types", "streams", NULL};

struct gpu_busy {
	struct input in;
	struct out out;
	int mode;             /* letter of the option that selects the output; 0: the sums */
	char mode_option[32]; /* name of this option, as in struct opt_value; not set if mode is 0 */
	struct work_options work;
	struct work_types types;
	/* sums, --sets, --every */
	bool streams;    /* --sets=streams */
	bool has_origin; /* --origin is given */
	struct busy_time_slices slices;
	struct busy_time *busy;
	/* --within, --whole */
	const char *regex; /* --within */
	struct name_match within;
	uint32_t range_kinds; /* -r; 0 without --within */
	bool begun, operator; /* a range matched; an operator, which is no range without -r, matched */
	struct busy_windows_options window_options;
	struct busy_windows *windows;
	struct buf type; /* the member that --types adds */
};

#define TOO_MANY "more than 1000000 slices in which no work starts; only the first one is written"

static const struct opt options[] = {
    {SETS, "sets", OPT_CHOICE_OPTIONAL("types|streams", set_names), OPT_TAKE,
	"write one record for each set of types of work that ran at the same\n"
	"time, such as COMPUTATION overlapping MEMORY, or for each number of\n"
	"streams that ran at the same time (default types)"},
    {EVERY, "every", OPT_TIME("T", 1), OPT_TAKE, "write one record for each slice of T, such as 10ms"},
    {ORIGIN, "origin", OPT_TIME("TIME", INT64_MIN), OPT_TAKE,
	"with --every: slices begin at TIME plus multiples of T (default 0)"},
    {WITHIN, "within", OPT_TEXT("REGEX"), OPT_TAKE,
	"divide each step into computation, exposed communication, memory\n"
	"operations, other work and idle time by cause; a step lasts from the\n"
	"start of a range with a matching name to the start of the next one"},
    {'r', "range", OPT_SET("KIND,...", event_kind_names), OPT_TO(struct gpu_busy, range_kinds),
	"with --within: use records of these kinds as ranges (default range)"},
    {0, "all-work", OPT_FLAG, OPT_TO(struct gpu_busy, window_options.all),
	"with --within: the last step lasts to the end of the work; a rank\n"
	"without steps has the window of --whole"},
    {0, "by-launch", OPT_FLAG, OPT_TO(struct gpu_busy, window_options.by_launch),
	"with --within: a step begins on a device when its range has begun and all\n"
	"work that was launched before has ended (default: if kernels start more\n"
	"than a fifth of a step after their launch)"},
    {0, "pieces", OPT_FLAG, OPT_TO(struct gpu_busy, window_options.pieces),
	"with --within: also write the records of communication, with the parts\n"
	"in which it is exposed, and of the host; see gpu-exposed(1)"},
    {WHOLE, "whole", OPT_FLAG, OPT_TAKE,
	"write the record of --within for the whole trace, from the start of the\n"
	"first work to the end of the last"},
    {TYPES, "types", OPT_FLAG, OPT_TAKE, "write the device records themselves, each with its type of work"},
    {0},
};

/* Options of versions before 0.4.0. */
static const struct opt former_options[] = {
    {'g', "group", OPT_RENAMED("per"), OPT_TAKE, NULL},
    {0, "exposed", OPT_REPLACED("KEY", "gpu-exposed -g KEY"), OPT_TAKE, NULL},
    {0, "gaps", OPT_REPLACED(NULL, "gpu-gaps"), OPT_TAKE, NULL},
    {0, "min", OPT_REPLACED("T", "gpu-gaps --min T"), OPT_TAKE, NULL},
    {0, "host", OPT_REPLACED("op|api|range", "gpu-gaps --host op|api|range"), OPT_TAKE, NULL},
    {0, "memory", OPT_REPLACED("SIZE", "gpu-gaps --host op|api|range --memory SIZE"), OPT_TAKE, NULL},
    {0, "wait", OPT_REPLACED("T", "gpu-gaps --wait T | groupby -g dev,cause -a sum"), OPT_TAKE, NULL},
    {0, "queue", OPT_REPLACED(NULL, "gpu-counters queue"), OPT_TAKE, NULL},
    {0, "horizon", OPT_REPLACED("T", "gpu-counters queue --horizon T"), OPT_TAKE, NULL},
    {0, "bandwidth", OPT_REPLACED(NULL, "gpu-counters bandwidth"), OPT_TAKE, NULL},
    {0},
};

static const struct opt_program program = {
    "Measures how long devices were busy, and with which types of work.",
    "[--per all|dev|stream] [-k KIND,...] [--sets[=types|streams] | --every T [--origin TIME] | "
    "--within REGEX [-r KIND,...] [--all-work] [--by-launch] [--pieces] | --whole | --types] [--comm REGEX] "
    "[--memory-ops REGEX] "
    "[--other "
    "REGEX] "
    "[--kernel-names FILE] [FILE...]",
    "trace2ndjson run.json.gz | ts-sort | corr-join --sorted | gpu-busy --per stream | ndjson2table",
    .reads = "records (kernel, memcpy, memset, range)",
    .writes = "records (gpu-busy, counter)",
    .needs = "ts order, corr-join for causes of idle time",
};

static void take_option(void *arg, const struct opt_value *v)
{
	struct gpu_busy *f = arg;

	if (v->opt->letter == ORIGIN) {
		f->slices.origin = v->number;
		f->has_origin = true;
		return;
	}
	if (f->mode && f->mode != v->opt->letter)
		opt_excluded(f->mode_option, v->option);
	memcpy(f->mode_option, v->option, sizeof f->mode_option);
	f->mode = v->opt->letter;
	if (f->mode == EVERY)
		f->slices.length = v->number;
	if (f->mode == SETS)
		f->streams = v->number;
	if (f->mode == WITHIN) {
		f->regex = v->text;
		opt_name_regex(&f->within, v->option, v->text);
	}
}

/* Checks the options after all were read, and prepares the modules that compute the output. */
static void init(struct gpu_busy *f)
{
	const struct places places = work_options_places(&f->work);
	const char *of_windows = f->range_kinds                ? "-r"
				 : f->window_options.all       ? "--all-work"
				 : f->window_options.by_launch ? "--by-launch"
				 : f->window_options.pieces    ? "--pieces"
							       : NULL;

	if (of_windows && !f->regex)
		opt_needs(of_windows, "--within");
	if (f->regex && !f->range_kinds)
		f->range_kinds = 1u << KIND_RANGE;
	if (f->has_origin && f->mode != EVERY)
		opt_needs("--origin", "--every");
	work_options_types(&f->work, &f->types);
	f->window_options.whole = f->mode == WHOLE;
	if (f->mode == WITHIN || f->mode == WHOLE)
		f->windows = busy_windows_new(&f->window_options, &places, &f->types, &f->out);
	else
		f->busy = busy_time_new(&f->slices, &places, &f->types, &f->out);
}

/* Reports a step that overlaps the preceding one, and ends the program. Scripts read the record. */
static void refuse_overlap(struct gpu_busy *f, struct event *e, struct str preceding)
{
	const struct str name = event_get(e, EVENT_NAME);
	struct buf overlaps = {0};
	struct event step;

	warn("%s:%" PRIu64 ": the ranges %.*s and %.*s overlap; change --within to match only one of them", f->in.file,
	    f->in.line, STR_FMT(preceding), STR_FMT(name));
	event_clear(&step);
	event_set_ts(&step, e->ts);
	event_set_dur(&step, event_duration(e));
	event_set(&step, EVENT_KIND, STR("\"gpu-busy\""));
	event_set(&step, EVENT_NAME, name);
	json_write_json(&overlaps, "overlaps", preceding);
	event_write_attached(&f->out, &step, &overlaps);
	filter_close_output(&f->out, NULL);
	quit(STATUS_FAIL);
}

/* Begins the window of a range that --within selects. */
static void take_range(struct gpu_busy *f, struct event *e)
{
	struct str preceding;

	if (name_match_first(&f->within, event_get(e, EVENT_NAME)) == NAME_MATCH_NONE)
		return;
	f->begun = true;
	if (!event_has_time(e) || !input_in_order(&f->in, e->ts))
		return;
	if (!event_get(e, EVENT_DUR).p)
		input_warning(
		    &f->in, "range without an end; its window lasts to the next range or to the end of the last work");
	if (!busy_windows_begin(f->windows, e, &preceding))
		refuse_overlap(f, e, preceding);
}

static void take_work(struct gpu_busy *f, struct event *e, enum event_kind kind)
{
	if (f->mode == TYPES) { /* this mode accepts records without ts, in any order */
		f->type.n = 0;
		json_write_text(&f->type, "type", str_of(work_type_name(work_types_of(&f->types, kind, e))));
		scan_pad(&f->type);
		event_attach_write(&f->out, e, buf_str(&f->type));
		return;
	}
	if (!event_has_time(e) || !input_in_order(&f->in, e->ts))
		return;
	if (f->windows) {
		busy_windows_add(f->windows, e, kind);
		return;
	}
	if (f->mode == EVERY && !busy_time_pass(f->busy, e->ts))
		input_lost(&f->in, TOO_MANY);
	busy_time_add(f->busy, e, kind);
}

static void finish_windows(struct gpu_busy *f)
{
	const struct busy_windows_counts *counts = busy_windows_counts(f->windows);

	busy_windows_write(f->windows);
	if (counts->outside)
		note("%" PRIu64 " device records left out: no range of their rank matches '%s' (--within)",
		    counts->outside, f->regex);
	if (counts->workless)
		note("%" PRIu64 " ranges left out: no device records of their rank", counts->workless);
	if (counts->mixed)
		note("ranks whose steps have work of earlier steps: %" PRIu64
		     ", because kernels start late after their launch, and some calls (api) are unknown",
		    counts->mixed);
	work_options_report_idle(&counts->idle);
	if (counts->written)
		return;
	if (f->mode == WHOLE)
		warn("no device records");
	else
		warn("no device records in ranges that match '%s' (--within)%s", f->regex,
		    f->operator? "; operators do: add -r range,op" : "");
	f->in.diagnostics.lost = true;
}

static void write_result(struct gpu_busy *f)
{
	if (f->windows) {
		finish_windows(f);
		return;
	}
	if (!busy_time_end(f->busy))
		input_lost(&f->in, TOO_MANY);
	if (f->mode == SETS)
		(f->streams ? busy_time_write_streams : busy_time_write_types)(f->busy);
	if (!f->mode) {
		busy_time_write_sums(f->busy);
		work_options_report_idle(busy_time_counts(f->busy));
	}
}

int main(int argc, char **argv)
{
	struct gpu_busy f = {.in.times = INPUT_TIMED, .work.per = WORK_PER_DEV};
	const struct opt_table tables[] = {WORK_OPTIONS(&f.work), {options, &f, take_option},
	    WORK_TYPE_OPTIONS(&f.work), INPUT_OPTIONS(&f.in), {former_options, NULL, NULL}, {0}};
	enum event_kind kind;
	bool works = false; /* there are device records */
	struct event e;
	char **operands;

	err_init(argv[0]);
	operands = opt_read(&program, argc, argv, tables);
	init(&f);
	input_stop_on_signal();
	input_uses_members(&f.in, work_options_kinds(&f.work) | f.range_kinds,
	    INPUT_MEMBERS | (uint32_t)(f.windows != NULL) << EVENT_ARGS);
	filter_open(&f.in, operands, &f.out);
	while (input_next(&f.in, &e)) {
		kind = event_get_kind(&e);
		if (kind != KIND_N && f.range_kinds >> kind & 1)
			take_range(&f, &e);
		else if (f.regex && kind == KIND_OP && !f.begun && !f.operator)
			f.operator= name_match_first(&f.within, event_get(&e, EVENT_NAME)) != NAME_MATCH_NONE;
		if (work_options_take_kind(&f.work, kind)) {
			take_work(&f, &e, kind);
			works = true;
		}
		if (f.window_options.pieces && !(work_options_take_kind(&f.work, kind) && event_has_time(&e)))
			event_copy(&f.out, &e);
	}
	if (filter_in_order(&f.in, argv, operands)) {
		filter_hint_kinds(&f.in, work_options_kinds(&f.work), works || f.windows); /* windows say it */
		write_result(&f);
	}
	if (f.busy)
		busy_time_free(f.busy);
	if (f.windows)
		busy_windows_free(f.windows);
	name_match_free(&f.within);
	work_types_free(&f.types);
	buf_free(&f.type);
	return filter_close(&f.in);
}

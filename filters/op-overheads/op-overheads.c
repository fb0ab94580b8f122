/*
 * op-overheads: what the host adds round the launches of each operator: T1 to T5, by operator.
 *
 * in:  {"ts":0,"dur":40000,"kind":"op","name":"aten::mm","pid":7,"tid":7}
 *      {"ts":12000,"dur":9000,"kind":"api","name":"cudaLaunchKernel","pid":7,"tid":7,"corr":5}
 * out: {"type":"op","name":"aten::mm","count":1,"mean":40000,"std":0,"launches":["cudaLaunchKernel"]}
 *      {"type":"t2","name":"aten::mm","count":1,"mean":12000,"std":0}
 *      {"type":"t3","name":"aten::mm","count":1,"mean":17000,"std":0}
 *      {"type":"t4","name":"cudaLaunchKernel","count":1,"mean":4000,"std":0}
 *      {"type":"t5","name":"aten::mm","count":1,"mean":0,"std":0}
 */
#include "record/input.h"
#include "record/event_api.h"
#include "overhead_table.h"
#include "cli/filter.h"
#include "cli/name_options.h"
#include "cli/options.h"
#include "record/ts_order.h"
#include "overheads.h"
#include "json/write.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	EACH = INPUT_OPTION_END, BY_SHAPE, ALL_THREADS, CLAMP, OUTLIERS, LAUNCH, BOUND,
	EVENT, DEVICE, LENGTH, GAP, WIDE, REPORT
};

static const struct opt options[] = {
    {EACH, "each", NULL, "one record for each value, instead of counts, means and deviations"},
    {BY_SHAPE, "by-shape", NULL, "apart by the shapes of the operator's inputs too"},
    {ALL_THREADS, "all-threads", NULL, "T1 between operators that follow each other on any threads"},
    {CLAMP, "clamp", NULL, "what is less than 0 counts as 0; T1 only where there is a gap"},
    {OUTLIERS, "outliers", "iqr", "leave out what is more than 1.5 interquartile ranges outside the\n"
				  "quartiles"},
    {LAUNCH, "launch", "REGEX", "calls that launch, by name"},
    {BOUND, "bound", "REGEX", "calls that T2, T3 and T5 reach to as to launches"},
    {EVENT, "event-overhead", "T", "what the profiler adds to each event of the host (2us)"},
    {DEVICE, "device-overhead", "T", "what it adds to a launch for the device's event (4us)"},
    {LENGTH, "launch-length", "T", "how long a launch takes under the profiler (10us)"},
    {GAP, "max-gap", "T", "T1 only where operators are closer than this (200us)"},
    {'u', "unit", "UNIT", "times in this unit (ns, us, ms, s)"},
    {'o', "output", "FORMAT", "ndjson csv tsv md table list, or json: one object as ml_perf_model has it,\n"
			      "in microseconds (table on a terminal, else ndjson)"},
    {WIDE, "wide", NULL, "names whole in tables"},
    {REPORT, "report", NULL, "how many operators and launches there were, on standard error"},
    INPUT_OPTIONS,
    {0},
};

static const struct program program = {
    "Tells what the host adds round the launches of operators. Needs ts order, or what call-tree writes.",
    "[--each] [--by-shape] [--all-threads] [--clamp] [--outliers iqr] [--launch REGEX] [--bound REGEX] "
    "[--event-overhead T] [--device-overhead T] [--launch-length T] [--max-gap T] [-u UNIT] [-o FORMAT] "
    "[--wide] [--report] [FILE...]",
    "trace2ndjson run.json.gz | ts-sort | call-tree | op-overheads -o table",
    options,
};

struct filter {
	struct overheads overheads;
	struct overhead_table stats;
	struct table_options table;
	struct ts_order order;
	struct out out;
	int64_t device, length;
	bool each, json, report;
	bool any;        /* a record has come */
	struct buf text; /* --each: the members behind the name */
};

/* --- options --- */

#define FORMAT_NAME(id, name, help) name,
static const char *const formats[] = {TABLE_FORMATS(FORMAT_NAME) "json"}; /* as enum table_format, and one more */

static const char *format_name(size_t i)
{
	return i <= TABLE_N ? formats[i] : NULL;
}

static void take_format(struct filter *f, const char *arg)
{
	size_t i;

	for (i = 0; i <= TABLE_N && !str_eq(str_of(arg), str_of(formats[i])); i++)
		;
	if (i > TABLE_N)
		opt_unknown("-o", "output format", str_of(arg), format_name);
	f->json = i == TABLE_N;
	if (!f->json)
		f->table.format = (enum table_format)i;
}

static const char *outlier_rule(size_t i)
{
	return i == 0 ? "iqr" : NULL;
}

static void take_option(struct filter *f, int letter, const char *arg)
{
	struct overheads *o = &f->overheads;

	switch (letter) {
	case EACH:
		f->each = true;
		break;
	case BY_SHAPE:
		o->shapes = true;
		break;
	case ALL_THREADS:
		o->all_threads = true;
		break;
	case CLAMP:
		o->clamp = true;
		break;
	case OUTLIERS:
		if (!str_eq(str_of(arg), STR("iqr")))
			opt_unknown("--outliers", "rule", str_of(arg), outlier_rule);
		f->stats.iqr = true;
		break;
	case LAUNCH:
		name_match_option(&o->names.launches, "--launch", arg);
		break;
	case BOUND:
		name_match_option(&o->names.bounds, "--bound", arg);
		break;
	case EVENT:
		o->per_event = opt_time("--event-overhead", arg, 0);
		break;
	case DEVICE:
		f->device = opt_time("--device-overhead", arg, 0);
		break;
	case LENGTH:
		f->length = opt_time("--launch-length", arg, 0);
		break;
	case GAP:
		o->gap = opt_time("--max-gap", arg, 0);
		break;
	case WIDE:
		f->table.wide = true;
		break;
	case REPORT:
		f->report = true;
		break;
	case 'u':
		table_options_unit(&f->table, "-u", arg);
		break;
	case 'o':
		take_format(f, arg);
		break;
	}
}

/* What follows from the options as a whole. */
static void ready(struct filter *f)
{
	struct overheads *o = &f->overheads;

	if (f->each && f->stats.iqr)
		die("--each tells every value: --outliers leaves none out");
	o->launch = f->length - o->per_event - f->device;
	if (!o->names.launches.n)
		name_match_option(&o->names.launches, "--launch", "^(" LAUNCH_KERNEL "|" LAUNCH_COPY ")");
}

/* --- values --- */

static void write_value(void *arg, const struct overhead_value *v)
{
	struct filter *f = arg;
	struct event e;

	if (v->type == OVERHEAD_OP)
		return;
	event_clear(&e);
	event_set_ts(&e, v->ts);
	event_set_dur(&e, v->ns);
	event_set_kind(&e, KIND_GAP);
	event_set(&e, EVENT_NAME, v->name);
	f->text.n = 0;
	buf_add(&f->text, v->place.p, v->place.n);
	json_write_text(&f->text, "type", str_of(overhead_table_type(v->type)));
	if (v->shape.p)
		json_write_json(&f->text, "shape", v->shape);
	e.more = json_write_str(&f->text);
	event_write(&f->out, &e);
}

static void take_value(void *arg, const struct overhead_value *v)
{
	struct filter *f = arg;

	overhead_table_add(&f->stats, &f->overheads, v);
}

/* --- the stream --- */

/* For input.reads: of device records nothing counts but their order, where that counts. */
static void read_record(void *arg, struct event *e)
{
	const struct overheads *o = arg;
	const enum event_kind kind = event_get_kind(e);

	if (event_kind_is_device(kind) && (o->placed || !o->any))
		return;
	event_walk(e);
	if (o->shapes && kind == KIND_OP)
		event_check(e, event_get(e, EVENT_ARGS));
}

/* What call-tree writes is in the order of ends: only what has no place must be in that of ts. */
static bool take(struct filter *f, struct event *e)
{
	f->any = true;
	overheads_add(&f->overheads, e);
	if (f->overheads.placed || !f->overheads.any)
		return true;
	return !event_has_time(e) || ts_order_keeps(&f->order, e->ts);
}

static void finish(struct filter *f)
{
	const struct overheads *o = &f->overheads;

	overheads_end(&f->overheads);
	if (f->json)
		overhead_table_json(&f->stats, &f->out);
	else if (!f->each)
		overhead_table_table(&f->stats, &f->out, &f->table);
	if (f->any && !o->ops)
		note("no operators: records of kind op with a dur");
	else if (o->outside && !o->inside)
		note("none of the launches lies in an operator");
	if (f->report)
		warn("operators: %" PRIu64 "; launches: %" PRIu64 ", in operators: %" PRIu64 ", in none: %" PRIu64,
		    o->ops, o->inside + o->outside, o->inside, o->outside);
	if (o->unplaced)
		warn("%" PRIu64 " operators and calls have no place in the tree (node, depth), as others do: "
		     "they do not count", o->unplaced);
}

int main(int argc, char **argv)
{
	struct filter f = {.overheads = {.per_event = 2000, .gap = 200000}, .device = 4000, .length = 10000};
	struct input in = {.times = INPUT_TIMED, .reads = read_record, .reads_arg = &f.overheads};
	struct event e;
	const char *arg;
	int letter;
	bool ordered = true;

	err_init(argv[0]);
	table_options_init(&f.table, isatty(STDOUT_FILENO) ? TABLE_TABLE : TABLE_NDJSON);
	while ((letter = opt_next(&program, argc, argv, &arg)) != -1) {
		if (!input_option(&in, letter, arg))
			take_option(&f, letter, arg);
	}
	ready(&f);
	opt_need_input(&program, argc, argv);
	f.overheads.give = f.each ? write_value : take_value;
	f.overheads.arg = &f;
	filter_open(&in, argv + optind, &f.out);
	if (!f.each)
		input_stop_on_signal();
	while (ordered && input_next(&in, &e))
		ordered = take(&f, &e);
	if (ordered)
		finish(&f);
	else
		filter_unsorted(&in, argv, argv + optind);
	overheads_free(&f.overheads);
	overhead_table_free(&f.stats);
	buf_free(&f.text);
	return filter_close(&in);
}

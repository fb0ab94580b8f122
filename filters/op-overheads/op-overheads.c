/*
 * op-overheads: measures the host times before, between and after the launches of each operator: T1 to T5.
 *
 * in:  {"ts":0,"dur":40000,"kind":"op","name":"aten::mm","pid":7,"tid":7}
 *      {"ts":12000,"dur":9000,"kind":"api","name":"cudaLaunchKernel","pid":7,"tid":7,"corr":5}
 * out: {"kind":"op-overheads","type":"op","name":"aten::mm","count":1,"mean":40000,"std":0,
 *       "launches":["cudaLaunchKernel"]}
 *      {"kind":"op-overheads","type":"t2","name":"aten::mm","count":1,"mean":12000,"std":0}
 *      {"kind":"op-overheads","type":"t3","name":"aten::mm","count":1,"mean":17000,"std":0}
 *      {"kind":"op-overheads","type":"t4","name":"cudaLaunchKernel","count":1,"mean":4000,"std":0}
 *      {"kind":"op-overheads","type":"t5","name":"aten::mm","count":1,"mean":0,"std":0}
 */
#include "record/event_api.h"
#include "overhead_table.h"
#include "program/filter.h"
#include "program/opt_fields.h"
#include "program/input_options.h"
#include "program/table_options.h"
#include "overheads.h"
#include "json/write.h"

#include <inttypes.h>

enum { OUTLIERS = 256, LAUNCH, BOUND };

/* the index of "json" is TABLE_N */
static const char *const format_names[] = {TABLE_FORMATS(TABLE_FORMAT_NAME) "json", NULL};
static const char *const outlier_rules[] = {"iqr", NULL};

struct op_overheads {
	struct overheads_options overheads_options;
	struct overheads *overheads;
	bool iqr;
	struct overhead_table *stats;
	struct table_options table;
	struct out out;
	int64_t device, length;
	bool each, report;
	bool any;        /* a record was read */
	struct buf text; /* --each: the members after the name */
};

#define TO(member) OPT_TO(struct op_overheads, member)
static const struct opt options[] = {
    {0, "each", OPT_FLAG, TO(each), "write one record for each measured value instead of statistics"},
    {0, "by-shape", OPT_FLAG, TO(overheads_options.shapes), "group operators by the shapes of their inputs as well"},
    {0, "all-threads", OPT_FLAG, TO(overheads_options.all_threads),
	"measure T1, the time between operators, across all threads"},
    {0, "clamp", OPT_FLAG, TO(overheads_options.clamp),
	"treat negative values as 0, and measure T1 only in gaps longer than\n"
	"the overhead of an event"},
    {OUTLIERS, "outliers", OPT_CHOICE("iqr", outlier_rules), OPT_TAKE,
	"leave out values that are more than 1.5 interquartile ranges outside\n"
	"the quartiles"},
    {LAUNCH, "launch", OPT_TEXT("REGEX"), OPT_TAKE,
	"treat calls whose name matches REGEX as launches (default: launches of\n"
	"kernels and graphs, and asynchronous copies)"},
    {BOUND, "bound", OPT_TEXT("REGEX"), OPT_TAKE,
	"in T2, T3 and T5 (the times before, after and between the launches\n"
	"of an operator), treat calls whose name matches REGEX as launches, too"},
    {0, "event-overhead", OPT_TIME("T", 0), TO(overheads_options.per_event),
	"assume that the profiler adds T to each host event (default 2us)"},
    {0, "device-overhead", OPT_TIME("T", 0), TO(device),
	"assume that a launch takes T longer because the profiler records\n"
	"the device event (default 4us)"},
    {0, "launch-length", OPT_TIME("T", 0), TO(length),
	"assume that a launch takes T while the profiler records (default 10us)"},
    {0, "max-gap", OPT_TIME("T", 0), TO(overheads_options.gap),
	"measure T1, the time between operators, only in gaps shorter than T\n"
	"(default 200us)"},
    {'o', "output", OPT_CHOICE("FORMAT", format_names), TO(table.format),
	"ndjson, csv, tsv, md, table, list, or json (one object for ml_perf_model,\n"
	"in microseconds); default: table on a terminal, otherwise ndjson"},
    {0, "report", OPT_FLAG, TO(report), "print counts of operators and launches on standard error"},
    {0},
};

static const struct opt_program program = {
    "Measures the host overheads of each operator.",
    "[--each] [--by-shape] [--all-threads] [--clamp] [--outliers iqr] [--launch REGEX] [--bound REGEX] "
    "[--event-overhead T] [--device-overhead T] [--launch-length T] [--max-gap T] [-u UNIT] [-o FORMAT] "
    "[--wide] [--report] [FILE...]",
    "trace2ndjson run.json.gz | ts-sort | call-tree | op-overheads -o table",
    .reads = "records (op, api)",
    .needs = "ts order or the output of call-tree",
};

static void take_option(void *arg, const struct opt_value *v)
{
	struct op_overheads *f = arg;

	if (v->opt->letter == OUTLIERS)
		f->iqr = true;
	else
		opt_name_regex(v->opt->letter == LAUNCH ? &f->overheads_options.launches : &f->overheads_options.bounds,
		    v->option, v->text);
}

static void take_value(void *arg, const struct overheads_value *v)
{
	struct op_overheads *f = arg;
	struct event e;

	if (!f->each)
		overhead_table_add(f->stats, f->overheads, v);
	if (!f->each || v->type == OVERHEAD_OP)
		return;
	event_clear(&e);
	event_set_ts(&e, v->ts);
	event_set_dur(&e, v->ns);
	event_set_kind(&e, KIND_GAP);
	event_set(&e, EVENT_NAME, v->name);
	f->text.n = 0;
	buf_add(&f->text, v->place.p, v->place.n);
	json_write_text(&f->text, "type", str_of(overhead_table_type(v->type)));
	json_write_json(&f->text, "shape", v->shape);
	e.attachments = buf_str(&f->text);
	event_write(&f->out, &e);
}

static void finish(struct op_overheads *f)
{
	const struct overheads_counts *o = overheads_counts(f->overheads);

	overheads_end(f->overheads);
	if (f->table.format == TABLE_N)
		overhead_table_json(f->stats, &f->out);
	else if (!f->each)
		overhead_table_table(f->stats, &f->out, &f->table);
	if (f->any && !o->ops)
		note("no record is an operator (kind op with a dur)");
	else if (o->outside && !o->inside)
		note("no launch is inside an operator");
	if (f->report)
		warn("operators: %" PRIu64 "; launches: %" PRIu64 ", inside operators: %" PRIu64 ", outside: %" PRIu64,
		    o->ops, o->inside + o->outside, o->inside, o->outside);
	if (o->unplaced)
		warn("operators and calls without the members node and depth: %" PRIu64
		     "; ignored, because other records have them",
		    o->unplaced);
}

int main(int argc, char **argv)
{
	struct op_overheads f = {.overheads_options = {.per_event = 2000, .gap = 200000, .give = take_value},
	    .device = 4000,
	    .length = 10000};
	struct overheads_options *o = &f.overheads_options;
	struct input in = {.times = INPUT_TIMED};
	const struct opt_table tables[] = {
	    {options, &f, take_option}, TABLE_OPTIONS(&f.table), INPUT_OPTIONS(&in), {0}};
	const struct overheads_counts *counts;
	struct event e;
	char **operands;

	err_init(argv[0]);
	table_options_init(&f.table, TABLE_TABLE, TABLE_NDJSON);
	operands = opt_read(&program, argc, argv, tables);
	if (f.each && f.iqr)
		opt_excluded("--each", "--outliers");
	o->launch = f.length - o->per_event - f.device;
	if (!o->launches.n)
		opt_name_regex(&o->launches, "--launch", "^(" LAUNCH_KERNEL "|" LAUNCH_COPY ")");
	o->arg = &f;
	f.overheads = overheads_new(o);
	f.stats = overhead_table_new(o->shapes, f.iqr);
	/* Device records are read only if their ts order matters. */
	input_uses_members(&in, ~(uint32_t)EVENT_KIND_DEVICE, INPUT_MEMBERS);
	if (o->shapes)
		input_uses_members(&in, 1u << KIND_OP, 1u << EVENT_ARGS);
	filter_open(&in, operands, &f.out);
	if (!f.each)
		input_stop_on_signal();
	counts = overheads_counts(f.overheads);
	while (input_next(&in, &e)) {
		f.any = true;
		overheads_add(f.overheads, &e);
		/* Records with a position in the tree can be in order of their ends, in which call-tree writes them. */
		if (counts->any && !counts->placed && event_has_time(&e) && input_valid(&in, &e))
			input_in_order(&in, e.ts);
	}
	if (filter_in_order(&in, argv, operands))
		finish(&f);
	overheads_free(f.overheads);
	name_match_free(&o->launches);
	name_match_free(&o->bounds);
	overhead_table_free(f.stats);
	buf_free(&f.text);
	return filter_close(&in);
}

/*
 * range-project: writes the device time that each range spans: the time of the work launched inside it.
 *
 * in:  {"ts":100,"dur":50,"kind":"range","name":"step 1","pid":1,"tid":7}
 *      {"ts":110,"dur":10,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":7,"corr":3}
 *      {"ts":160,"dur":90,"kind":"kernel","name":"gemm","pid":1,"dev":0,"stream":7,"corr":3,
 *       "api":{"name":"cudaLaunchKernel","ts":110,"dur":10,"pid":1,"tid":7},"delay":50,"queue":40}
 * out: {"ts":160,"dur":90,"kind":"gpu_range","name":"step 1","pid":1,"tid":7,"dev":0,"stream":7,"id":1,
 *       "args":{"ops":1,"records":1,"busy":90,"dur_sum":90,"orig_ts":100,"orig_dur":50,"depth":0,"children":0}}
 */
#include "program/filter.h"
#include "program/opt_fields.h"
#include "program/input_options.h"
#include "base/num_format.h"
#include "json/iter.h"
#include "json/scan.h"
#include "json/write.h"
#include "projection.h"

#include <inttypes.h>
#include <stdlib.h>

enum { STACK = 256 };

static const char *const scope_names[] = {"thread", "process", "any", NULL}; /* in the order of enum places_scope */

struct range_project {
	struct projection_options projection_options;
	struct projection *projection;
	struct out out;
	uint32_t kinds;          /* -r */
	struct name_match names; /* -e */
	const char **regexes;    /* stored until all options are read, since -i can come last */
	size_t n_regexes, regexes_cap;
	bool outside, report, stack;
	struct field label; /* --stack: the field whose values form the stack */
	/* seen: number of records of the kinds of -r; endless: number of ranges without an end */
	uint64_t seen, endless;
	uint64_t unjoined; /* number of device records without a call */
	uint64_t late;     /* number of late records that were reported */
	struct buf line, attachments,
	    args; /* the text, the attachments and the args of the range that is being written */
};

#define TO(member) OPT_TO(struct range_project, member)
static const struct opt options[] = {
    {'r', "range", OPT_SET("KIND,...", event_kind_names), TO(kinds),
	"use records of these kinds as ranges (default range)"},
    {'e', "regex", OPT_TEXT("REGEX"), OPT_TAKE, "use only ranges whose name matches this extended regular expression"},
    {'i', "ignore-case", OPT_FLAG, TO(names.fold), "ignore the case of letters in names"},
    {0, "scope", OPT_CHOICE("SCOPE", scope_names), TO(projection_options.scope),
	"match a range with launches of its thread, of its process, or of any\n"
	"process of its rank (default process)"},
    {0, "horizon", OPT_TIME("T", 0), TO(projection_options.horizon),
	"expect device work to start at most T after the end of its range\n"
	"(default 10s)"},
    {0, "outside", OPT_FLAG, TO(outside),
	"also write one unnamed record for each process, for its device\n"
	"work outside ranges"},
    {STACK, "stack", OPT_TEXT_OPTIONAL("FIELD"), OPT_TAKE,
	"add args.stack: the names (or the values of FIELD) of the range and of\n"
	"the ranges of its thread that enclose it, outermost first"},
    {0, "report", OPT_FLAG, TO(report), "print counts of ranges and device records on standard error"},
    {0},
};

static const struct opt_program program = {
    "Writes the device time that each range spans.",
    "[-r KIND,...] [-e REGEX]... [-i] [--scope thread|process|any] [--horizon T] [--outside] [--stack[=FIELD]] "
    "[--report] [FILE...]",
    "trace2ndjson run.json.gz | ts-sort | corr-join --sorted | range-project | ndjson2table",
    .reads = "records (range, kernel, memcpy, memset)",
    .writes = "records (gpu_range)",
    .needs = "ts order, corr-join",
};

/* --- output --- */

/* The members of args that this program writes. */
static const char *const ours[] = {
    "ops", "records", "busy", "dur_sum", "orig_ts", "orig_dur", "depth", "children", "parent", "stack", NULL};

/*
 * Appends the members of `object`, each preceded by a comma. If `args`, `object` is the args of a record, and the
 * members that this program writes are skipped. Otherwise `object` is a record, and its standard members are skipped.
 */
static void add_members(struct buf *b, struct str object, bool args)
{
	struct str key, value;
	struct iter i;

	if (!object.n || object.p[0] != '{') /* args can be any value in records of other programs */
		return;
	iter_init(&i, object);
	while (iter_next(&i, &key, &value) > 0) {
		if (args ? str_in(key, ours) : event_member(key) < EVENT_N)
			continue;
		json_write_member(b, key, value);
	}
}

static void set_member(struct event *e, enum event_member m, struct str json)
{
	if (json.n)
		event_set(e, m, json);
}

/* Sets the members that all output records have; begins f->args. */
static void set_work(struct range_project *f, struct event *e, const struct projection_work *work)
{
	event_set_ts(e, work->first);
	event_set_dur(e, int_sub(work->last, work->first));
	event_set_kind(e, KIND_GPU_RANGE);
	set_member(e, EVENT_DEV, projection_key(f->projection, work->dev));
	set_member(e, EVENT_STREAM, projection_key(f->projection, work->stream));
	f->args.n = 0;
	json_write_begin(&f->args, NULL, '{');
	json_write_int(&f->args, "ops", (int64_t)work->ops);
	json_write_int(&f->args, "records", (int64_t)work->records);
	json_write_int(&f->args, "busy", work->busy);
	json_write_int(&f->args, "dur_sum", work->sum);
}

static void write_event(struct range_project *f, struct event *e)
{
	json_write_end(&f->args, '}');
	event_set(e, EVENT_ARGS, buf_str(&f->args));
	event_write(&f->out, e);
}

/* Writes the record of a range with work; for projection_options.give. */
static void write_range(void *arg, const struct projection_range *s)
{
	static const enum event_member kept[] = {EVENT_NAME, EVENT_CAT, EVENT_RANK, EVENT_PID, EVENT_TID};
	struct range_project *f = arg;
	struct event r, e;
	char id[NUM_ROOM];
	size_t i;

	f->line.n = f->attachments.n = 0;
	buf_add(&f->line, s->record.p, s->record.n);
	scan_pad(&f->line);
	event_parse(&r, buf_str(&f->line));
	event_clear(&e);
	set_work(f, &e, s->work);
	for (i = 0; i < sizeof kept / sizeof *kept; i++) {
		if (event_has(&r, kept[i]))
			event_set(&e, kept[i], event_get(&r, kept[i]));
	}
	event_set(&e, EVENT_ID, num_str_u64(id, s->id));
	json_write_int(&f->args, "orig_ts", r.ts);
	json_write_int(&f->args, "orig_dur", r.dur);
	json_write_int(&f->args, "depth", (int64_t)s->depth);
	json_write_int(&f->args, "children", (int64_t)s->children);
	if (s->parent)
		json_write_int(&f->args, "parent", (int64_t)s->parent);
	if (s->stack.p) {
		json_write_begin(&f->args, "stack", '[');
		buf_add(&f->args, s->stack.p, s->stack.n);
		json_write_end(&f->args, ']');
	}
	add_members(&f->args, event_get(&r, EVENT_ARGS), true);
	add_members(&f->attachments, r.raw, false);
	e.attachments = buf_str(&f->attachments);
	write_event(f, &e);
}

static void write_outside(struct range_project *f)
{
	const struct projection_work *work;
	struct str rank, pid, last;
	struct event e;
	size_t next = 0;

	while ((work = projection_next_outside(f->projection, &next, &rank, &pid))) {
		event_clear(&e);
		set_work(f, &e, work);
		set_member(&e, EVENT_RANK, rank);
		set_member(&e, EVENT_PID, pid);
		set_member(&e, EVENT_TID, projection_key(f->projection, work->tid));
		last = projection_key(f->projection, work->last_tid);
		if (last.n && !event_has(&e, EVENT_TID))
			json_write_json(&f->args, "last_tid", last);
		write_event(f, &e);
	}
}

/* --- input --- */

static void report_late(struct range_project *f, struct input *in)
{
	for (; f->late < projection_counts(f->projection)->late; f->late++)
		input_lost(in, "device record starts more than --horizon after the end of its range; it may be missing "
			       "from the range");
}

static void project_record(struct range_project *f, struct input *in, struct event *e)
{
	const enum event_kind kind = event_get_kind(e);
	struct str label = {NULL, 0};
	struct value v;
	bool wanted, ends;

	if (!event_has_time(e) || !input_in_order(in, e->ts))
		return;
	projection_advance(f->projection, e->ts);
	if (kind == KIND_KERNEL || kind == KIND_MEMCPY || kind == KIND_MEMSET) {
		f->unjoined += !projection_add_launch(f->projection, e);
	} else if (kind != KIND_N && f->kinds >> kind & 1) {
		f->seen++;
		wanted = !f->names.n || name_match_first(&f->names, event_get(e, EVENT_NAME)) != NAME_MATCH_NONE;
		ends = event_get(e, EVENT_DUR).p;
		f->endless += wanted && !ends;
		if (f->stack && wanted && ends)
			label = field_get(&f->label, e, 0, &v) ? v.text : STR("null");
		if (wanted && ends)
			projection_add_range(f->projection, e, event_end(e), f->seen, label);
	}
	report_late(f, in);
}

static void finish(struct range_project *f, struct input *in)
{
	const struct projection_counts *counts = projection_counts(f->projection);

	projection_end(f->projection);
	report_late(f, in);
	if (f->outside)
		write_outside(f);
	filter_hint_kinds(in, f->kinds, f->seen);
	if (f->unjoined && !counts->launches)
		hint("no device record has a call (api); run: ... | corr-join --sorted | %s", err_prog());
	if (f->report)
		warn("ranges: %" PRIu64 ", with device work: %" PRIu64 ", without an end: %" PRIu64
		     "; device records: %" PRIu64 ", inside ranges: %" PRIu64 ", outside: %" PRIu64
		     ", without a call: %" PRIu64,
		    counts->ranges, counts->used, f->endless, counts->launches + f->unjoined, counts->inside,
		    counts->outside, f->unjoined);
}

static void take_option(void *arg, const struct opt_value *v)
{
	struct range_project *f = arg;

	if (v->opt->letter == STACK) {
		field_free(&f->label);
		opt_field(&f->label, v->option, v->text ? v->text : "name");
		f->stack = true;
		return;
	}
	f->regexes = mem_grow(f->regexes, &f->regexes_cap, f->n_regexes + 1, sizeof *f->regexes);
	f->regexes[f->n_regexes++] = v->text;
}

int main(int argc, char **argv)
{
	struct range_project f = {
	    .projection_options = {.scope = PLACES_PROCESS, .horizon = 10000000000, .give = write_range}};
	struct input in = {.times = INPUT_TIMED};
	const struct opt_table tables[] = {{options, &f, take_option}, INPUT_OPTIONS(&in), {0}};
	struct event e;
	char **operands;
	size_t i;

	err_init(argv[0]);
	f.projection_options.arg = &f;
	operands = opt_read(&program, argc, argv, tables);
	for (i = 0; i < f.n_regexes; i++)
		opt_name_regex(&f.names, "-e", f.regexes[i]);
	if (!f.kinds)
		f.kinds = 1u << KIND_RANGE;
	f.projection = projection_new(&f.projection_options);
	input_uses_members(&in, UINT32_MAX, INPUT_MEMBERS);
	input_uses_members(&in, f.kinds, 1u << EVENT_ARGS); /* they are copied to output records */
	if (f.stack)
		input_uses(&in, &f.label);
	filter_open(&in, operands, &f.out);
	while (input_next(&in, &e))
		project_record(&f, &in, &e);
	if (filter_in_order(&in, argv, operands))
		finish(&f, &in);
	projection_free(f.projection);
	name_match_free(&f.names);
	free(f.regexes);
	field_free(&f.label);
	bufs_free(&f.line, &f.attachments, &f.args);
	return filter_close(&in);
}

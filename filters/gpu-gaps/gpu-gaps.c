/*
 * gpu-gaps: writes the intervals in which devices or streams were idle, with their causes and what the host did.
 *
 * in:  {"ts":100,"dur":50,"kind":"kernel","name":"gemm","dev":0,"stream":7,"api":{"ts":80,"dur":10}}
 *      {"ts":200,"dur":10,"kind":"memcpy","name":"Memcpy HtoD","dev":0,"stream":7,"api":{"ts":190,"dur":15}}
 * out: {"ts":150,"dur":50,"kind":"gap","dev":0,"cause":"host_wait","prev":"gemm","next":"Memcpy HtoD"}
 */
#include "host_during_idle.h"
#include "program/input_options.h"
#include "program/work_options.h"
#include "idle_gaps.h"
#include "program/filter.h"
#include "program/opt_fields.h"

/* The arguments of --host, and the kinds of records that each selects. */
static const char *const host_names[] = {"op", "api", "range", NULL};
static const uint32_t host_kinds[] = {1u << KIND_OP | 1u << KIND_API, 1u << KIND_API, 0};

struct gpu_gaps {
	struct input in;
	struct out out;
	struct work_options work;
	struct idle_gaps_options gap_options;
	struct idle_gaps *gaps;
	int host;            /* --host: index in host_names; -1: not given */
	uint32_t host_kinds; /* kinds of records that host_during_idle needs; 0 without --host */
	size_t memory;       /* --memory; SIZE_MAX: not given */
	const char *regex;   /* --within */
	struct name_match within;
	uint32_t range_kinds; /* -r; 0 without --within */
	bool begun;           /* a range matched --within */
	bool works;           /* there are device records */
	bool operator;        /* an operator, which is no range without -r, matched */
};

#define TO(member) OPT_TO(struct gpu_gaps, member)
static const struct opt options[] = {
    {0, "min", OPT_TIME("T", 0), TO(gap_options.min),
	"write only gaps of at least T (default 1ns); 0 includes gaps of length 0"},
    {0, "host", OPT_CHOICE("op|api|range", host_names), TO(host),
	"write only gaps with the cause host_wait, divided by the activity of the\n"
	"host: the innermost range of the process, and for the thread that\n"
	"launched the next work the innermost operator or call (op) or the\n"
	"innermost call (api); range: only the range"},
    {0, "memory", OPT_SIZE("SIZE", 0), TO(memory),
	"with --host: use at most this much memory for records of the host\n"
	"(default 64MiB); the rest goes to a temporary file"},
    {0, "within", OPT_TEXT("REGEX"), OPT_TAKE,
	"write only idle time after the start of the first range with a matching\n"
	"name"},
    {'r', "range", OPT_SET("KIND,...", event_kind_names), TO(range_kinds),
	"with --within: use records of these kinds as ranges (default range)"},
    {0, "wait", OPT_TIME("T", 0), TO(gap_options.wait),
	"the cause of gaps of at least T is other_wait, not kernel_wait (default\n"
	"30us)"},
    {0},
};

static const struct opt_program program = {
    "Writes the idle intervals of devices with their causes (host_wait needs corr-join).",
    "[--per all|dev|stream] [-k KIND,...] [--min T] [--host op|api|range [--memory SIZE]] [--within REGEX [-r "
    "KIND,...]] "
    "[--wait T] [FILE...]",
    "trace2ndjson run.json.gz | ts-sort | corr-join --sorted | gpu-gaps | ndjson2table -s dur -t 10",
    .reads = "records (kernel, memcpy, memset, op, api, range)",
    .writes = "records (gap)",
    .needs = "ts order, corr-join for causes",
};

/* --within */
static void take_option(void *arg, const struct opt_value *v)
{
	struct gpu_gaps *f = arg;

	f->regex = v->text;
	opt_name_regex(&f->within, v->option, v->text);
}

static void init(struct gpu_gaps *f)
{
	const struct places places = work_options_places(&f->work);

	if (f->memory != SIZE_MAX && f->host < 0)
		opt_needs("--memory", "--host");
	if (f->range_kinds && !f->regex)
		opt_needs("-r", "--within");
	if (f->regex && !f->range_kinds)
		f->range_kinds = 1u << KIND_RANGE;
	f->gap_options.begins = f->regex;
	if (f->host >= 0) {
		f->gap_options.names_host = host_kinds[f->host] != 0;
		f->gap_options.host = host_during_idle_new(f->memory == SIZE_MAX ? 64 << 20 : f->memory);
		f->host_kinds = host_kinds[f->host] | 1u << KIND_RANGE;
	}
	f->gaps = idle_gaps_new(&f->gap_options, &places, &f->out);
}

static bool is_in(uint32_t kinds, enum event_kind kind)
{
	return kind != KIND_N && kinds >> kind & 1;
}

static void take_record(struct gpu_gaps *f, struct event *e)
{
	const enum event_kind kind = event_get_kind(e);
	const bool begins =
	    is_in(f->range_kinds, kind) && name_match_first(&f->within, event_get(e, EVENT_NAME)) != NAME_MATCH_NONE;
	const bool host = is_in(f->host_kinds, kind);
	const bool work = work_options_take_kind(&f->work, kind);

	if (f->regex && kind == KIND_OP && !begins && !f->begun && !f->operator)
		f->operator= name_match_first(&f->within, event_get(e, EVENT_NAME)) != NAME_MATCH_NONE;
	if (!(begins || host || work) || !event_has_time(e) || !input_in_order(&f->in, e->ts))
		return;
	if (begins)
		idle_gaps_begin(f->gaps, e);
	f->begun |= begins;
	if (host)
		host_during_idle_add(f->gap_options.host, e, kind);
	if (work)
		idle_gaps_add(f->gaps, e);
	f->works |= work;
}

int main(int argc, char **argv)
{
	struct gpu_gaps f = {.in.times = INPUT_TIMED,
	    .work.per = WORK_PER_DEV,
	    .gap_options = {.min = 1, .wait = IDLE_CAUSE_WAIT},
	    .host = -1,
	    .memory = SIZE_MAX};
	const struct opt_table tables[] = {
	    WORK_OPTIONS(&f.work), {options, &f, take_option}, INPUT_OPTIONS(&f.in), {0}};
	struct event e;
	char **operands;

	err_init(argv[0]);
	operands = opt_read(&program, argc, argv, tables);
	init(&f);
	input_stop_on_signal();
	input_uses_members(&f.in, work_options_kinds(&f.work) | f.range_kinds | f.host_kinds, INPUT_MEMBERS);
	filter_open(&f.in, operands, &f.out);
	while (input_next(&f.in, &e))
		take_record(&f, &e);
	if (filter_in_order(&f.in, argv, operands)) {
		if (f.regex && !f.begun) {
			warn("no range matches '%s' (--within)%s", f.regex,
			    f.operator? "; operators do: add -r range,op" : "");
			f.in.diagnostics.lost = true;
		}
		filter_hint_kinds(&f.in, work_options_kinds(&f.work), f.works);
		work_options_report_idle(idle_gaps_counts(f.gaps));
	}
	idle_gaps_free(f.gaps);
	if (f.gap_options.host)
		host_during_idle_free(f.gap_options.host);
	name_match_free(&f.within);
	return filter_close(&f.in);
}

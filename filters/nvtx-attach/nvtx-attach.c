/*
 * nvtx-attach: adds to each record the ranges that enclose it.
 *
 * in:  {"ts":100,"dur":900,"kind":"range","name":"step 1","pid":7,"tid":7}
 *      {"ts":200,"dur":300,"kind":"range","name":"forward","pid":7,"tid":7}
 *      {"ts":250,"dur":40,"kind":"api","name":"cudaLaunchKernel","pid":7,"tid":7,"corr":5}
 * out: {"ts":100,"dur":900,"kind":"range","name":"step 1","pid":7,"tid":7}
 *      {"ts":200,"dur":300,"kind":"range","name":"forward","pid":7,"tid":7,"range":"step 1","ranges":["step 1"]}
 *      {"ts":250,"dur":40,"kind":"api","name":"cudaLaunchKernel","pid":7,"tid":7,"corr":5,
 *       "range":"forward","ranges":["step 1","forward"]}
 */
#include "range_layers.h"
#include "range_names.h"
#include "range_search.h"
#include "record/event_queue.h"
#include "program/filter.h"
#include "program/opt_fields.h"
#include "program/input_options.h"

enum { AS = 256, CAPTURE, ALSO, TAKE };

static const char *const scope_names[] = {"thread", "process", "any", NULL};
static const char *const by_names[] = {"launch", "own", NULL};
static const char *const point_names[] = {"whole", "start", "end", NULL};

struct nvtx_attach {
	struct range_layers layers;
	uint32_t kinds; /* the kinds of records that get the new members, as bits; 0: all records do */
	bool report;
	struct event_queue hold; /* records that can still get more ranges, each with its search */
	struct out out;
	int64_t now; /* ts of the stream */
};

#define TO(member) OPT_TO(struct nvtx_attach, member)
static const struct opt options[] = {
    {'r', "range", OPT_SET("KIND,...", event_kind_names), TO(layers.list[0].kinds),
	"use records of these kinds as ranges (default range)"},
    {'e', "regex", OPT_TEXT("REGEX"), OPT_TAKE, "use only ranges whose name matches this extended regular expression"},
    {'k', "kind", OPT_SET("KIND,...", event_kind_names), TO(kinds),
	"add ranges only to records of these kinds; all others are written\nunchanged"},
    {AS, "as", OPT_TEXT("NAME"), OPT_TAKE, "name the new members NAME and NAMEs instead of range and ranges"},
    {ALSO, "also", OPT_CHOICE("KIND", event_kind_names), OPT_TAKE,
	"also add KIND and KINDs: the records of this kind that enclose the\n"
	"record, as another nvtx-attach -r KIND --as KIND would"},
    {0, "scope", OPT_CHOICE("thread|process|any", scope_names), TO(layers.list[0].scope),
	"match a range with records of its thread, of its process, or of any\n"
	"process of its rank (default process; thread for op, python and api)"},
    {0, "by", OPT_CHOICE("launch|own", by_names), TO(layers.searches.options.by_own),
	"match device records by the time of their launch, or by their own\n"
	"time (default launch)"},
    {0, "point", OPT_CHOICE("whole|start|end", point_names), TO(layers.searches.options.point),
	"require that a range encloses the whole record, its start, or its\n"
	"end (default whole)"},
    {CAPTURE, "capture", OPT_TEXT("NAME=REGEX"), OPT_TAKE,
	"add the member NAME: the text that the (group) in REGEX matches in\n"
	"the name of the innermost matching range"},
    CARRIED_FIELDS_OPTION(TAKE, "the innermost range (not of --also)"),
    {0, "horizon", OPT_TIME("T", 0), TO(layers.searches.options.horizon),
	"maximum time from the call of a device record to the record itself\n"
	"(default 10s)"},
    {0, "report", OPT_FLAG, TO(report), "print counts of ranges and records on standard error"},
    {0},
};

static const struct opt_program program = {
    "Adds to each record the ranges (NVTX, annotations, operators) that enclose it.",
    "[-r KIND,...] [-e REGEX]... [-k KIND,...] [--as NAME] [--also KIND]... [--scope thread|process|any] "
    "[--by launch|own] [--point whole|start|end] [--capture NAME=REGEX]... [--take NAME=FIELD,...] [--horizon T] "
    "[--report] [FILE...]",
    "trace2ndjson run.json.gz | ts-sort | nvtx-attach | corr-join --sorted | groupby -g range -a sum",
    .reads = "records (range)",
    .writes = "records",
    .needs = "ts order",
};

static void take_option(void *arg, const struct opt_value *v)
{
	struct range_layers *layers = &((struct nvtx_attach *)arg)->layers;
	struct range_layer *first = &layers->list[0];

	switch (v->opt->letter) {
	case 'e':
		opt_name_regex(&first->wanted, v->option, v->text);
		break;
	case AS:
		range_names_as(first->names, v->option, v->text);
		break;
	case CAPTURE:
		range_names_capture(first->names, v->option, v->text);
		break;
	case TAKE:
		carried_fields_add(range_names_take(first->names), v->option, v->text);
		break;
	case ALSO:
		range_layers_also(layers, v->option, (enum event_kind)v->number);
		break;
	}
}

/* Returns true if no range that starts at ts or later can enclose the record. */
static bool is_complete(const struct nvtx_attach *f, const struct range_search *search, int64_t ts)
{
	return !search->wanted || range_search_until(&f->layers.searches, search) < ts;
}

/* Writes the oldest held records. Unless `all`, stops at one that ranges from ts on could enclose. */
static void release(struct nvtx_attach *f, int64_t ts, bool all)
{
	struct range_search *search;
	struct event e;

	while ((search = event_queue_first(&f->hold, NULL)) && (all || is_complete(f, search, ts))) {
		range_layers_write(&f->layers, &f->out, event_queue_first(&f->hold, &e), &e, ts);
		event_queue_pop(&f->hold);
	}
}

/* Takes a record. Records without a time on the trace's clock keep their position in the stream. */
static void attach_ranges(struct nvtx_attach *f, struct input *in, struct event *e)
{
	struct range_search search = {.ts = f->now}, *first;
	enum event_kind kind = event_get_kind(e);

	if (!range_layers_carry(&f->layers, in, e, kind))
		return;
	if (event_has_time(e)) {
		if (!input_in_order(in, e->ts))
			return;
		search.ts = f->now = e->ts;
		release(f, e->ts, false);
		if (!f->kinds || (kind < KIND_N && (f->kinds >> kind & 1)))
			range_search_set(&f->layers.searches, &search, e, kind);
		first = event_queue_first(&f->hold, NULL);
		if (f->layers.taken >> kind & 1)
			range_layers_take(&f->layers, in, &search, e, kind, first ? first->ts : e->ts);
	}
	if (!f->hold.n && is_complete(f, &search, e->ts))
		range_layers_write(&f->layers, &f->out, &search, e, e->ts);
	else
		filter_hold(&f->hold, e, &search);
}

int main(int argc, char **argv)
{
	struct nvtx_attach f = {.hold.each = sizeof(struct range_search)};
	struct input in = {.times = INPUT_SORTED};
	const struct opt_table tables[] = {{options, &f, take_option}, INPUT_OPTIONS(&in), {0}};
	struct event e;
	char **operands;

	err_init(argv[0]);
	range_layers_init(&f.layers);
	f.layers.searches.options.horizon = 10000000000;
	operands = opt_read(&program, argc, argv, tables);
	range_layers_check(&f.layers);
	input_uses_members(&in, UINT32_MAX, INPUT_MEMBERS);
	filter_open(&in, operands, &f.out);
	while (input_next(&in, &e))
		attach_ranges(&f, &in, &e);
	release(&f, INT64_MAX, true);
	if (filter_in_order(&in, argv, operands)) {
		if (!in.failed)
			range_layers_hint(&f.layers);
		range_layers_report(&f.layers, f.report);
	}
	range_layers_free(&f.layers);
	event_queue_free(&f.hold);
	return filter_close(&in);
}

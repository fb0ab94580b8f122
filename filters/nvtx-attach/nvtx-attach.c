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
#include "enclosing_ranges.h"
#include "record/event_queue.h"
#include "cli/filter.h"
#include "cli/opt_record.h"
#include "cli/input_options.h"

#include <inttypes.h>
#include <stdlib.h>

enum { AS = 256, CAPTURE };

static const char *const scope_names[] = {"thread", "process", "any", NULL};
static const char *const by_names[] = {"launch", "own", NULL};
static const char *const point_names[] = {"whole", "start", "end", NULL};

struct nvtx_attach {
	struct enclosing_ranges_options enclosing_options;
	struct enclosing_ranges *enclosing;
	struct range_names *names;
	struct name_match wanted; /* -e */
	uint32_t kinds;           /* the kinds of records that get the new members, as bits; 0: all records do */
	bool report;
	struct event_queue hold; /* records that can still get more ranges, each with its query */
	struct out out;
	int64_t now; /* ts of the stream */
	uint64_t ranges, endless, marks, inside, outside;
};

#define TO(member) OPT_TO(struct nvtx_attach, member)
static const struct opt options[] = {
    {'r', "range", OPT_SET("KIND,...", event_kind_names), TO(enclosing_options.kinds),
	"use records of these kinds as ranges (default range)"},
    {'e', "regex", OPT_TEXT("REGEX"), OPT_TAKE, "use only ranges whose name matches this extended regular expression"},
    {'k', "kind", OPT_SET("KIND,...", event_kind_names), TO(kinds),
	"add ranges only to records of these kinds; all others are written\nunchanged"},
    {AS, "as", OPT_TEXT("NAME"), OPT_TAKE, "name the new members NAME and NAMEs instead of range and ranges"},
    {0, "scope", OPT_CHOICE("thread|process|any", scope_names), TO(enclosing_options.scope),
	"match a range with records of its thread, of its process, or of any\n"
	"process of its rank (default process; thread for op, python and api)"},
    {0, "by", OPT_CHOICE("launch|own", by_names), TO(enclosing_options.by_own),
	"match device records by the time of their launch, or by their own\n"
	"time (default launch)"},
    {0, "point", OPT_CHOICE("whole|start|end", point_names), TO(enclosing_options.point),
	"require that a range encloses the whole record, its start, or its\n"
	"end (default whole)"},
    {CAPTURE, "capture", OPT_TEXT("NAME=REGEX"), OPT_TAKE,
	"add the member NAME: the text that the (group) in REGEX matches in\n"
	"the name of the innermost matching range"},
    {0, "horizon", OPT_TIME("T", 0), TO(enclosing_options.horizon),
	"maximum time from the call of a device record to the record itself\n"
	"(default 10s)"},
    {0, "report", OPT_FLAG, TO(report), "print counts of ranges and records on standard error"},
    {0},
};

static const struct opt_program program = {
    "Adds to each record the ranges (NVTX, annotations, operators) that enclose it. Needs ts order.",
    "[-r KIND,...] [-e REGEX]... [-k KIND,...] [--as NAME] [--scope thread|process|any] [--by launch|own] "
    "[--point whole|start|end] [--capture NAME=REGEX]... [--horizon T] [--report] [FILE...]",
    "trace2ndjson run.json.gz | ts-sort | nvtx-attach | corr-join --sorted | groupby -g range -a sum",
};

/* --- options --- */

static void take_option(void *arg, const struct opt_value *v)
{
	struct nvtx_attach *f = arg;

	switch (v->opt->letter) {
	case 'e':
		opt_name_regex(&f->wanted, v->option, v->text);
		break;
	case AS:
		range_names_as(f->names, v->option, v->text);
		break;
	case CAPTURE:
		range_names_capture(f->names, v->option, v->text);
		break;
	}
}

/* --- records --- */

/* Returns the ts of the first held record, which is the earliest one; `ts` when no record is held. */
static int64_t oldest(struct nvtx_attach *f, int64_t ts)
{
	const struct enclosing_ranges_query *first = event_queue_first(&f->hold, NULL);

	return first ? first->ts : ts;
}

/* Adds the record to the ranges if it is a selected range with an end. */
static void take_range(
    struct nvtx_attach *f, struct input *in, struct enclosing_ranges_query *q, struct event *e, enum event_kind kind)
{
	f->marks += kind == KIND_MARK;
	if (kind == KIND_N || kind == KIND_MARK || !(f->enclosing_options.kinds >> kind & 1))
		return;
	if (f->wanted.n && name_match_first(&f->wanted, event_get(e, EVENT_NAME)) == NAME_MATCH_NONE)
		return;
	if (event_get(e, EVENT_DUR).p && e->dur >= 0) {
		enclosing_ranges_add(f->enclosing, q, e, kind, oldest(f, e->ts));
		f->ranges++;
		return;
	}
	f->endless++;
	input_warning(in, "range without an end; it encloses no record");
}

/*
 * Writes the record with the ranges that enclose it. All these ranges must have been added. `ts`: the ts of the stream.
 */
static void settle(struct nvtx_attach *f, const struct enclosing_ranges_query *q, struct event *e, int64_t ts)
{
	const struct interval_index_entry *found = NULL;
	size_t n = enclosing_ranges_find(f->enclosing, q, e, ts, &found);

	f->inside += n > 0;
	f->outside += q->wanted && !n;
	range_names_write(f->names, &f->out, e, found, n);
}

/*
 * Writes the oldest held records. Stops at the first one that could be enclosed by a range that starts at ts or later.
 */
static void release(struct nvtx_attach *f, int64_t ts)
{
	struct enclosing_ranges_query *q;
	struct event e;

	while ((q = event_queue_first(&f->hold, NULL)) && (!q->wanted || q->until < ts)) {
		settle(f, event_queue_first(&f->hold, &e), &e, ts);
		event_queue_pop(&f->hold);
	}
}

/* Takes a record. Records without a time on the trace's clock keep their position in the stream. */
static void take(struct nvtx_attach *f, struct input *in, struct event *e)
{
	struct enclosing_ranges_query q = {.ts = f->now};
	enum event_kind kind = event_get_kind(e);

	if (event_has_time(e)) {
		if (!input_in_order(in, e->ts))
			return;
		q.ts = f->now = e->ts;
		release(f, e->ts);
		take_range(f, in, &q, e, kind);
		if (!f->kinds || (kind < KIND_N && (f->kinds >> kind & 1)))
			enclosing_ranges_ask(f->enclosing, &q, e, kind);
	}
	if (!f->hold.n && (!q.wanted || q.until < e->ts))
		settle(f, &q, e, e->ts);
	else
		filter_hold(&f->hold, e, &q);
}

/* --- end of input --- */

static void release_all(struct nvtx_attach *f)
{
	struct enclosing_ranges_query *q;
	struct event e;

	while ((q = event_queue_first(&f->hold, &e))) {
		settle(f, q, &e, INT64_MAX);
		event_queue_pop(&f->hold);
	}
}

static void report(const struct nvtx_attach *f)
{
	const struct enclosing_ranges_counts *counts = enclosing_ranges_counts(f->enclosing);

	if (counts->far)
		warn("records that start more than --horizon after their call or last longer than --horizon: %" PRIu64
		     "; some of their ranges may be missing",
		    counts->far);
	if (!f->report)
		return;
	warn("ranges: %" PRIu64 "; ranges without an end: %" PRIu64 "; marks: %" PRIu64, f->ranges, f->endless,
	    f->marks);
	warn("records inside ranges: %" PRIu64 "; outside: %" PRIu64 "; device records without a call: %" PRIu64,
	    f->inside, f->outside, counts->alone);
}

int main(int argc, char **argv)
{
	struct nvtx_attach f = {.enclosing_options = {.scope = -1, .horizon = 10000000000},
	    .hold.each = sizeof(struct enclosing_ranges_query)};
	struct input in = {.times = INPUT_SORTED, .reads = input_members};
	const struct opt_table tables[] = {{options, &f, take_option}, INPUT_OPTIONS(&in), {0}};
	struct event e;
	char **operands;

	err_init(argv[0]);
	f.names = range_names_new();
	operands = opt_read(&program, argc, argv, tables);
	if (!f.enclosing_options.kinds)
		f.enclosing_options.kinds = 1u << KIND_RANGE;
	range_names_check(f.names);
	f.enclosing = enclosing_ranges_new(&f.enclosing_options, f.names);
	filter_open(&in, operands, &f.out);
	while (input_next(&in, &e))
		take(&f, &in, &e);
	release_all(&f);
	if (filter_in_order(&in, argv, operands))
		report(&f);
	name_match_free(&f.wanted);
	enclosing_ranges_free(f.enclosing);
	range_names_free(f.names);
	event_queue_free(&f.hold);
	return filter_close(&in);
}

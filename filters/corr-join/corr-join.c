/*
 * corr-join: tells each record of device activity which API call launched it.
 *
 * in:  {"ts":100,"dur":40,"kind":"api","name":"cudaLaunchKernel","pid":7,"tid":8,"corr":3,"iter":2}
 *      {"ts":160,"dur":90,"kind":"kernel","name":"gemm","dev":0,"stream":7,"corr":3,"args":{"grid":[1,1,1]}}
 * out: {"ts":100,"dur":40,"kind":"api","name":"cudaLaunchKernel","pid":7,"tid":8,"corr":3,"iter":2}
 *      {"ts":160,"dur":90,"kind":"kernel","name":"gemm","dev":0,"stream":7,"corr":3,"api":{"name":
 *      "cudaLaunchKernel","ts":100,"dur":40,"pid":7,"tid":8},"delay":60,"queue":20,"iter":2,"args":...}
 *
 * Unsorted, a device record that precedes its call waits for it (filters/corr-join/pending_records). Sorted, it
 * waits until ts grows, since at one ts calls count as first; with --lead it waits longer for a later call, and
 * all that follows waits for its turn.
 */
#include "record/input.h"
#include "call_link.h"
#include "cli/options.h"
#include "record/ts_order.h"
#include "passed.h"

#include <getopt.h>
#include <inttypes.h>

#define LATE "a second process's call with this corr: the first one's was told to device records without pid"

enum { SORTED = INPUT_OPTION_END, HORIZON, LEAD, ONLY, MEMORY, REPORT };

static const struct opt options[] = {
    {SORTED, "sorted", NULL, "the input is in ts order, and the output will be; memory is constant"},
    {HORIZON, "horizon", "T", "how far in time a record may be from its call (10s); unsorted, one\n"
			      "that is farther waits for a nearer call until the end"},
    {LEAD, "lead", "T", "with --sorted: how much earlier than its call a record may be (0)"},
    {ONLY, "only", "WHICH", "write only the device records that are matched, or unmatched"},
    {MEMORY, "memory", "SIZE", "what waits beyond this lies in a temporary file (256MiB)"},
    {REPORT, "report", NULL, "tell on standard error how many were matched, and what was not"},
    INPUT_OPTIONS,
    {0},
};

static const struct program program = {
    "Tells each record of device activity which API call launched it, by correlation id.",
    "[--sorted [--lead T]] [--horizon T] [--only matched|unmatched] [--memory SIZE] [--report] [FILE...]",
    "trace2ndjson run.json.gz | corr-join | filter-calls -k kernel | groupby -g api.name -f delay",
    options,
};

static const char *const only_names[] = {"matched", "unmatched", NULL};
enum only { MATCHED, UNMATCHED, ALL };

struct join {
	struct call_table calls;
	struct pending_records pending; /* unsorted: for a call; sorted: until ts grows */
	struct pending_records early;   /* sorted: for a call that comes later, or for their turn behind such a record */
	struct passed passed;
	struct ts_order order;
	struct input in;
	struct out out;
	enum only only;
	bool sorted, report;
	int64_t horizon;
	int64_t lead; /* sorted; -1: not given */
	uint64_t matched, callless, ambiguous, idless;
	struct call_link linked; /* the record that was read */
	struct buf told;      /* what one is told */
};

/* --- options --- */

static void take_option(struct join *j, int letter, const char *arg)
{
	switch (letter) {
	case SORTED:
		j->sorted = true;
		break;
	case HORIZON:
		j->horizon = opt_time("--horizon", arg, 1);
		break;
	case LEAD:
		j->lead = opt_time("--lead", arg, 0);
		break;
	case ONLY:
		j->only = (enum only)opt_choice("--only", "choice", arg, only_names);
		break;
	case MEMORY:
		j->pending.memory = (size_t)opt_size("--memory", arg, 0);
		break;
	case REPORT:
		j->report = true;
		break;
	}
}

static void read_options(struct join *j, int argc, char **argv)
{
	const char *arg;
	int letter;

	while ((letter = opt_next(&program, argc, argv, &arg)) != -1) {
		if (!input_option(&j->in, letter, arg))
			take_option(j, letter, arg);
	}
	if (j->lead >= 0 && !j->sorted)
		die("--lead needs --sorted");
	j->lead = j->lead > 0 ? j->lead : 0;
	j->pending.keyed = !j->sorted;
	if (j->sorted) {
		j->calls.horizon = j->passed.horizon = (uint64_t)j->horizon;
		j->calls.lead = (uint64_t)j->lead;
	}
	if (j->lead) {
		j->early.keyed = true;
		j->early.memory = j->pending.memory /= 2;
	}
}

/* --- writing --- */

static void write_matched(struct join *j, const struct call_table_found *found, const struct waiting *w, struct str text)
{
	j->matched++;
	found->call->joined = true;
	/* Calls of other processes that come later matter, unless all have come that may decide. */
	found->key->blind |=
	    w->blind && (!j->sorted || (found->call->ts > w->ts && !call_table_collide(&j->calls, w->who)));
	if (j->only != UNMATCHED)
		call_link_write(&j->out, w, text, call_link_tell(&j->told, w, &j->calls, found->call));
}

/* --- joining --- */

static void check(bool good, const struct fault *f)
{
	if (!good) {
		warn_fault("temporary folder (TMPDIR)", f);
		quit(STATUS_FAIL);
	}
}

static void answer(struct join *j, const struct waiting *w, struct str text, enum call_table_answer answer,
    const struct call_table_found *found)
{
	switch (answer) {
	case CALL_TABLE_ONE:
		write_matched(j, found, w, text);
		return;
	case CALL_TABLE_AMBIGUOUS:
		j->ambiguous++;
		break;
	case CALL_TABLE_NONE:
		j->callless++;
		if (j->sorted && w->has_ts)
			passed_add(&j->passed, w);
	}
	if (j->only != MATCHED)
		out_line(&j->out, text);
}

static enum call_table_answer find(const struct join *j, const struct waiting *w, struct call_table_found *found)
{
	/* Sorted, a record without ts stands at that of the stream. */
	return call_table_find(&j->calls, w->who, w->corr, w->has_ts || j->sorted ? &w->ts : NULL, found);
}

static void hold_back(struct pending_records *p, const struct waiting *w, struct str text)
{
	struct fault f;

	check(pending_records_add(p, w, text, &f), &f);
}

/* The record waits no more for ts to grow: it is joined to what calls there are, or waits for one that comes later. */
static void settle(void *arg, const struct waiting *w, struct str text)
{
	struct join *j = arg;
	struct call_table_found found = {0};
	struct waiting early = *w;

	if (w->device)
		early.found = find(j, w, &found);
	early.device = w->device && early.found == CALL_TABLE_NONE;
	early.call = found.number;
	if (j->lead && (early.device || j->early.n))
		hold_back(&j->early, &early, text);
	else if (w->device)
		answer(j, w, text, early.found, &found);
	else
		out_line(&j->out, text);
}

/* Nor does it wait for a later call, or for its turn. */
static void settle_early(void *arg, const struct waiting *w, struct str text)
{
	struct join *j = arg;
	struct call_table_found found = {0};

	if (!w->device && w->found == CALL_TABLE_NONE) {
		out_line(&j->out, text);
		return;
	}
	if (w->found == CALL_TABLE_ONE) {
		found.number = w->call;
		found.call = found.key = call_table_at(&j->calls, w->call);
	}
	answer(j, w, text, w->found, &found);
}

/* The records of which all calls have come that can be theirs, now that the stream is at `ts`; NULL: at its end. */
static void settle_until(struct join *j, const int64_t *ts)
{
	struct fault f;

	check(pending_records_drain(&j->pending, settle, j, &f), &f);
	while (j->early.n) {
		const struct waiting *w = pending_records_oldest(&j->early);

		if (ts && w->device && call_table_distance(w->ts, *ts) <= (uint64_t)j->lead)
			break;
		check(pending_records_out(&j->early, settle_early, j, &f), &f);
	}
}

/* What needs no call: at once, but behind what is held. */
static void pass(struct join *j, const struct event *e)
{
	static const struct waiting turn = {.device = false};

	if (j->sorted && (j->pending.n || j->early.n))
		hold_back(j->pending.n ? &j->pending : &j->early, &turn, e->raw);
	else
		event_copy(&j->out, e);
}

static bool is_far(const struct join *j, const struct waiting *w, const struct call *call)
{
	return w->has_ts && call->has_ts && call_table_distance(w->ts, call->ts) > (uint64_t)j->horizon;
}

/* Unsorted: a call has come for a record that waits. */
static enum pending_records_verdict judge(void *arg, struct waiting *w)
{
	const struct join *j = arg;

	return is_far(j, w, call_table_at(&j->calls, call_table_newest(&j->calls))) ? PENDING_RECORDS_WAITS
										    : PENDING_RECORDS_OUT;
}

/* Sorted: a call has come, later than the record. Where calls of another process may follow, all of them decide. */
static enum pending_records_verdict judge_early(void *arg, struct waiting *w)
{
	const struct join *j = arg;
	const struct call_table *c = &j->calls;

	if (w->found == CALL_TABLE_NONE) {
		w->found = CALL_TABLE_ONE;
		w->call = call_table_newest(c);
		return w->blind && call_table_collide(c, w->who) ? PENDING_RECORDS_WAITS : PENDING_RECORDS_SETTLED;
	}
	if (call_places_get(&c->places, call_table_at(c, w->call)->who)->process == j->linked.w.process)
		return PENDING_RECORDS_WAITS;
	w->found = CALL_TABLE_AMBIGUOUS;
	return PENDING_RECORDS_SETTLED;
}

static void add_call(struct join *j, struct event *e)
{
	const struct waiting *w = &j->linked.w;
	struct call_table *calls = &j->calls;
	uint64_t late = calls->late;
	struct fault f;

	call_link_add(&j->linked, e, calls, j->order.last);
	if (calls->late > late)
		input_note(&j->in, LATE);
	if (j->sorted && w->has_ts)
		passed_call(&j->passed, w);
	if (j->sorted)
		check(pending_match(&j->early, w, true, judge_early, settle_early, j, &f), &f);
	else
		check(pending_match(&j->pending, w, !call_table_collide(calls, w->who), judge, settle, j, &f), &f);
}

static void take_call(struct join *j, struct event *e)
{
	if (j->only == ALL)
		pass(j, e);
	if (j->linked.has_corr)
		add_call(j, e);
}

/* Unsorted: whether a call may still come that decides about the record. */
static bool may_wait(const struct join *j, const struct waiting *w, enum call_table_answer answer, const struct call *call)
{
	if (answer == CALL_TABLE_ONE)
		return (w->blind && call_table_collide(&j->calls, w->who)) || is_far(j, w, call);
	return answer == CALL_TABLE_NONE;
}

static void take_device(struct join *j, struct event *e)
{
	struct waiting *w = &j->linked.w;
	struct call_table_found found;
	enum call_table_answer is;

	if (!j->linked.has_corr) {
		j->idless++;
		if (j->only != MATCHED)
			pass(j, e);
		return;
	}
	w->device = true;
	if (j->sorted && !w->has_ts)
		w->ts = j->order.last;
	if (j->sorted && (w->has_ts || j->pending.n || j->early.n)) {
		hold_back(&j->pending, w, e->raw); /* for calls at its ts */
		return;
	}
	is = find(j, w, &found);
	if (!j->sorted && may_wait(j, w, is, found.call))
		hold_back(&j->pending, w, e->raw);
	else
		answer(j, w, e->raw, is, &found);
}

/* For input.reads: what take() looks at, into j->linked. */
static void read_record(void *arg, struct event *e)
{
	struct join *j = arg;
	enum event_kind kind = event_get_kind(e);

	if (kind == KIND_API || event_kind_is_device(kind))
		call_link_read(&j->linked, e, &j->calls, kind == KIND_API);
	else if (j->sorted)
		event_get(e, EVENT_TS);
}

/* False when the stream is out of ts order. */
static bool keep_order(struct join *j, const struct event *e)
{
	if (!event_has(e, EVENT_TS))
		return true;
	if (!ts_order_keeps(&j->order, e->ts))
		return false;
	if (j->pending.n ? e->ts != pending_records_oldest(&j->pending)->ts : j->early.n > 0)
		settle_until(j, &e->ts);
	call_table_age(&j->calls, e->ts);
	return true;
}

static bool take(struct join *j, struct event *e)
{
	enum event_kind kind = event_get_kind(e);

	if (j->sorted && !keep_order(j, e))
		return false;
	if (kind == KIND_API)
		take_call(j, e);
	else if (event_kind_is_device(kind))
		take_device(j, e);
	else if (j->only == ALL)
		pass(j, e);
	return true;
}

/* --- the end --- */

static void report(const struct join *j)
{
	warn("device records: %" PRIu64 " matched, %" PRIu64 " without a call, %" PRIu64 " ambiguous, %" PRIu64
	     " without corr", j->matched, j->callless, j->ambiguous, j->idless);
	warn("calls with corr: %" PRIu64 ", of them %" PRIu64 " without a device record, %" PRIu64 " duplicates",
	    j->calls.added, call_table_idle(&j->calls), j->calls.duplicates);
}

int main(int argc, char **argv)
{
	struct join j = {
	    .in.times = INPUT_SORTED, .only = ALL, .horizon = 10000000000, .lead = -1, .pending.memory = 256 << 20};
	struct event e;
	bool ordered = true;

	err_init(argv[0]);
	read_options(&j, argc, argv);
	opt_need_input(&program, argc, argv);
	out_open(&j.out);
	j.in.reads = read_record;
	j.in.reads_arg = &j;
	input_open(&j.in, argv + optind, &j.out);
	while (ordered && input_next(&j.in, &e))
		ordered = take(&j, &e);
	settle_until(&j, NULL);
	if (ordered && j.report)
		report(&j);
	if (ordered)
		passed_tell(&j.passed, &j.in, argv, argv + optind);
	else
		ts_order_tell(&j.in, argv, argv + optind);
	call_table_free(&j.calls);
	pending_records_free(&j.pending);
	pending_records_free(&j.early);
	passed_free(&j.passed);
	call_link_free(&j.linked);
	buf_free(&j.told);
	return input_finish(&j.in);
}

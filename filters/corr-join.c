/*
 * corr-join: tells each record of device activity which API call launched it.
 *
 * in:  {"ts":100,"dur":40,"kind":"api","name":"cudaLaunchKernel","pid":7,"tid":8,"corr":3,"iter":2}
 *      {"ts":160,"dur":90,"kind":"kernel","name":"gemm","dev":0,"stream":7,"corr":3,"args":{"grid":[1,1,1]}}
 * out: {"ts":100,"dur":40,"kind":"api","name":"cudaLaunchKernel","pid":7,"tid":8,"corr":3,"iter":2}
 *      {"ts":160,"dur":90,"kind":"kernel","name":"gemm","dev":0,"stream":7,"corr":3,"api":{"name":
 *      "cudaLaunchKernel","ts":100,"dur":40,"pid":7,"tid":8},"delay":60,"queue":20,"iter":2,"args":...}
 *
 * Unsorted, a device record that comes before its call waits for it (lib/pending). Sorted, it waits until
 * ts grows, since at one ts calls count as first wherever they stand.
 */
#include "input.h"
#include "linked.h"
#include "opt.h"
#include "order.h"

#include <getopt.h>
#include <inttypes.h>

#define LATE                                                                                                           \
	"a second process's call with this corr: the first one's was told to device records without pid"

enum { SORTED = INPUT_OPTION_END, HORIZON, ONLY, MEMORY, REPORT };

static const struct opt options[] = {
    {SORTED, "sorted", NULL, "the input is in ts order, and the output will be; memory is constant"},
    {HORIZON, "horizon", "T", "with --sorted: a call is remembered for this long (10s)"},
    {ONLY, "only", "WHICH", "write only the device records that are matched, or unmatched"},
    {MEMORY, "memory", "SIZE", "what waits beyond this lies in a temporary file (256MiB)"},
    {REPORT, "report", NULL, "tell on standard error how many were matched, and what was not"},
    INPUT_OPTIONS,
    {0},
};

static const struct program program = {
    "Tells each record of device activity which API call launched it, by correlation id.",
    "[--sorted [--horizon T]] [--only matched|unmatched] [--memory SIZE] [--report] [FILE...]",
    "trace2ndjson run.json.gz | corr-join | filter-calls -k kernel | groupby -g api.name -f delay",
    options,
};

static const char *const only_names[] = {"matched", "unmatched", NULL};
enum only { MATCHED, UNMATCHED, ALL };

struct join {
	struct calls calls;
	struct pending pending;
	struct order order;
	struct input in;
	struct out out;
	enum only only;
	bool sorted, report;
	int64_t horizon;     /* -1: not given */
	int64_t held;        /* sorted: the ts of what is pending */
	uint64_t matched, callless, ambiguous, idless;
	struct linked linked; /* the record that was read */
	struct buf told;     /* what one is told */
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
	if (j->horizon > 0 && !j->sorted)
		die("--horizon needs --sorted");
	j->pending.keyed = !j->sorted;
	if (j->sorted)
		j->calls.horizon = j->horizon > 0 ? (uint64_t)j->horizon : UINT64_C(10000000000);
}

/* --- writing --- */

static void write_matched(struct join *j, struct call *call, const struct waiting *w, struct str text)
{
	j->matched++;
	call->joined = true;
	call->blind |= w->blind;
	if (j->only != UNMATCHED)
		linked_write(&j->out, w, text, linked_tell(&j->told, w, &j->calls, call));
}

static void write_unmatched(struct join *j, uint64_t *why, struct str text)
{
	++*why;
	if (j->only != MATCHED)
		out_line(&j->out, text);
}

/* --- joining --- */

static void check(bool good, const struct fault *f)
{
	if (!good) {
		warn_fault("temporary folder (TMPDIR)", f);
		quit(STATUS_FAIL);
	}
}

static void answer(struct join *j, const struct waiting *w, struct str text, enum calls_answer found, struct call *call)
{
	switch (found) {
	case CALLS_ONE:
		write_matched(j, call, w, text);
		break;
	case CALLS_AMBIGUOUS:
		write_unmatched(j, &j->ambiguous, text);
		break;
	case CALLS_NONE:
		write_unmatched(j, &j->callless, text);
	}
}

/* The record waits no more: it is joined to what calls there are. */
static void settle(void *arg, const struct waiting *w, struct str text)
{
	struct join *j = arg;
	enum calls_answer found;
	struct call *call = NULL;

	if (!w->device) {
		out_line(&j->out, text);
		return;
	}
	found = calls_find(&j->calls, w->who, w->corr, &call);
	answer(j, w, text, found, call);
}

static void settle_all(struct join *j)
{
	struct fault f;

	check(pending_drain(&j->pending, settle, j, &f), &f);
}

static void hold_back(struct join *j, const struct waiting *w, struct str text)
{
	struct fault f;

	if (!j->pending.n)
		j->held = w->ts;
	check(pending_add(&j->pending, w, text, &f), &f);
}

/* What needs no call: at once, but behind what is held at its ts. */
static void pass(struct join *j, const struct event *e)
{
	if (j->sorted && j->pending.n)
		hold_back(j, &(struct waiting){.device = false}, e->raw);
	else
		event_copy(&j->out, e);
}

static void add_call(struct join *j, struct event *e)
{
	const struct waiting *w = &j->linked.w;
	struct calls *calls = &j->calls;
	uint64_t late = calls->late;
	struct fault f;

	linked_add(&j->linked, e, calls, j->order.last);
	if (j->sorted)
		return;
	if (calls->late > late)
		input_note(&j->in, LATE);
	check(pending_release(&j->pending, w, !calls_collide(calls, w->who), settle, j, &f), &f);
}

static void take_call(struct join *j, struct event *e)
{
	if (j->only == ALL)
		pass(j, e);
	if (j->linked.has_corr)
		add_call(j, e);
}

/* Whether a call may still come that decides about the record. */
static bool may_wait(const struct join *j, const struct waiting *w, enum calls_answer found)
{
	if (found == CALLS_ONE)
		return w->blind && calls_collide(&j->calls, w->who);
	return found == CALLS_NONE;
}

static void take_device(struct join *j, struct event *e)
{
	struct waiting *w = &j->linked.w;
	struct call *call = NULL;
	enum calls_answer found;

	if (!j->linked.has_corr) {
		j->idless++;
		if (j->only != MATCHED)
			pass(j, e);
		return;
	}
	w->device = true;
	if (j->sorted && (w->has_ts || j->pending.n)) {
		hold_back(j, w, e->raw); /* for calls at its ts */
		return;
	}
	found = calls_find(&j->calls, w->who, w->corr, &call);
	if (!j->sorted && may_wait(j, w, found))
		hold_back(j, w, e->raw);
	else
		answer(j, w, e->raw, found, call);
}

/* For input.reads: what take() looks at, into j->linked. */
static void read_record(void *arg, struct event *e)
{
	struct join *j = arg;
	enum event_kind kind = event_get_kind(e);

	if (kind == KIND_API || event_kind_is_device(kind))
		linked_read(&j->linked, e, &j->calls, kind == KIND_API);
	else if (j->sorted)
		event_get(e, EVENT_TS);
}

/* False when the stream is out of ts order. */
static bool keep_order(struct join *j, const struct event *e)
{
	if (!event_has(e, EVENT_TS))
		return true;
	if (!order_keeps(&j->order, e->ts))
		return false;
	if (j->pending.n && e->ts != j->held)
		settle_all(j);
	calls_age(&j->calls, e->ts);
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

static void report(const struct join *j)
{
	warn("device records: %" PRIu64 " matched, %" PRIu64 " without a call, %" PRIu64 " ambiguous, %" PRIu64
	     " without corr", j->matched, j->callless, j->ambiguous, j->idless);
	warn("calls with corr: %" PRIu64 ", of them %" PRIu64 " without a device record, %" PRIu64 " duplicates",
	    j->calls.added, calls_idle(&j->calls), j->calls.duplicates);
}

int main(int argc, char **argv)
{
	struct join j = {.in.times = INPUT_SORTED, .only = ALL, .horizon = -1, .pending.memory = 256 << 20};
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
	settle_all(&j);
	if (!ordered)
		order_tell(&j.in, argv, argv + optind);
	else if (j.report)
		report(&j);
	calls_free(&j.calls);
	pending_free(&j.pending);
	linked_free(&j.linked);
	buf_free(&j.told);
	return input_finish(&j.in);
}

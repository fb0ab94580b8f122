/*
 * hang-find: finds the ranks of a job that did not come to a collective, from flight-recorder dumps of all ranks.
 *
 * in:  {"kind":"meta","name":"flight_recorder","rank":9,"args":{"version":"2.9","entries":0,"open":0}}
 *      {"kind":"meta","name":"process_group","rank":9,"args":{"group":"72","desc":"EP","ranks":[8,9],"pg_id":12,
 *       "last_enqueued_collective":4,"last_completed_collective":4}}
 *      ...
 *      {"ts":1758581237526848193,"kind":"mark","name":"all_to_all","rank":8,"args":{"record_id":7,
 *       "pg_id":12,"process_group":["72","EP"],"collective_seq_id":5,"state":"scheduled",...}}
 * out: {"kind":"hangs","name":"answer","what":"did not come","group":"72","desc":"EP","ranks":[8,9],"first":5,
 *       "op":"all_to_all","dtype":"Float","sizes":"8","root":[9],"stopped":[],"waits":[8],"text":"Rank 9 did not ..."}
 *      {"kind":"hangs","name":"rank","rank":9,"state":"did not come",...}
 *      {"kind":"hangs","name":"group","group":"72",...}
 */
#include "hang_answers.h"
#include "base/order.h"
#include "program/filter.h"
#include "program/input_options.h"

#include <inttypes.h>
#include <stdlib.h>

enum { APART_S = 600 }; /* newest entries that are further apart are of different time-outs */

struct hang_find {
	struct input in;
	struct out out;
	struct dumps dumps;
	struct waits waits;
};

static const struct opt_program program = {
    "Finds the ranks that did not come to a collective, from flight-recorder dumps.",
    "[FILE...]",
    "trace2ndjson dumps/* | hang-find | ndjson2table -f text",
    .reads = "records",
    .writes = "records (hangs)",
    .needs = "flight-recorder dumps",
};

/* Reports the members of groups without a dump. Returns whether there are any. */
static bool report_absent(const struct dumps *d)
{
	struct buf text = {0};
	const struct dump_group *g;
	int64_t *ranks = NULL;
	size_t i, k, n = 0, cap = 0;

	for (i = 0; i < d->n_groups; i++) {
		g = &d->groups[i];
		ranks = mem_grow(ranks, &cap, n + g->absent, sizeof *ranks);
		for (k = 0; k < g->n && g->absent; k++) {
			if (g->members[k].dump == DUMPS_NONE)
				ranks[n++] = g->ranks[k];
		}
	}
	n = order_distinct(ranks, n, sizeof *ranks, order_int64s);
	if (n) {
		hang_answers_put_ranks(&text, ranks, n);
		warn("no dump of %.*s", (int)text.n, text.p);
	}
	free(ranks);
	buf_free(&text);
	return n > 0;
}

/* Warns if the newest entries of two dumps are so far apart that they belong to different time-outs. */
static void report_apart(const struct dumps *d)
{
	const struct dump *first = NULL, *last = NULL;
	size_t i;

	for (i = 0; i < d->n; i++) {
		if (d->list[i].newest == DUMPS_UNKNOWN)
			continue;
		if (!first || d->list[i].newest < first->newest)
			first = &d->list[i];
		if (!last || d->list[i].newest > last->newest)
			last = &d->list[i];
	}
	if (first && (uint64_t)last->newest - (uint64_t)first->newest > APART_S * UINT64_C(1000000000))
		warn("dumps of different time-outs: the newest entry of rank %" PRId64 " is %" PRIu64
		     " minutes older than that of rank %" PRId64,
		    first->rank, ((uint64_t)last->newest - (uint64_t)first->newest) / UINT64_C(60000000000),
		    last->rank);
}

static void report_notes(const struct dumps *d)
{
	size_t i, n = 0;

	for (i = 0; i < d->n; i++)
		n += d->list[i].first_record > 0;
	if (n)
		note("%zu of %zu dumps begin after the first collective: earlier entries are overwritten or left out",
		    n, d->n);
	if (d->unnamed)
		note("process groups whose name is unknown: %" PRIu64 "; their numbers are not used", d->unnamed);
}

/* Counts a loss; its location is the file of the dump, if the records have its name. */
static void report_lost(struct hang_find *h, const char *what)
{
	const struct str file = buf_str(&h->dumps.file);
	struct fault_location at = input_location(&h->in);

	if (file.n)
		at = (struct fault_location){diagnostics_text(&h->in.diagnostics, file), 0, FAULT_WHOLE_FILE};
	diagnostics_add(&h->in.diagnostics, DIAGNOSTICS_LOST, what, at);
}

int main(int argc, char **argv)
{
	struct hang_find h = {.in.times = INPUT_TIMED};
	const struct opt_table tables[] = {INPUT_OPTIONS(&h.in), {0}};
	const char *wrong;
	struct event e;
	bool open = true, any = false;
	int closed;

	err_init(argv[0]);
	input_uses_members(&h.in, UINT32_MAX,
	    1u << EVENT_TS | 1u << EVENT_KIND | 1u << EVENT_NAME | 1u << EVENT_RANK | 1u << EVENT_ARGS);
	filter_open(&h.in, opt_read(&program, argc, argv, tables), &h.out);
	input_stop_on_signal();
	while (input_next(&h.in, &e)) {
		any = true;
		wrong = dumps_add(&h.dumps, &e);
		if (wrong)
			report_lost(&h, wrong);
	}
	dumps_end(&h.dumps);
	if (h.dumps.n) {
		waits_find(&h.waits, &h.dumps);
		if (!h.in.failed)
			h.in.diagnostics.lost |= report_absent(&h.dumps);
		report_apart(&h.dumps);
		report_notes(&h.dumps);
		open = hang_answers_write(&h.waits, &h.out);
	} else if (any && !h.in.diagnostics.n && !h.in.failed) {
		warn("no flight-recorder dump");
		h.in.diagnostics.lost = true;
	}
	h.in.diagnostics.lost |= !open;
	closed = filter_close(&h.in);
	waits_free(&h.waits);
	dumps_free(&h.dumps);
	return closed;
}

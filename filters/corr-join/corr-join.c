/*
 * corr-join: joins each device record with the API call that launched it.
 *
 * in:  {"ts":100,"dur":40,"kind":"api","name":"cudaLaunchKernel","pid":7,"tid":8,"corr":3,"iter":2}
 *      {"ts":160,"dur":90,"kind":"kernel","name":"gemm","dev":0,"stream":7,"corr":3,"args":{"grid":[1,1,1]}}
 * out: {"ts":100,"dur":40,"kind":"api","name":"cudaLaunchKernel","pid":7,"tid":8,"corr":3,"iter":2}
 *      {"ts":160,"dur":90,"kind":"kernel","name":"gemm","dev":0,"stream":7,"corr":3,"api":{"name":
 *      "cudaLaunchKernel","ts":100,"dur":40,"pid":7,"tid":8},"delay":60,"queue":20,"iter":2,"args":...}
 *
 * call_table_find() has the rule which call launched a device record.
 *
 * Unsorted: a device record that precedes its call waits for the call (filters/corr-join/pending_records). Sorted: a
 * device record waits until ts increases, since a call at the same ts is treated as earlier even if it follows in the
 * input. With --lead, it waits longer for a later call, and all records that follow it wait for their turn.
 */
#include "join.h"
#include "missed_joins.h"
#include "program/filter.h"
#include "program/input_options.h"
#include "program/opt_fields.h"

#include <inttypes.h>

enum { TAKE = 256, ON, TEE };

static const char *const only_names[] = {"matched", "unmatched", NULL};

#define TO(member) OPT_TO(struct join, member)
static const struct opt options[] = {
    {0, "sorted", OPT_FLAG, TO(sorted), "expect and write records in ts order; uses constant memory"},
    {0, "horizon", OPT_TIME("T", 1), TO(horizon),
	"maximum time between a device record and its call (default 10s);\n"
	"without --sorted, if all calls so far are farther away than T, the\n"
	"record waits for a nearer call until the end of the input"},
    {0, "lead", OPT_TIME("T", 0), TO(lead),
	"with --sorted: accept device records that start up to T before their\n"
	"call (default 0)"},
    {0, "only", OPT_CHOICE("WHICH", only_names), TO(only),
	"write only device records with a call (matched) or without one\n"
	"(unmatched)"},
    {0, "drop-calls", OPT_FLAG, TO(drop_calls), "do not write the calls"},
    {TEE, "tee", OPT_TEXT("FILE"), OPT_TAKE,
	"also write the records to FILE, such as a named pipe from which another\n"
	"program reads; can be repeated"},
    {ON, "on", OPT_TEXT("FIELD"), OPT_TAKE,
	"join records that have the same integer in FIELD, not the same corr;\n"
	"operators are calls too, and of several calls the last one is used"},
    CARRIED_FIELDS_OPTION(TAKE, "the record's call"),
    {0, "memory", OPT_SIZE("SIZE", 0), TO(memory),
	"memory for the text of waiting records (default 256MiB); the rest goes\n"
	"to a temporary file"},
    {0, "report", OPT_FLAG, TO(report), "print counts of matched and unmatched records on standard error"},
    {0},
};

static const struct opt_program program = {
    "Joins each device record with the API call that launched it, by correlation id.",
    "[--sorted [--lead T]] [--horizon T] [--only matched|unmatched | --drop-calls] [--on FIELD] [--take "
    "NAME=FIELD,...] [--memory "
    "SIZE] [--report] [--tee FILE]... "
    "[FILE...]",
    "trace2ndjson run.json.gz | corr-join | filter-calls -k kernel | groupby -g api.name -f delay",
    .reads = "records (api, kernel, memcpy, memset, sync)",
    .writes = "records",
    .needs = "ts order with --sorted",
};

static void take_option(void *arg, const struct opt_value *v)
{
	struct join *j = arg;

	if (v->opt->letter == TAKE) {
		carried_fields_add(&j->linked.take, v->option, v->text);
		return;
	}
	if (v->opt->letter == TEE) {
		j->copies = mem_grow(j->copies, &j->copies_cap, j->n_copies + 1, sizeof *j->copies);
		j->copies[j->n_copies++] = v->text;
		return;
	}
	field_free(&j->on);
	opt_field(&j->on, v->option, v->text);
	if (j->on.each)
		opt_invalid(v->option, str_of(v->text), "a field with one value, without []");
	j->linked.on = &j->on;
}

static void open_copies(struct join *j)
{
	struct fault f;
	size_t i;

	for (i = 0; i < j->n_copies; i++)
		err_check(out_tee(&j->out, j->copies[i], &f), &f);
}

int main(int argc, char **argv)
{
	struct join j = {
	    .in.times = INPUT_SORTED, .only = JOIN_ALL, .horizon = 10000000000, .lead = -1, .memory = 256 << 20};
	const struct opt_table tables[] = {{options, &j, take_option}, INPUT_OPTIONS(&j.in), {0}};
	const struct call_table_counts *calls;
	struct event e;
	char **operands;

	err_init(argv[0]);
	operands = opt_read(&program, argc, argv, tables);
	carried_fields_check(&j.linked.take, "--take", (const char *const[]){"api", "delay", "queue", NULL});
	if (j.lead >= 0 && !j.sorted)
		opt_needs("--lead", "--sorted");
	j.lead = j.lead > 0 ? j.lead : 0;
	join_init(&j);
	filter_open(&j.in, operands, &j.out);
	open_copies(&j);
	while (input_next(&j.in, &e))
		join_take(&j, &e);
	join_release(&j, NULL);
	if (filter_in_order(&j.in, argv, operands)) {
		calls = call_table_counts(j.calls);
		if (j.report) {
			warn("device records: %" PRIu64 " matched, %" PRIu64 " without a call, %" PRIu64
			     " ambiguous, %" PRIu64 " without corr",
			    j.matched, j.callless, j.ambiguous, j.idless);
			warn("calls: %" PRIu64 " with corr, %" PRIu64 " without a device record, %" PRIu64
			     " duplicates",
			    calls->added, call_table_idle(j.calls), calls->duplicates);
		}
		if (!j.in.failed && j.callless && !calls->added && !j.linked.on)
			hint("no calls (kind api) with a corr in the input; were they filtered out before the join?");
		if (!j.in.failed)
			carried_fields_hint(&j.linked.take);
		if (!j.in.failed && j.linked.on)
			filter_hint_field(j.linked.on, true);
		missed_joins_report(j.missed, &j.in, argv, operands);
	}
	join_free(&j);
	return filter_close(&j.in);
}

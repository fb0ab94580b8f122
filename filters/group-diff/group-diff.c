/*
 * group-diff: divides the difference of two runs into more or fewer calls, slower or faster calls, new and gone items.
 *
 * A: {"kind":"groupby/event","name":"gemm","count":6,"dur_sum":3720}
 * B: {"kind":"groupby/event","name":"gemm","count":72,"dur_sum":25342}
 * out, with -g name:
 *    {"kind":"group-diff","name":"gemm","count_a":6,"count_b":72,"total_a":3720,"total_b":25342,"diff":21622,
 *     "by_calls":40920,"by_time":-19298,"new":0,"gone":0,"mean_a":620,"mean_b":352,
 *     "change":"66 calls more, 43 % faster a call"}
 */
#include "compared_run.h"
#include "difference_rows.h"
#include "program/filter.h"
#include "program/input_options.h"
#include "program/opt_fields.h"
#include "program/table_options.h"
#include "run_reader.h"
#include "verdict.h"

#include <inttypes.h>
#include <stdlib.h>

enum { REPEAT_A = 256, REPEAT_B };

/* The number of steps with which the first one is left out of verdicts. */
enum { ENOUGH_STEPS = 6 };

enum { STATUS_INCOMPARABLE = 3 };

struct group_diff {
	struct input in;
	struct out out;
	struct run_reader reader;
	bool all_steps;  /* --all-steps */
	bool comparable; /* --comparable */
	struct table_options table;
	struct difference_rows rows;
	struct repeats {
		const char **files;
		size_t n, cap;
	} repeats[2]; /* --repeat-a and --repeat-b */
};

#define TO(member) OPT_TO(struct group_diff, member)
static const struct opt options[] = {
    {'g', "group", OPT_TEXT("KEY,..."), OPT_TAKE, "compare the records that have the same values of these fields"},
    {'f', "field", OPT_TEXT("FIELD"), TO(reader.names[RUN_VALUE]), "compare the sums of this field (default dur)"},
    {0, "step", OPT_TEXT("FIELD"), TO(reader.names[RUN_STEP]),
	"records with the same FIELD are one step; judge each difference by\n"
	"the values in all steps of both runs"},
    {0, "all-steps", OPT_FLAG, TO(all_steps), "also use the first step of runs with 6 steps or more for verdicts"},
    {0, "each-step", OPT_FLAG, TO(rows.each_step), "print only the row of all items, for each step"},
    {0, "prefer", OPT_SET("KIND,...", event_kind_names), TO(reader.prefer),
	"if there are records of these kinds, compare only them"},
    {0, "parent", OPT_TEXT("FIELD"), TO(reader.names[RUN_PARENT]),
	"find renamed items; an item and its new name have the same FIELD"},
    {REPEAT_A, "repeat-a", OPT_TEXT("RUN"), OPT_TAKE, "another run of A's setting; judge differences by all runs"},
    {REPEAT_B, "repeat-b", OPT_TEXT("RUN"), OPT_TAKE, "another run of B's setting"},
    {0, "wall", OPT_FLAG, TO(rows.runs.wall),
	"the values are wall times, which differ between runs of one setting:\n"
	"without repeats, no difference is more than `changed in this pair`"},
    {0, "launched", OPT_FLAG, TO(reader.launched),
	"leave out device records without their launch (api), and count them"},
    {0, "comparable", OPT_FLAG, TO(comparable),
	"exit 3 and write nothing if the runs are not comparable: device work,\n"
	"devices, ranks, or most names differ"},
    {0, "total", OPT_FLAG, TO(rows.only_total), "print only the row of all items"},
    {'t', "top", OPT_COUNT("N", 1), TO(rows.top), "print only the first N items"},
    {'o', "output", TABLE_OPTIONS_FORMAT, TO(table.format),
	"ndjson, csv, tsv, raw, md, table or list (default table on a terminal,\n"
	"otherwise ndjson)"},
    {0},
};

static const struct opt_program program = {
    "Divides the difference of two runs into more or fewer calls, slower or faster calls,\n"
    "new and gone items. A and B are records, or results of groupby -a count,sum.",
    "[-g KEY,...] [-f FIELD] [--step FIELD [--all-steps] [--each-step]] [--prefer KIND,...] [--parent FIELD] "
    "[--repeat-a RUN]... [--repeat-b RUN]... [--wall] [--launched] [--comparable] [--total] [-t N] "
    "[-u UNIT] [--time FIELD,...] [--size FIELD,...] [-o FORMAT] A [B...]",
    "group-diff -g name before.ndjson after.ndjson",
    .reads = "records, table",
};

static void take_option(void *arg, const struct opt_value *v)
{
	struct group_diff *g = arg;
	struct repeats *r = &g->repeats[v->opt->letter == REPEAT_B];

	if (v->opt->letter == 'g') {
		opt_group_keys(&g->reader.items, v->option, v->text);
		return;
	}
	r->files = mem_grow(r->files, &r->cap, r->n + 1, sizeof *r->files);
	r->files[r->n++] = v->text;
}

/* --- runs --- */

/*
 * Reads all runs: those of A, then those of B. Returns the exit status; a last file that cannot be read to its end is
 * used up to the error.
 */
static int read_runs(struct group_diff *g, char **operands)
{
	struct verdict_runs *runs = &g->rows.runs;
	int status = 0, one, side;
	size_t i;

	runs->n_a = 1 + g->repeats[0].n;
	runs->n = runs->n_a + 1 + g->repeats[1].n;
	runs->runs = mem_zero(runs->n, sizeof *runs->runs);
	for (side = 0; side < 2; side++) {
		for (i = 0; i <= g->repeats[side].n; i++) {
			struct compared_run *run = verdict_run(runs, side) + i;
			char *file[] = {i ? (char *)g->repeats[side].files[i - 1] : operands[0], NULL};

			run->divided = g->rows.each_step;
			one = run_reader_read(&g->reader, run, side && !i ? operands + 1 : file, &g->out);
			status = one > status ? one : status;
		}
		if (!side && status == STATUS_FAIL)
			quit(STATUS_FAIL);
	}
	return status;
}

static void check_operands(const struct group_diff *g, char **operands)
{
	size_t standard = !operands[0] || !operands[1], n = 0, i;
	int side;

	while (operands[n])
		standard += strcmp(operands[n++], "-") == 0;
	for (side = 0; side < 2; side++) {
		for (i = 0; i < g->repeats[side].n; i++)
			standard += strcmp(g->repeats[side].files[i], "-") == 0;
	}
	if (!n)
		die("no A to compare with; usage: %s %s", err_prog(), program.synopsis);
	opt_need_input(&program, operands + 1);
	if (standard > 1)
		die("only one of the files can be standard input");
}

/* Leaves out the first step of each run that has enough of them: profilers start in it. */
static void leave_out_first_steps(struct group_diff *g)
{
	struct verdict_runs *runs = &g->rows.runs;
	size_t i, left_out = 0;

	for (i = 0; i < runs->n && !g->all_steps; i++) {
		runs->runs[i].first_left_out = runs->runs[i].steps.n >= ENOUGH_STEPS;
		left_out += runs->runs[i].first_left_out;
	}
	if (left_out)
		note("verdicts leave out the first step of %zu run%s; --all-steps uses it", left_out,
		    left_out == 1 ? "" : "s");
}

/* Notes what is not comparable. Exits if the user asked for that. */
static void check_comparable(struct group_diff *g, const struct compared_run *a, const struct compared_run *b)
{
	if (a->without_launch || b->without_launch)
		note("device records without their launch were left out: %" PRIu64 " of A, %" PRIu64 " of B",
		    a->without_launch, b->without_launch);
	if (!comparability_note(&g->reader.facts[0], &g->reader.facts[1], a, b, g->reader.items.n) && g->comparable)
		quit(STATUS_INCOMPARABLE);
}

static void write_rows(struct group_diff *g, const struct compared_run *a, const struct compared_run *b)
{
	struct run_reader *r = &g->reader;

	if (r->names[RUN_PARENT] && r->items.n_keys) {
		g->rows.origins = r->origins;
		g->rows.parents = &r->parents;
	}
	g->rows.runs.same = a->digest == b->digest;
	if (g->rows.runs.same) {
		note("the same run: all records are equal");
	} else {
		check_comparable(g, a, b);
		leave_out_first_steps(g);
	}
	g->rows.items = &r->items;
	g->rows.source = &r->source;
	g->rows.kind = column_meaning_of(str_of(r->fields[RUN_VALUE].spec), &r->source, &g->table.units).kind;
	verdict_begin(&g->rows.runs);
	difference_rows_write(&g->rows, &g->out, &g->table);
	free(g->rows.runs.values);
}

/* Reports a run that was read and has no numbers. Returns false if no run has any. */
static bool has_values(
    const struct group_diff *g, const struct compared_run *a, const struct compared_run *b, int status)
{
	const char *name = g->reader.fields[RUN_VALUE].spec;

	if (!a->n && !b->n && status <= STATUS_LOST && (a->any || b->any))
		note("field '%s' has no numeric values", name);
	else if (!a->n != !b->n && (a->n ? b : a)->any)
		note("%s: field '%s' has no numeric values", a->n ? "B" : "A", name);
	return a->n || b->n;
}

int main(int argc, char **argv)
{
	struct group_diff g = {.reader.names[RUN_VALUE] = "dur", .rows.top = SIZE_MAX};
	const struct opt_table tables[] = {{options, &g, take_option}, TABLE_OPTIONS(&g.table),
	    UNIT_OPTIONS(&g.table.units), INPUT_OPTIONS(&g.in), {0}};
	struct verdict_runs *runs = &g.rows.runs;
	char **operands;
	size_t i;
	int status, end;

	err_init(argv[0]);
	table_options_init(&g.table, TABLE_TABLE, TABLE_NDJSON);
	operands = opt_read(&program, argc, argv, tables);
	check_operands(&g, operands);
	g.reader.runs = runs;
	g.reader.options = g.in.options;
	run_reader_init(&g.reader);
	filter_open_output(&g.out);
	input_stop_on_signal();
	status = read_runs(&g, operands);
	if (has_values(&g, verdict_run(runs, 0), verdict_run(runs, 1), status))
		write_rows(&g, verdict_run(runs, 0), verdict_run(runs, 1));
	filter_hint_field(&g.reader.fields[RUN_VALUE], true);
	filter_hint_field(&g.reader.fields[RUN_STEP], true);
	if (g.rows.lost) {
		warn("%zu differences left out: their numbers are outside 128 bits", g.rows.lost);
		status = status > STATUS_LOST || g.in.options.lenient ? status : STATUS_LOST;
	}
	for (i = 0; i < runs->n; i++)
		compared_run_free(&runs->runs[i]);
	free(runs->runs);
	run_reader_free(&g.reader);
	for (i = 0; i < 2; i++)
		free(g.repeats[i].files);
	field_units_free(&g.table.units);
	end = filter_close_output(&g.out, NULL);
	return end > status ? end : status;
}

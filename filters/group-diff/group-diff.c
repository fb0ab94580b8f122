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
#include "difference_rows.h"
#include "program/filter.h"
#include "program/input_options.h"
#include "program/opt_fields.h"
#include "program/table_options.h"

#include <inttypes.h>
#include <stdlib.h>

enum { REPEAT_A = 256, REPEAT_B, STEP };

struct group_diff {
	struct input in;
	struct out out;
	struct groups items;
	const char *asked; /* -f */
	struct field value, sum, count, step;
	bool stepped; /* --step */
	struct table_options table;
	struct source_kind source;
	bool source_known;
	struct difference_rows rows;
	size_t runs_cap;
	const char **repeats[2]; /* the files of --repeat-a and --repeat-b */
	size_t n_repeats[2], repeats_cap[2];
};

#define TO(member) OPT_TO(struct group_diff, member)
static const struct opt options[] = {
    {'g', "group", OPT_TEXT("KEY,..."), OPT_TAKE, "compare the records that have the same values of these fields"},
    {'f', "field", OPT_TEXT("FIELD"), TO(asked), "compare the sums of this field (default dur)"},
    {STEP, "step", OPT_TEXT("FIELD"), OPT_TAKE,
	"records with the same FIELD are one step; judge each difference by\n"
	"the values in all steps of both runs"},
    {REPEAT_A, "repeat-a", OPT_TEXT("FILE"), OPT_TAKE, "another run of A's setting; judge differences by all runs"},
    {REPEAT_B, "repeat-b", OPT_TEXT("FILE"), OPT_TAKE, "another run of B's setting"},
    {0, "wall", OPT_FLAG, TO(rows.runs.wall),
	"the values are wall times, which differ between runs of one setting:\n"
	"without repeats, no difference is more than `changed in this pair`"},
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
    "[-g KEY,...] [-f FIELD] [--step FIELD] [--repeat-a FILE]... [--repeat-b FILE]... [--wall] [--total] [-t N] "
    "[-u UNIT] [--time FIELD,...] [--size FIELD,...] [-o FORMAT] A [B...]",
    "group-diff -g name before.ndjson after.ndjson",
};

static void take_option(void *arg, const struct opt_value *v)
{
	struct group_diff *g = arg;
	const int side = v->opt->letter == REPEAT_B;
	const char *list = v->text;
	struct buf text = {0};
	struct fault fault;
	struct str item;

	if (v->opt->letter == STEP) {
		if (g->stepped)
			field_free(&g->step);
		opt_field(&g->step, v->option, v->text);
		g->stepped = true;
	} else if (v->opt->letter != 'g') {
		g->repeats[side] =
		    mem_grow(g->repeats[side], &g->repeats_cap[side], g->n_repeats[side] + 1, sizeof *g->repeats[side]);
		g->repeats[side][g->n_repeats[side]++] = v->text;
	} else {
		while (opt_item(&list, &text, &item)) {
			if (!groups_add_key(&g->items, item, &fault))
				opt_field_refused(v->option, item, &fault);
		}
	}
	buf_free(&text);
}

/* Compiles the fields of records: -f, and the members of groupby's results. */
static void compile_fields(struct group_diff *g)
{
	struct buf name = {0}, quoted = {0};
	struct fault fault;

	opt_field(&g->value, "-f", g->asked);
	g->value.numeric = true;
	buf_add(&name, g->value.spec, strlen(g->value.spec));
	buf_lit(&name, "_sum");
	field_quote(&quoted, buf_str(&name));
	field_compile(&g->sum, buf_str(&quoted), &fault);
	field_compile(&g->count, STR("count"), &fault);
	bufs_free(&name, &quoted);
}

/* --- records --- */

/*
 * Gets the sum of a record, and the number of calls that it sums up: 1 unless groupby wrote it. Returns false if the
 * record has no number in the field, or was lost.
 */
static bool read_sum(struct group_diff *g, struct input *in, struct event *e, uint64_t *count, struct value *v)
{
	struct value n;

	*count = 1;
	g->value.records++;
	if (!field_get(&g->sum, e, 0, v)) {
		if (!field_get(&g->value, e, 0, v))
			return false;
	} else if (!field_get(&g->count, e, 0, &n) || n.type != VALUE_INT || n.i < 1) {
		input_lost(in, "a sum without the count of its records; skipped (needs groupby -a count,sum)");
		return false;
	} else {
		*count = (uint64_t)n.i;
	}
	g->value.found++;
	return v->type == VALUE_INT || v->type == VALUE_REAL;
}

static void take_record(struct group_diff *g, struct compared_run *run, struct input *in, struct event *e)
{
	size_t step = COMPARED_RUN_NO_STEP, n, i;
	const uint32_t *found;
	struct value v;
	uint64_t count;

	if (g->stepped) {
		if (!field_get(&g->step, e, 0, &v))
			return;
		step = value_ids_put(&run->steps, v.text);
	}
	if (!read_sum(g, in, e, &count, &v))
		return;
	g->value.numbers++;
	n = groups_of(&g->items, e, &found);
	for (i = 0; i < n; i++)
		compared_run_add(run, found[i], count, &v, step);
}

/* Reads all records of a run from its files. Returns the exit status. */
static int read_run(struct group_diff *g, struct compared_run *run, char **operands)
{
	struct input in = {.options = g->in.options, .report = filter_report};
	struct event e;
	size_t i;
	int status;

	for (i = 0; i < g->items.n_keys; i++)
		input_uses(&in, groups_key_field(&g->items, i));
	input_uses(&in, &g->value);
	input_uses(&in, &g->sum);
	input_uses(&in, &g->count);
	if (g->stepped)
		input_uses(&in, &g->step);
	input_uses_members(&in, UINT32_MAX, 1u << EVENT_KIND);
	input_open(&in, operands, &g->out);
	while (input_next(&in, &e)) {
		g->source_known = g->source_known || source_kind_look(&g->source, &e);
		take_record(g, run, &in, &e);
	}
	status = filter_close_input(&in);
	filter_hint_empty(&in);
	return status;
}

/* --- runs --- */

/* Reads a run, and the further runs of its side. Returns the exit status. */
static int read_side(struct group_diff *g, int side, struct compared_run *runs, char **operands)
{
	int status = read_run(g, runs, operands), one;
	char *repeat[] = {NULL, NULL};
	size_t i;

	for (i = 0; i < g->n_repeats[side]; i++) {
		repeat[0] = str_dup(str_of(g->repeats[side][i]));
		one = read_run(g, &runs[1 + i], repeat);
		free(repeat[0]);
		status = one > status ? one : status;
	}
	return status;
}

/* Reads all runs. Returns the exit status; a last file that cannot be read to its end is used up to the error. */
static int read_runs(struct group_diff *g, char **operands)
{
	struct verdict_runs *runs = &g->rows.runs;
	char *before[] = {operands[0], NULL};
	int a, b;

	runs->n_a = 1 + g->n_repeats[0];
	runs->n_b = 1 + g->n_repeats[1];
	runs->runs = mem_zero(runs->n_a + runs->n_b, sizeof *runs->runs);
	a = read_side(g, 0, runs->runs, before);
	if (a == STATUS_FAIL)
		quit(STATUS_FAIL);
	b = read_side(g, 1, runs->runs + runs->n_a, operands + 1);
	return a > b ? a : b;
}

static void check_operands(const struct group_diff *g, char **operands)
{
	size_t standard = !operands[0] || !operands[1], n = 0, i;
	int side;

	while (operands[n])
		standard += strcmp(operands[n++], "-") == 0;
	for (side = 0; side < 2; side++) {
		for (i = 0; i < g->n_repeats[side]; i++)
			standard += strcmp(g->repeats[side][i], "-") == 0;
	}
	if (!n)
		die("no A to compare with; usage: %s %s", err_prog(), program.synopsis);
	opt_need_input(&program, operands + 1);
	if (standard > 1)
		die("only one of the files can be standard input");
}

static void write_rows(struct group_diff *g)
{
	g->rows.items = &g->items;
	g->rows.source = &g->source;
	g->rows.kind = column_meaning_of(str_of(g->value.spec), &g->source, &g->table.units).kind;
	verdict_begin(&g->rows.runs);
	difference_rows_write(&g->rows, &g->out, &g->table);
	free(g->rows.runs.values);
}

int main(int argc, char **argv)
{
	struct group_diff g = {.asked = "dur", .rows.top = SIZE_MAX};
	const struct opt_table tables[] = {{options, &g, take_option}, TABLE_OPTIONS(&g.table),
	    UNIT_OPTIONS(&g.table.units), INPUT_OPTIONS(&g.in), {0}};
	char **operands;
	size_t i;
	int status, end;

	err_init(argv[0]);
	table_options_init(&g.table, TABLE_TABLE, TABLE_NDJSON);
	operands = opt_read(&program, argc, argv, tables);
	check_operands(&g, operands);
	compile_fields(&g);
	filter_open_output(&g.out);
	input_stop_on_signal();
	status = read_runs(&g, operands);
	write_rows(&g);
	filter_hint_field(&g.value, true);
	if (g.stepped)
		filter_hint_field(&g.step, true);
	if (g.rows.lost) {
		warn("%zu differences left out: their numbers are outside 128 bits", g.rows.lost);
		status = status > STATUS_LOST || g.in.options.lenient ? status : STATUS_LOST;
	}
	for (i = 0; i < g.rows.runs.n_a + g.rows.runs.n_b; i++)
		compared_run_free(&g.rows.runs.runs[i]);
	free(g.rows.runs.runs);
	groups_free(&g.items);
	field_free(&g.value);
	field_free(&g.sum);
	field_free(&g.count);
	if (g.stepped)
		field_free(&g.step);
	free(g.repeats[0]);
	free(g.repeats[1]);
	field_units_free(&g.table.units);
	end = filter_close_output(&g.out, NULL);
	return end > status ? end : status;
}

/*
 * groupby: groups records by their fields and prints aggregates of each group.
 *
 * in:  {"ts":100,"dur":40,"kind":"kernel","name":"gemm"}
 *      {"ts":160,"dur":90,"kind":"kernel","name":"gemm"}
 *      {"ts":260,"dur":30,"kind":"kernel","name":"relu"}
 * out, with -g name -a count,sum,max:
 *      {"kind":"groupby/event","name":"gemm","count":2,"dur_sum":130,"dur_max":90}
 *      {"kind":"groupby/event","name":"relu","count":1,"dur_sum":30,"dur_max":30}
 */
#include "program/group_report.h"
#include "stats/aggregate.h"
#include "stats/aggregate_function.h"

#include <stdlib.h>

enum { SUBTOTALS = 256 };

struct groupby {
	struct group_report report;
	struct buf aggregates; /* all lists of -a, each preceded by a comma */
	struct buf subtotals;  /* all lists of --subtotals, each preceded by a comma */
	const char *sort;      /* -s, or NULL */
	struct groups_order order;
	size_t top; /* -t */
};

#define TO(member) OPT_TO(struct groupby, member)
static struct opt options[] = {
    {'a', "aggregate", OPT_TEXT("AGG[:FIELD],..."), OPT_TAKE, NULL}, /* help is set by main() */
    {'s', "sort", OPT_TEXT("COLUMN"), TO(sort),
	"sort by this column of the output: keys ascending, values descending\n"
	"(default the first sum; rows with equal or absent sums are sorted by the\n"
	"number of records)"},
    {'t', "top", OPT_COUNT("N", 1), TO(top),
	"print only the first N groups; md, table and list add up the others\n"
	"in the row (other)"},
    {SUBTOTALS, "subtotals", OPT_TEXT("KEY,..."), OPT_TAKE,
	"print subtotals: a row before all groups with the same keys up to KEY;\n"
	"share and -t then apply to the groups of each subtotal"},
    {0},
};

static const struct opt_program program = {
    "Groups records by fields and computes aggregates of each group.",
    "[-g KEY,...] [-f FIELD,...] [-a AGG[:FIELD],...] [-s COLUMN] [-t N] [--subtotals KEY,...] [--cycle N] "
    "[--every T] [--partial[=N] | --merge] [--piece K/N] [-u UNIT] [--time FIELD,...] [--size FIELD,...] [-o FORMAT] "
    "[FILE...]",
    "trace2ndjson run.json.gz | filter-calls -k kernel | groupby -g name -o table",
    .reads = "records, table",
};

#define USUAL "count,sum,mean,min,max,share"

/*
 * Returns the index of the column with this name, with or without a unit. If no column has this name, searches for
 * names that end with '_' and this name (dur_mean for mean), and returns the index of such a column if there is exactly
 * one, else SIZE_MAX.
 */
static size_t find_column(const char *const *columns, struct str name)
{
	size_t i, found = SIZE_MAX, n = 0;
	struct str text;

	for (i = 0; columns[i]; i++) {
		text = str_of(columns[i]);
		if (units_same_name(text, name))
			return i;
		if (str_ends(text, name) && text.n > name.n && text.p[text.n - name.n - 1] == '_') {
			found = i;
			n++;
		}
	}
	return n == 1 ? found : SIZE_MAX;
}

static void order_by_column(struct groupby *g, const char *column)
{
	const struct group_report *r = &g->report;
	const size_t keys = r->groups.n_keys;
	const char **columns = mem_zero(keys + r->aggs.n_columns + 1, sizeof *columns); /* NULL follows the last one */
	struct fault fault;
	struct field field;
	size_t i;

	for (i = 0; i < keys; i++)
		columns[i] = groups_key_name(&r->groups, i);
	for (i = 0; i < r->aggs.n_columns; i++)
		columns[keys + i] = r->aggs.columns[i].name;
	i = find_column(columns, str_of(column));
	/* names of columns have no quotes, but the user may write those of the field */
	if (i == SIZE_MAX && field_compile(&field, str_of(column), &fault)) {
		i = find_column(columns, str_of(field.spec));
		field_free(&field);
	}
	if (i == SIZE_MAX)
		opt_unknown("-s", str_of(column), columns);
	free(columns);
	g->order.by = i < keys ? GROUPS_BY_KEY : GROUPS_BY_RESULT;
	g->order.which = i < keys ? i : i - keys;
}

/* Adds the level and the aggregates of a group to its row, after the keys, and ends the row. */
static void print_row(struct group_report *r, struct table *t, size_t group)
{
	size_t cell = r->groups.n_keys, i;

	if (r->groups.n_subtotals)
		table_set_int(t, cell++, (int128)groups_level(&r->groups, group));
	for (i = 0; i < r->aggs.n_columns; i++)
		group_report_result(r, t, cell++, i, group);
	table_row(t);
}

static struct table *begin_table(struct group_report *r)
{
	struct table *t = table_begin(&r->out, &r->table);
	struct column_meaning meaning;
	struct buf kind = {0};
	size_t i;

	groups_columns(&r->groups, t, &r->source, &r->table.units);
	if (r->groups.n_subtotals)
		table_column(t, STR("level"), COLUMN_ANY);
	for (i = 0; i < r->aggs.n_columns; i++) {
		meaning = groups_column_meaning(&r->aggs, i, &r->source, &r->table.units);
		table_column_of(t, str_of(r->aggs.columns[i].name), &meaning);
	}
	source_kind_summary(&r->source, &kind);
	table_kind(t, buf_str(&kind));
	buf_free(&kind);
	return t;
}

/* Prints all subtotals of level 1, and the first `top` groups of each subtotal. */
static void print_subtotals(
    struct group_report *r, size_t top, struct table *t, const size_t *order, const size_t *parents)
{
	const size_t n = r->groups.n;
	size_t *printed = mem_zero(n, sizeof *printed), i;
	bool *hidden = mem_zero(n, sizeof *hidden);

	for (i = 0; i < n; i++) {
		const size_t group = order[i], parent = parents[group];

		hidden[group] = parent != GROUPS_NONE && (hidden[parent] || printed[parent]++ >= top);
		if (hidden[group])
			continue;
		groups_cells(&r->groups, t, group, r->human);
		print_row(r, t, group);
	}
	mem_free(hidden, printed);
}

static void print_groups(struct group_report *r, size_t top, struct table *t, const size_t *order)
{
	const size_t n = r->groups.n < top ? r->groups.n : top;
	size_t i;

	for (i = 0; i < n; i++) {
		groups_cells(&r->groups, t, order[i], r->human);
		print_row(r, t, order[i]);
	}
	if (r->human && n < r->groups.n) {
		groups_cells(&r->groups, t, GROUPS_NONE, r->human);
		print_row(r, t, aggregate_fold(&r->aggs, order + n, r->groups.n - n));
		aggregate_unfold(&r->aggs);
	}
}

static void print(struct group_report *r, void *arg)
{
	const struct groupby *g = arg;
	struct table *t = begin_table(r);
	size_t *parents = groups_parents(&r->groups), *order;

	aggregate_totals(&r->aggs, parents);
	order = groups_sort(&r->groups, &r->aggs, g->order, parents);
	if (parents)
		print_subtotals(r, g->top, t, order, parents);
	else
		print_groups(r, g->top, t, order);
	table_end(t);
	aggregate_totals(&r->aggs, NULL);
	mem_free(order, parents);
}

static void take_option(void *arg, const struct opt_value *v)
{
	struct groupby *g = arg;
	struct buf *list = v->opt->letter == SUBTOTALS ? &g->subtotals : &g->aggregates;

	buf_char(list, ',');
	buf_add(list, v->text, strlen(v->text));
}

/* Called when the columns are known. By default, the first sum decides the order. */
static void set_order(struct group_report *r, void *arg)
{
	struct groupby *g = arg;
	size_t i;

	if (g->sort) {
		order_by_column(g, g->sort);
		return;
	}
	for (i = 0; i < r->aggs.n_columns && !aggregate_function_is_sum(r->aggs.columns[i].function); i++)
		;
	if (i < r->aggs.n_columns)
		g->order = (struct groups_order){GROUPS_BY_RESULT, i, true};
}

int main(int argc, char **argv)
{
	struct groupby g = {.top = SIZE_MAX};
	const struct opt_table tables[] = {{options, &g, take_option}, GROUP_REPORT_OPTIONS(&g.report), {0}};
	char *help, **operands;
	struct buf text = {0};
	const char *list;
	struct str item;
	int status;

	err_init(argv[0]);
	options[0].arg.words = aggregate_function_names(); /* for completion */
	options[0].help = help = aggregate_function_help("aggregates of each group (default " USUAL "):");
	group_report_init(&g.report, print, &g);
	g.report.request_aggregates = set_order;
	operands = opt_read(&program, argc, argv, tables);
	group_report_check(&g.report, "aggregate subtotals", "sort top");
	if (!g.report.merge) {
		if (!g.aggregates.n)
			buf_lit(&g.aggregates, "," USUAL);
		buf_char(&g.aggregates, '\0');
		group_report_ask(&g.report, g.aggregates.p + 1);
		buf_char(&g.subtotals, '\0');
		list = g.subtotals.n > 1 ? g.subtotals.p + 1 : NULL;
		while (opt_item(&list, &text, &item)) {
			if (!groups_subtotal(&g.report.groups, item))
				opt_invalid("--subtotals", item, "a KEY of -g that is not the last one");
		}
	}
	group_report_open(&g.report, operands);
	status = group_report_run(&g.report, QUANTILE_KEEP);
	group_report_free(&g.report);
	bufs_free(&g.aggregates, &g.subtotals, &text);
	free(help);
	return status;
}

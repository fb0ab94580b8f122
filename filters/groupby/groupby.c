/*
 * groupby: groups records by their fields and tells aggregates of each group.
 *
 * in:  {"ts":100,"dur":40,"kind":"kernel","name":"gemm"}
 *      {"ts":160,"dur":90,"kind":"kernel","name":"gemm"}
 *      {"ts":260,"dur":30,"kind":"kernel","name":"relu"}
 * out, with -g name -a count,sum,max:
 *      {"name":"gemm","count":2,"dur_sum":130,"dur_max":90}
 *      {"name":"relu","count":1,"dur_sum":30,"dur_max":30}
 */
#include "cli/options.h"
#include "cli/group_report.h"

#include <getopt.h>
#include <stdlib.h>

static struct opt options[] = {
    {'a', "aggregate", "AGG[:FIELD],...", NULL}, /* help is made of the table of aggregates */
    GROUP_REPORT_OPTIONS,
    {'s', "sort", "COLUMN", "sort by this column of the output: keys rising, all else falling\n"
			    "(the first sum, then the count)"},
    {'t', "top", "N", "only the first N groups; md, table and list add up the rest\n"
		      "as (other)"},
    {0},
};

static const struct program program = {
    "Groups records by their fields and tells aggregates of each group.",
    "[-g KEY,...] [-f FIELD,...] [-a AGG[:FIELD],...] [-s COLUMN] [-t N] [--cycle N] [--every T] [-u UNIT] "
    "[-o FORMAT] [FILE...]",
    "trace2ndjson run.json.gz | filter-calls -k kernel | groupby -g name -o table",
    options,
};

#define USUAL "count,sum,mean,min,max,share"

struct groupby {
	struct group_report report;
	struct buf asked;       /* all lists of -a, each with a comma before it */
	const char *sort;       /* -s, or NULL */
	struct group_order order;
	size_t top;             /* -t */
};

/* The columns of the output, for the message that names them: keys, then aggregates. */
static const struct group_report *columns_of;

static const char *column_name(size_t i)
{
	size_t keys = columns_of->groups.n_keys;

	if (i < keys)
		return groups_key_name(&columns_of->groups, i);
	return i - keys < columns_of->aggs.n_columns ? columns_of->aggs.columns[i - keys].name : NULL;
}

/*
 * The column of that name; else the only one that is an aggregate of that name, dur_mean for mean. SIZE_MAX when
 * there is none.
 */
static size_t find_column(struct str name)
{
	size_t i, found = SIZE_MAX, n = 0;
	const char *column;
	struct str text;

	for (i = 0; (column = column_name(i)); i++) {
		text = str_of(column);
		if (str_eq(text, name))
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
	size_t keys = g->report.groups.n_keys, i;

	columns_of = &g->report;
	i = find_column(str_of(column));
	if (i == SIZE_MAX)
		opt_unknown("-s", "column", str_of(column), column_name);
	g->order.by = i < keys ? GROUP_BY_KEY : GROUP_BY_RESULT;
	g->order.which = i < keys ? i : i - keys;
}

static void order_by_default(struct groupby *g)
{
	size_t i;

	for (i = 0; i < g->report.aggs.n_columns; i++) {
		if (aggregate_is_sum(&g->report.aggs, i)) {
			g->order = (struct group_order){GROUP_BY_RESULT, i, true};
			return;
		}
	}
}

/* Cells of a group's aggregates, and the row ends. */
static void print_row(struct group_report *r, struct table *t, size_t group)
{
	struct aggregate_result result;
	size_t i;

	for (i = 0; i < r->aggs.n_columns; i++) {
		aggregate_result(&r->aggs, i, group, &result);
		groups_result(t, r->groups.n_keys + i, &result);
	}
	table_row(t);
}

static void print(struct group_report *r, void *arg)
{
	const struct groupby *g = arg;
	size_t n = r->groups.n < g->top ? r->groups.n : g->top, i;
	struct table *t = table_open(&r->out, &r->table);
	uint32_t *order;

	aggregate_totals(&r->aggs);
	order = groups_sort(&r->groups, &r->aggs, g->order);
	groups_columns(&r->groups, t);
	for (i = 0; i < r->aggs.n_columns; i++)
		table_column(t, str_of(r->aggs.columns[i].name), groups_column_kind(&r->aggs, i));
	for (i = 0; i < n; i++) {
		groups_cells(&r->groups, t, order[i]);
		print_row(r, t, order[i]);
	}
	if (r->human && n < r->groups.n) {
		groups_cells_other(&r->groups, t);
		print_row(r, t, aggregate_fold(&r->aggs, order + n, r->groups.n - n));
		aggregate_unfold(&r->aggs);
	}
	table_close(t);
	free(order);
}

static void take_option(struct groupby *g, int letter, const char *arg)
{
	switch (letter) {
	case 'a':
		buf_char(&g->asked, ',');
		buf_add(&g->asked, arg, strlen(arg));
		break;
	case 's':
		g->sort = arg;
		break;
	case 't':
		g->top = (size_t)opt_count("-t", arg, 1);
		break;
	default:
		group_report_option(&g->report, letter, arg);
	}
}

static void ask(struct groupby *g)
{
	if (!g->asked.n)
		buf_lit(&g->asked, "," USUAL);
	buf_char(&g->asked, '\0');
	aggregate_ask_list(&g->report.aggs, "-a", g->asked.p + 1, g->report.fields, g->report.n_fields);
	buf_free(&g->asked);
}

int main(int argc, char **argv)
{
	struct groupby g = {.top = SIZE_MAX};
	const char *arg;
	char *help;
	int letter, status;

	err_init(argv[0]);
	options[0].help = help = aggregate_function_help("what to tell of each group (" USUAL "):");
	group_report_init(&g.report, print, &g);
	while ((letter = opt_next(&program, argc, argv, &arg)) != -1)
		take_option(&g, letter, arg);
	opt_need_input(&program, argc, argv);
	ask(&g);
	group_report_open(&g.report, argv + optind);
	if (g.sort)
		order_by_column(&g, g.sort);
	else
		order_by_default(&g);
	status = group_report_run(&g.report, 0);
	group_report_free(&g.report);
	free(help);
	return status;
}

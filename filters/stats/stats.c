/*
 * stats: describes numeric fields: count, mean, deviation, percentiles, minimum, maximum, sum.
 *
 * in:  {"ts":100,"dur":40,"kind":"kernel","name":"gemm"}
 *      {"ts":160,"dur":90,"kind":"kernel","name":"gemm"}
 *      {"ts":260,"dur":20,"kind":"kernel","name":"relu"}
 * out: {"kind":"stats","field":"dur","count":3,"mean":50,"std":36.05551275463989,"min":20,"p25":30,"p50":40,"p75":65,
 *       "max":90,"sum":150}
 */
#include "base/int_math.h"
#include "base/num_parse.h"
#include "histogram.h"
#include "field_inventory.h"
#include "json/iter.h"
#include "json/string.h"
#include "stats/aggregate.h"

#include <stdlib.h>

struct percent {
	double percent;
	char *name;
};

struct stats {
	struct group_report report;
	struct percent *percents; /* ascending */
	size_t n_percents, percents_cap;
	struct stats_column *columns;
	size_t n_columns, columns_cap, sum; /* columns[sum] is the column of the sum */
	struct map members;                 /* without -f: the members with numbers, as long as no record had dur */
	bool hist, fields;
	struct histogram_options bins; /* --bins, --log */
};

enum { BINS = 256 };

#define TO(member) OPT_TO(struct stats, member)
static const struct opt options[] = {
    {'q', "quantile", OPT_TEXT("PERCENT,..."), OPT_TAKE,
	"also print these percentiles (25, 50 and 75 are always printed)"},
    {0, "hist", OPT_FLAG, TO(hist), "print a histogram of each field instead of the statistics"},
    {BINS, "bins", OPT_TEXT("BINS"), OPT_TAKE,
	"with --hist: use this number of bins of the same width, or bins\n"
	"between these edges, such as 0,10us,1ms"},
    {0, "log", OPT_FLAG, TO(bins.log), "with --hist: use bins of increasing widths, such as 1 2 5 10 20 50"},
    {0, "fields", OPT_FLAG, TO(fields),
	"list the fields of the records instead: kinds, types, counts and an\n"
	"example value of each"},
    {0},
};

static const struct opt_program program = {
    "Describes numeric fields: count, mean, std, min, percentiles, max and sum.",
    "[-g KEY,...] [-f FIELD,...] [-q PERCENT,...] [--hist [--bins BINS] [--log] | --fields] [--cycle N] [--every T] "
    "[--partial[=N] | --merge] [--piece K/N] [-u UNIT] [--time FIELD,...] [--size FIELD,...] [-o FORMAT] [FILE...]",
    "trace2ndjson run.json.gz | filter-calls -k kernel | stats -f dur -q 90,99",
    .reads = "records, table",
};

enum { KEEP = 1000000 }; /* without keys, percentiles are exact for up to this number of values of a field */

/* An output column that follows `field` and `count`. It shows the same aggregate for every field. */
struct stats_column {
	char *name;
	size_t *of_field; /* for each field, the index of the aggregate in report.aggs */
};

/* --- options --- */

static void add_percent(struct stats *s, const char *option, struct str text)
{
	struct buf name = {0};
	double percent;
	size_t i;

	if (num_double(text, &percent) && percent > 0 && percent < 1)
		hint("%s: %.*s is less than percentile 1; percentiles are from 0 to 100, such as 99", option,
		    STR_FMT(text));
	if (!num_double(text, &percent) || percent < 0 || percent > 100)
		opt_invalid(option, text, "a number from 0 to 100");
	for (i = 0; i < s->n_percents && s->percents[i].percent < percent; i++)
		;
	if (i < s->n_percents && s->percents[i].percent <= percent)
		return;
	s->percents = mem_grow(s->percents, &s->percents_cap, s->n_percents + 1, sizeof *s->percents);
	memmove(&s->percents[i + 1], &s->percents[i], (s->n_percents - i) * sizeof *s->percents);
	s->n_percents++;
	buf_char(&name, 'p');
	buf_add(&name, text.p, text.n);
	buf_char(&name, '\0');
	s->percents[i].percent = percent;
	s->percents[i].name = name.p;
}

static void read_option(void *arg, const struct opt_value *v)
{
	struct stats *s = arg;
	struct str rest = str_of(v->text), piece;

	if (v->opt->letter == BINS) {
		histogram_options_read(&s->bins, v->option, v->text);
		return;
	}
	while (str_split(&rest, ',', &piece))
		add_percent(s, v->option, piece);
}

static void check_options(const struct stats *s)
{
	if (s->hist && s->fields)
		opt_excluded("--hist", "--fields");
	if (!s->hist && (s->bins.bins || s->bins.edges))
		opt_needs("--bins", "--hist");
	if (!s->hist && s->bins.log)
		opt_needs("--log", "--hist");
	if (s->bins.edges && s->bins.log)
		opt_excluded("--bins with edges", "--log");
	group_report_check(&s->report, "", "quantile hist");
	if (s->report.partial && !s->report.merge && !s->report.n_fields && !s->fields)
		opt_needs("--partial", "-f"); /* without -f, the fields depend on the records */
}

static void add_column(struct stats *s, const char *name)
{
	struct group_report *r = &s->report;
	struct stats_column *column;
	size_t i;

	s->columns = mem_grow(s->columns, &s->columns_cap, s->n_columns + 1, sizeof *s->columns);
	column = &s->columns[s->n_columns++];
	column->name = str_dup(str_of(name));
	column->of_field = mem_alloc(r->n_fields * sizeof *column->of_field);
	for (i = 0; i < r->n_fields; i++)
		column->of_field[i] = aggregate_request(&r->aggs, str_of(name), r->fields[i]);
}

/* --- the fields and columns --- */

/*
 * Without -f, the fields are dur or, if none of the first records has dur, all top-level members with numbers. Returns
 * true when a record has dur.
 */
static bool note_members(struct group_report *r, struct event *e, void *arg)
{
	struct stats *s = arg;
	struct buf name = {0};
	struct str key, text;
	struct value v;
	struct iter w;

	(void)r;
	if (event_get(e, EVENT_DUR).p) {
		map_free(&s->members);
		return true;
	}
	iter_init(&w, e->raw);
	while (iter_next(&w, &key, &text) > 0) {
		value_of(&v, text);
		if (value_rank(&v) != 0)
			continue;
		map_put(&s->members, json_decoded(&name, key));
	}
	buf_free(&name);
	return false;
}

/* Adds the members that note_members() found to the fields, except keys. */
static void add_members(struct stats *s)
{
	struct group_report *r = &s->report;
	struct buf name = {0};
	struct fault fault;
	struct field field;
	size_t i, k;

	for (i = 0; i < s->members.n; i++) {
		name.n = 0;
		field_quote(&name, map_key(&s->members, i));
		if (!field_compile(&field, buf_str(&name), &fault))
			continue;
		for (k = 0; k < r->groups.n_keys && strcmp(groups_key_name(&r->groups, k), field.spec) != 0; k++)
			;
		if (k == r->groups.n_keys)
			group_report_field(r, buf_str(&name));
		field_free(&field);
	}
	buf_free(&name);
	if (!r->n_fields)
		group_report_field(r, STR("dur"));
}

/* Chooses the fields, and requests the columns. */
static void choose_fields(struct group_report *r, void *arg)
{
	struct stats *s = arg;
	size_t i;

	if (!r->n_fields)
		add_members(s);
	add_percent(s, "-q", STR("25"));
	add_percent(s, "-q", STR("50"));
	add_percent(s, "-q", STR("75"));
	add_column(s, "mean");
	add_column(s, "std");
	add_column(s, "min");
	for (i = 0; i < s->n_percents; i++)
		add_column(s, s->percents[i].name);
	add_column(s, "max");
	s->sum = s->n_columns;
	add_column(s, "sum");
}

/* --- the table --- */

static void print_stats(struct stats *s, const size_t *order)
{
	struct group_report *r = &s->report;
	struct table *t = table_begin(&r->out, &r->table);
	struct column_meaning meaning;
	struct buf name = {0};
	size_t g, f, i, column;

	groups_columns(&r->groups, t, &r->source, &r->table.units);
	table_column(t, STR("field"), COLUMN_ANY);
	table_column(t, STR("count"), COLUMN_ANY);
	for (i = 0; i < s->n_columns; i++) {
		/* A column has a unit only if all fields have the same kind: times and sizes have different units. */
		meaning = group_report_common_meaning(r, str_of(s->columns[i].name));
		if (meaning.kind != COLUMN_ANY)
			meaning.kind =
			    groups_column_meaning(&r->aggs, s->columns[i].of_field[0], &r->source, &r->table.units)
				.kind;
		table_column_of(t, str_of(s->columns[i].name), &meaning);
	}
	table_kind(t, STR("\"stats\""));
	for (g = 0; g < r->groups.n; g++) {
		for (f = 0; f < r->n_fields; f++) {
			column = r->groups.n_keys;
			groups_cells(&r->groups, t, order[g], false);
			table_set_json(
			    t, column++, json_quoted(&name, str_of(aggregate_field_at(&r->aggs, r->fields[f])->spec)));
			table_set_int(t, column++, (int128)aggregate_numbers(&r->aggs, order[g], r->fields[f]));
			for (i = 0; i < s->n_columns; i++)
				group_report_result(r, t, column++, s->columns[i].of_field[f], order[g]);
			table_row(t);
		}
	}
	table_end(t);
	buf_free(&name);
}

static void print(struct group_report *r, void *arg)
{
	struct stats *s = arg;
	size_t *order = groups_sort(
	    &r->groups, &r->aggs, (struct groups_order){GROUPS_BY_RESULT, s->columns[s->sum].of_field[0], false}, NULL);

	if (s->hist)
		histogram_print(r, &s->bins, order);
	else
		print_stats(s, order);
	free(order);
}

int main(int argc, char **argv)
{
	struct stats s = {0};
	const struct opt_table tables[] = {{options, &s, read_option}, GROUP_REPORT_OPTIONS(&s.report), {0}};
	char **operands;
	int status;
	size_t i;

	err_init(argv[0]);
	group_report_init(&s.report, print, &s);
	operands = opt_read(&program, argc, argv, tables);
	check_options(&s);
	s.report.chosen_aggregates = true;
	s.report.request_aggregates = choose_fields;
	if (!s.report.n_fields && !s.report.merge)
		s.report.find_fields = note_members;
	group_report_open(&s.report, operands);
	status = s.fields ? field_inventory_report(&s.report) : group_report_run(&s.report, KEEP);
	for (i = 0; i < s.n_percents; i++)
		free(s.percents[i].name);
	for (i = 0; i < s.n_columns; i++)
		mem_free(s.columns[i].name, s.columns[i].of_field);
	mem_free(s.percents, s.columns);
	map_free(&s.members);
	histogram_options_free(&s.bins);
	group_report_free(&s.report);
	return status;
}

/* group_options: the options of group_report, and the fields and aggregates that they request. */
#include "cli/group_report.h"

#include "base/units.h"
#include "cli/opt_record.h"
#include "stats/interim_results.h"

#include <string.h>

enum { PARTIAL = 256, PRINTED };

#define TO(member) OPT_TO(struct group_report, member)
const struct opt group_report_rows[] = {
    {'g', "group", OPT_TEXT("KEY,..."), OPT_TAKE,
	"group by these fields; FIELD/WIDTH forms buckets (ts/10ms),\n"
	"FIELD[] uses every element of an array"},
    {'f', "field", OPT_TEXT("FIELD,..."), OPT_TAKE,
	"fields to aggregate (default dur; stats uses every numeric field\n"
	"if the first 1000 records have no dur)"},
    {'o', "output", TABLE_OPTIONS_FORMAT, TO(table.format),
	"ndjson, csv, tsv, raw, md, table or list (default table on a terminal,\n"
	"otherwise ndjson)"},
    {0, "cycle", OPT_COUNT("N", 1), TO(cycle), "also group by the index of the record modulo N (column cycle)"},
    {0, "every", OPT_TIME("T", INTERIM_RESULTS_LEAST), TO(every),
	"print the results so far every T, such as 2s or 500ms (minimum 1ms)"},
    {0, "exact", OPT_FLAG, TO(exact), "store all values, so that percentiles are exact"},
    {PARTIAL, "partial", OPT_COUNT_OPTIONAL("N", 0), OPT_TAKE,
	"write a partial result for --merge; N is the number of this part of the\n"
	"input (default 0), which first, last, list and stats --fields need"},
    {0, "merge", OPT_FLAG, TO(merge), "read partial results, and print the result of all their records"},
    {0},
};

/* The same options again, to know which of them were given. */
const struct opt group_report_given_rows[] = {
    {'g', "group", OPT_TEXT("KEY,..."), OPT_TAKE, NULL},
    {'f', "field", OPT_TEXT("FIELD,..."), OPT_TAKE, NULL},
    {'o', "output", TABLE_OPTIONS_FORMAT, OPT_TAKE, NULL},
    {'u', "unit", OPT_CHOICE("UNIT", units_names), OPT_TAKE, NULL},
    {PRINTED, "time", OPT_TEXT("FIELD,..."), OPT_TAKE, NULL},
    {PRINTED, "size", OPT_TEXT("FIELD,..."), OPT_TAKE, NULL},
    {PRINTED, "wide", OPT_FLAG, OPT_TAKE, NULL},
    {0},
};

void group_report_given(void *report, const struct opt_value *v)
{
	struct group_report *r = report;
	const bool asked = v->opt->letter == 'g' || v->opt->letter == 'f';

	memcpy(asked ? r->asked : r->printed, v->option, sizeof v->option);
}

static size_t find_field(struct group_report *r, const char *option, struct str spec)
{
	struct fault fault;
	const size_t field = aggregate_field(&r->aggs, spec, &fault);

	if (field == AGGREGATE_NONE)
		opt_field_refused(option, spec, &fault);
	return field;
}

void group_report_field(struct group_report *r, struct str spec)
{
	const size_t field = find_field(r, "-f", spec);

	if (field < r->n_fields) /* already added */
		return;
	r->fields = mem_grow(r->fields, &r->fields_cap, r->n_fields + 1, sizeof *r->fields);
	r->fields[r->n_fields++] = field;
}

static void ask(struct group_report *r, struct str name, size_t field)
{
	if (aggregate_request(&r->aggs, name, field) == AGGREGATE_NONE)
		opt_unknown("-a", name, aggregate_function_names());
}

void group_report_ask(struct group_report *r, const char *list)
{
	const char *rest;
	struct buf text = {0};
	struct str item, name;
	size_t i;

	for (rest = list; opt_item(&rest, &text, &item);) {
		name = str_head(item, str_find(item, STR(":")));
		if (str_eq(item, STR("count")))
			ask(r, item, AGGREGATE_RECORDS);
		if (!aggregate_function_is_weighted(name))
			continue;
		if (name.n == item.n)
			opt_invalid("-a", item, "wmean:FIELD");
		if (!r->n_fields) /* the weights must be the first field */
			find_field(r, "-a", STR("dur"));
	}
	for (rest = list; opt_item(&rest, &text, &item);) {
		name = str_head(item, str_find(item, STR(":")));
		if (name.n < item.n)
			ask(r, name, find_field(r, "-a", str_from(item, name.n + 1)));
		else if (!str_eq(name, STR("count")) && !r->n_fields)
			ask(r, name, find_field(r, "-a", STR("dur")));
		for (i = 0; i < r->n_fields && name.n == item.n && !str_eq(name, STR("count")); i++)
			ask(r, name, r->fields[i]);
	}
	buf_free(&text);
}

void group_report_take(void *report, const struct opt_value *v)
{
	struct group_report *r = report;
	const char *list = v->text;
	struct buf text = {0};
	struct fault fault;
	struct str item;

	switch (v->opt->letter) {
	case 'g':
		while (opt_item(&list, &text, &item)) {
			if (!groups_add_key(&r->groups, item, &fault))
				opt_field_refused(v->option, item, &fault);
		}
		break;
	case 'f':
		while (opt_item(&list, &text, &item))
			group_report_field(r, item);
		break;
	case PARTIAL:
		r->partial = true;
		r->numbered = v->text != NULL;
		r->part = v->text ? (uint64_t)v->number : 0;
		break;
	}
	buf_free(&text);
}

void group_report_check(const struct group_report *r, const char *asked, const char *printed)
{
	asked = asked || !*r->asked ? asked : r->asked;
	printed = printed || !*r->printed ? printed : r->printed;
	if ((r->partial || r->merge) && r->cycle)
		opt_excluded(r->merge ? "--merge" : "--partial", "--cycle");
	if ((r->partial || r->merge) && r->every)
		opt_excluded(r->merge ? "--merge" : "--partial", "--every");
	if (r->partial && printed)
		opt_excluded("--partial", printed);
	if (r->merge && asked)
		opt_excluded("--merge", asked);
	if (r->merge && r->in.options.piece.of)
		opt_excluded("--merge", "--piece");
	if (r->merge && r->numbered)
		opt_excluded("--merge", "--partial=N");
	if (r->merge && r->exact)
		opt_excluded("--merge", "--exact");
}

#include "program/group_report.h"

#include "base/num_parse.h"
#include "base/units.h"
#include "program/filter.h"
#include "program/opt_record.h"
#include "program/partial.h"
#include "json/iter.h"
#include "json/string.h"
#include "json/write.h"
#include "stats/interim_results.h"
#include "stats/state_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Set `report` and zero the others. */
struct group_partial {
	struct group_report *report;
	/* private */
	/* read from the partial result so far: the groups, the sum of their counts, and the lines of the next group */
	size_t *groups, n_groups, groups_cap;
	uint64_t records, lines;
	uint64_t *seen; /* for each group: the number of the last partial result that has it */
	size_t seen_cap;
	bool source_known;    /* source_part is set */
	uint64_t source_part; /* the part that determined the kind of the records */
};

/* The groups in partial results; the argument of its functions is a struct group_partial. */
static const struct partial_state group_partial_state;

enum { PARTIAL = 256 };

/* --- options --- */

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

static void request_aggregate(struct group_report *r, struct str name, size_t field)
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
			request_aggregate(r, item, AGGREGATE_RECORDS);
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
			request_aggregate(r, name, find_field(r, "-a", str_from(item, name.n + 1)));
		else if (!str_eq(name, STR("count")) && !r->n_fields)
			request_aggregate(r, name, find_field(r, "-a", STR("dur")));
		for (i = 0; i < r->n_fields && name.n == item.n && !str_eq(name, STR("count")); i++)
			request_aggregate(r, name, r->fields[i]);
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
	const char *with = opt_given("cycle every");

	if ((r->partial || r->merge) && with)
		opt_excluded(r->merge ? "--merge" : "--partial", with);
	with = opt_given(printed);
	with = with ? with : opt_given("output unit time size wide");
	if (r->partial && with)
		opt_excluded("--partial", with);
	with = opt_given(asked);
	with = with ? with : opt_given("group field piece");
	with = with ? with : r->numbered ? "--partial=N" : opt_given("exact");
	if (r->merge && with)
		opt_excluded("--merge", with);
}

/* --- partial results --- */

/* Sets r->fields to all fields of r->aggs. */
static void use_all_fields(struct group_report *r)
{
	size_t i;

	r->fields = mem_grow(r->fields, &r->fields_cap, r->aggs.n_fields + 1, sizeof *r->fields);
	for (i = 0; i < r->aggs.n_fields; i++)
		r->fields[i] = i;
	r->n_fields = i;
}

/* To be called when the fields are known: requests the program's aggregates, and begins the groups. */
static void begin_groups(struct group_report *r)
{
	if (r->ask)
		r->ask(r, r->arg);
	if (r->groups.n_keys)
		r->keep = QUANTILE_KEEP;
	aggregate_begin(&r->aggs, r->exact ? SIZE_MAX : r->keep);
	r->aggs.part = r->part;
}

static struct group_report *report_of(const struct partial *p)
{
	return ((const struct group_partial *)p->arg)->report;
}

/* --- partial results: the question, which is keys, fields and aggregates --- */

static void write_question(const struct partial *p, struct buf *line)
{
	const struct group_report *r = report_of(p);

	groups_write_question(&r->groups, line);
	aggregate_write_question(&r->aggs, !r->chosen_aggregates, line);
	json_write_bool(line, "exact", r->exact);
}

static const char *read_question(struct partial *p, struct str line)
{
	struct group_report *r = report_of(p);
	const struct str keys = iter_find(line, STR("keys")), subtotals = iter_find(line, STR("subtotals"));
	const struct str fields = iter_find(line, STR("fields"));
	const struct str aggregates = r->chosen_aggregates ? STR("[]") : iter_find(line, STR("aggregates"));

	r->exact = str_eq(iter_find(line, STR("exact")), STR("true"));
	if (!groups_read_question(&r->groups, keys, subtotals) ||
	    !aggregate_read_question(&r->aggs, fields, aggregates) || (r->chosen_aggregates && !r->aggs.n_fields))
		return "the keys, fields or aggregates are not valid";
	return NULL;
}

static void begin_merging(struct partial *p)
{
	struct group_report *r = report_of(p);

	use_all_fields(r);
	begin_groups(r);
}

static bool is_ordered(const struct partial *p)
{
	return aggregate_is_ordered(&report_of(p)->aggs);
}

/* --- partial results: writing --- */

static uint64_t write_groups(struct partial *p, struct out *out)
{
	struct group_report *r = report_of(p);
	size_t *order = groups_sort_keys(&r->groups), i;
	struct buf line = {0};

	for (i = 0; i < r->groups.n; i++) {
		line.n = 0;
		json_write_begin(&line, NULL, '{');
		groups_key_write(&r->groups, order[i], &line);
		aggregate_write_state(&r->aggs, order[i], &line, out);
		json_write_end(&line, '}');
		out_line(out, buf_str(&line));
	}
	buf_free(&line);
	free(order);
	return r->groups.n;
}

static void write_source(const struct partial *p, struct buf *line)
{
	const struct group_partial *g = p->arg;

	json_write_begin(line, "source", '[');
	json_write_int(line, NULL, (int64_t)(g->source_known ? g->source_part : p->part));
	buf_char(line, ',');
	report_source_write(&g->report->source, line);
	json_write_end(line, ']');
}

/* --- partial results: reading --- */

static const char *const other_fields = "the fields are not those of the first line";
static const char *const missing_lines = "the counts are not those of the groups; lines are missing";

/* Reads members of the state of a field. */
static const char *read_field(struct group_partial *g, uint64_t field, struct str object)
{
	struct str name, value;
	struct iter w;

	iter_init(&w, object);
	if (w.close != '}' || field >= g->report->aggs.n_fields)
		return other_fields;
	while (iter_next(&w, &name, &value) > 0) {
		if (!str_eq(name, STR("field")) && !aggregate_read_member(&g->report->aggs, (size_t)field, name, value))
			return "an unknown member, or an impossible value";
	}
	return NULL;
}

static const char *read_fields(struct group_partial *g, struct str array)
{
	const char *why = NULL;
	struct str object;
	struct iter w;
	uint64_t n = 0;

	if (!iter_array(&w, array))
		return other_fields;
	while (!why && iter_element(&w, &object))
		why = read_field(g, n++, object);
	return why || n == g->report->aggs.n_fields ? why : other_fields;
}

/* Returns false when this partial result has had the group already. */
static bool note_group(struct group_partial *g, size_t group, uint64_t number)
{
	g->groups = mem_grow(g->groups, &g->groups_cap, g->n_groups + 1, sizeof *g->groups);
	g->groups[g->n_groups++] = group;
	g->seen = mem_grow_zero(g->seen, &g->seen_cap, group + 1, sizeof *g->seen);
	if (g->seen[group] == number)
		return false;
	g->seen[group] = number;
	return true;
}

static const char *read_group(struct group_partial *g, uint64_t number, struct str line)
{
	const struct str written = iter_find(line, STR("lines"));
	uint64_t count, lines = 0;
	const char *why;
	size_t group;

	if (!num_count(iter_find(line, STR("count")), &count) || (written.p && !num_count(written, &lines)))
		return STATE_REFUSED_COUNT;
	if (lines != g->lines)
		return missing_lines;
	g->lines = 0;
	group = groups_key_read(&g->report->groups, iter_find(line, STR("key")));
	if (group == GROUPS_NONE)
		return "the keys are not those of the first line";
	if (!note_group(g, group, number))
		return "the group occurs twice";
	why = read_fields(g, iter_find(line, STR("fields")));
	if (!why)
		why = aggregate_merge_state(&g->report->aggs, group, count);
	g->records += count;
	return why;
}

static const char *read(struct partial *p, struct str name, struct str line)
{
	struct group_partial *g = p->arg;
	uint64_t field;

	if (str_eq(name, STR("key")))
		return read_group(g, p->number, line);
	if (!str_eq(name, STR("field")))
		return STATE_REFUSED_LINE;
	g->lines++;
	return num_count(iter_find(line, name), &field) ? read_field(g, field, line) : STATE_REFUSED_COUNT;
}

/* Compares the names of sources alphabetically. */
static int compare_names(const struct report_source *a, const struct report_source *b)
{
	struct buf left = {0}, right = {0};
	int c;

	report_source_write(a, &left);
	report_source_write(b, &right);
	c = str_cmp(buf_str(&left), buf_str(&right));
	buf_free(&left);
	buf_free(&right);
	return c;
}

/*
 * Returns whether the kind of the records is taken from a part instead of the parts before. It is taken from the part
 * whose kind is most specific; if several are equally specific, from the part with the lowest number. Parts with the
 * same number may have different kinds: then the first one in alphabetical order is taken.
 */
static bool is_better(const struct group_partial *g, const struct report_source *source, uint64_t part)
{
	const int order = report_source_compare(source, &g->report->source);

	if (!g->source_known || order)
		return !g->source_known || order > 0;
	if (part != g->source_part)
		return part < g->source_part;
	return compare_names(source, &g->report->source) < 0;
}

static bool read_source(struct group_partial *g, struct str array)
{
	struct report_source source = {0};
	struct str number, text;
	struct iter w;
	uint64_t part;

	if (!iter_array(&w, array) || !iter_element(&w, &number) || !iter_element(&w, &text) ||
	    !num_count(number, &part) || !json_is_string(text) || !report_source_read(&source, json_inner(text)))
		return false;
	if (is_better(g, &source, part)) {
		g->report->source = source;
		g->source_part = part;
		g->source_known = true;
	}
	return true;
}

/* Returns whether this partial result has the subtotal of each of its groups. */
static bool has_subtotals(const struct group_partial *g, uint64_t number)
{
	size_t i, parent;

	for (i = 0; i < g->n_groups; i++) {
		if (!groups_parent(&g->report->groups, g->groups[i], &parent))
			return false;
		if (parent != GROUPS_NONE && g->seen[parent] != number)
			return false;
	}
	return true;
}

static const char *read_end(struct partial *p, struct str line, uint64_t count, uint64_t records)
{
	struct group_partial *g = p->arg;
	const struct groups *groups = &g->report->groups;
	const bool once = !groups->each && !groups->n_subtotals; /* each record is in one group */

	if (count != g->n_groups || g->lines || (once && records != g->records))
		return missing_lines;
	if (!has_subtotals(g, p->number))
		return "the subtotal of a group is missing";
	g->n_groups = g->records = 0;
	return read_source(g, iter_find(line, STR("source"))) ? NULL : "the kind of the records is unknown";
}

static const struct partial_state group_partial_state = {
    .count = "groups",
    .write_question = write_question,
    .read_question = read_question,
    .begin = begin_merging,
    .is_ordered = is_ordered,
    .write = write_groups,
    .write_end = write_source,
    .read = read,
    .read_end = read_end,
};

static void group_partial_free(struct group_partial *g)
{
	free(g->groups);
	free(g->seen);
}

/* --- records --- */

#define TOO_LARGE "beyond the range of a double (1.8e308); left out"

void group_report_init(struct group_report *r, void (*print)(struct group_report *r, void *arg), void *arg)
{
	*r = (struct group_report){.print = print, .arg = arg};
	table_options_init(&r->table, TABLE_TABLE, TABLE_NDJSON);
}

void group_report_open(struct group_report *r, char **operands)
{
	r->human = r->table.format >= TABLE_MD;
	if (r->cycle)
		groups_cycle(&r->groups, r->cycle);
	r->operands = operands;
	filter_open(&r->in, operands, &r->out);
	if (!r->partial && !r->merge)
		input_stop_on_signal(); /* a result of the first records must not look like that of a whole part */
}

/* From now on, only the keys and the aggregated fields of records are used. */
static void begin_reading(struct group_report *r)
{
	size_t i;

	for (i = 0; i < r->groups.n_keys; i++) {
		if (groups_key_field(&r->groups, i))
			input_uses(&r->in, groups_key_field(&r->groups, i));
	}
	for (i = 0; i < r->aggs.n_fields; i++)
		input_uses(&r->in, aggregate_field_at(&r->aggs, i));
	input_uses_members(&r->in, UINT32_MAX, 1u << EVENT_KIND);
}

/* `at` is the place of the record, or NULL if it is the current one. */
static void add_to_groups(struct group_report *r, struct event *e, const struct fault_location *at)
{
	const uint32_t *found;
	size_t n;

	if (!r->source_known)
		r->source_known = report_source_look(&r->source, e);
	n = groups_of(&r->groups, e, &found);
	if (!aggregate_add(&r->aggs, e, found, n))
		diagnostics_add(
		    &r->in.diagnostics, DIAGNOSTICS_LOST, "number " TOO_LARGE, at ? *at : input_location(&r->in));
}

/*
 * To be called when the fields are known, or when they must be chosen from the records stored so far. Adds the stored
 * records to their groups.
 */
static void begin_results(struct group_report *r)
{
	struct event e;
	size_t i;

	begin_groups(r);
	begin_reading(r);
	r->begun = true;
	for (i = 0; i < r->first.n; i++) {
		top_rows_get(&r->first, i, &e);
		add_to_groups(r, &e, &r->places[i]);
	}
	top_rows_free(&r->first);
	free(r->places);
	r->places = NULL;
}

static void store_first(struct group_report *r, struct event *e)
{
	top_rows_add(&r->first, e);
	r->places = mem_grow(r->places, &r->places_cap, r->first.n, sizeof *r->places);
	r->places[r->first.n - 1] = input_location(&r->in);
	r->first_bytes += e->raw.n;
	if (r->learn(r, e, r->arg) || r->first.n == GROUP_REPORT_LOOK || r->first_bytes >= GROUP_REPORT_LOOK_BYTES)
		begin_results(r);
}

/*
 * Prints the result so far at a tick of --every. In human formats, prints an empty line after it, unless the screen is
 * cleared.
 */
static void print_interim(struct group_report *r)
{
	if (!r->begun)
		begin_results(r);
	interim_results_clear(&r->out);
	r->print(r, r->arg);
	if (r->human && !interim_results_clears())
		out_char(&r->out, '\n');
	out_flush(&r->out);
	interim_results_shown();
}

static bool wake(void *arg)
{
	if (interim_results_due())
		print_interim(arg);
	return true;
}

static void hint_at_fields(const struct group_report *r)
{
	const bool all = !r->in.options.piece.of;
	size_t i;

	for (i = 0; i < r->groups.n_keys; i++) {
		if (groups_key_field(&r->groups, i))
			filter_hint_field(groups_key_field(&r->groups, i), all);
	}
	for (i = 0; i < r->aggs.n_fields; i++)
		filter_hint_field(aggregate_field_at(&r->aggs, i), all);
}

static void read_records(struct group_report *r)
{
	struct event e = {0};

	r->first.most = GROUP_REPORT_LOOK;
	if (!r->learn)
		begin_results(r);
	if (r->every) {
		r->in.wake = wake;
		r->in.wake_arg = r;
		interim_results_begin(r->every);
	}
	while (input_next(&r->in, &e)) {
		if (r->begun)
			add_to_groups(r, &e, NULL);
		else
			store_first(r, &e);
		if (interim_results_due())
			print_interim(r);
	}
	if (!r->begun)
		begin_results(r);
	r->ended = true;
	interim_results_clear(&r->out);
}

/* Stores the name of the first result that is too large, with the keys of its group. */
static void name_result(struct group_report *r, size_t column, size_t group)
{
	const char *name = aggregate_column_name(&r->aggs, column), *key;
	struct value v;
	size_t i;

	buf_add(&r->first_too_large, name, strlen(name));
	for (i = 0; (key = groups_key_name(&r->groups, i)); i++) {
		groups_key(&r->groups, group, i, &v);
		buf_lit(&r->first_too_large, ", ");
		buf_add(&r->first_too_large, key, strlen(key));
		buf_char(&r->first_too_large, ' ');
		if (v.type == VALUE_NONE)
			buf_lit(&r->first_too_large, "(none)");
		else
			buf_add(&r->first_too_large, v.text.p, v.text.n);
	}
}

void group_report_result(struct group_report *r, struct table *t, size_t cell, size_t column, size_t group)
{
	if (!groups_result(t, cell, &r->aggs, column, group) && r->ended && !r->too_large++)
		name_result(r, column, group);
}

static void report_too_large(struct group_report *r)
{
	char more[48] = "";

	if (r->too_large > 1)
		snprintf(more, sizeof more, " (and %zu more)", r->too_large - 1);
	if (r->too_large)
		warn("%.*s: result %s%s", (int)r->first_too_large.n, r->first_too_large.p, TOO_LARGE, more);
	r->in.diagnostics.lost |= r->too_large != 0;
}

int group_report_run(struct group_report *r, size_t keep)
{
	struct group_partial groups = {.report = r};
	struct partial partial = {&group_partial_state, &groups, err_prog(), &r->in, .part = r->part};

	r->keep = keep;
	if (r->merge) {
		partial_merge(&partial, r->operands);
		r->ended = true;
	} else {
		read_records(r);
		partial.records = r->aggs.records;
	}
	if (r->partial)
		partial_write(&partial, &r->out);
	else
		r->print(r, r->arg);
	partial_free(&partial);
	group_partial_free(&groups);
	out_flush(&r->out);
	hint_at_fields(r);
	report_too_large(r);
	return filter_close(&r->in);
}

struct column_type group_report_type(const struct group_report *r, size_t field)
{
	return column_type(str_of(aggregate_field_at(&r->aggs, r->fields[field])->spec), &r->source, &r->table.units);
}

struct column_type group_report_common_type(const struct group_report *r, struct str name)
{
	struct column_type type = {COLUMN_ANY, NULL, 0, name.n, name.n}, other;
	size_t i;

	for (i = 0; i < r->n_fields; i++) {
		other = group_report_type(r, i);
		if (i && (other.kind != type.kind || other.unit != type.unit))
			return (struct column_type){COLUMN_ANY, NULL, 0, name.n, name.n};
		type.kind = other.kind;
		type.unit = other.unit;
	}
	return type;
}

void group_report_free(struct group_report *r)
{
	field_units_free(&r->table.units);
	groups_free(&r->groups);
	aggregate_free(&r->aggs);
	free(r->fields);
	buf_free(&r->first_too_large);
}

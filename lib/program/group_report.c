#include "program/group_report.h"

#include "base/num_parse.h"
#include "base/units.h"
#include "program/filter.h"
#include "program/opt_fields.h"
#include "program/partial.h"
#include "json/iter.h"
#include "json/string.h"
#include "json/write.h"
#include "stats/aggregate.h"
#include "stats/aggregate_function.h"
#include "stats/state_text.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/*
 * EVERY_LEAST: the minimum interval in ns of --every. Nobody can read results that change faster, and a shorter one
 * usually means that the unit was forgotten (--every 2).
 */
enum { PARTIAL = 256, EVERY_LEAST = 1000000 };

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
    {0, "every", OPT_TIME("T", EVERY_LEAST), TO(every),
	"print the results so far every T, such as 2s or 500ms (minimum 1ms)"},
    {0, "exact", OPT_FLAG, TO(exact), "store all values, so that percentiles are exact"},
    {PARTIAL, "partial", OPT_COUNT_OPTIONAL("N", 0), OPT_TAKE,
	"write a partial result for --merge; N is the number of this part of the\n"
	"input (default 0), which first, last, list and stats --fields need"},
    {0, "merge", OPT_FLAG, TO(merge), "read partial results, and print the result of all their records"},
    {0},
};

/* Returns the index of a field in r->aggs; exits when it is not valid. */
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
	struct str item;

	switch (v->opt->letter) {
	case 'g':
		opt_group_keys(&r->groups, v->option, v->text);
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

/* To be called when the fields are known: requests the program's aggregates, and begins the groups. */
static void begin_groups(struct group_report *r)
{
	if (r->request_aggregates)
		r->request_aggregates(r, r->arg);
	if (r->groups.n_keys)
		r->keep = QUANTILE_KEEP;
	aggregate_begin(&r->aggs, r->exact ? SIZE_MAX : r->keep);
	r->aggs.part = r->part;
}

/* --- partial results: the question, which is keys, fields and aggregates --- */

static void write_question(const struct partial *p, struct buf *line)
{
	const struct group_report *r = p->arg;

	groups_write_question(&r->groups, line);
	aggregate_write_question(&r->aggs, !r->chosen_aggregates, line);
	json_write_bool(line, "exact", r->exact);
}

static const char *read_question(struct partial *p, struct str line)
{
	struct group_report *r = p->arg;
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
	struct group_report *r = p->arg;
	size_t i;

	r->fields = mem_resize(r->fields, r->aggs.n_fields + 1, sizeof *r->fields);
	for (i = 0; i < r->aggs.n_fields; i++)
		r->fields[i] = i;
	r->n_fields = i;
	begin_groups(r);
}

static bool is_ordered(const struct partial *p)
{
	const struct group_report *r = p->arg;

	return aggregate_is_ordered(&r->aggs);
}

/* --- partial results: writing --- */

static uint64_t write_groups(struct partial *p, struct out *out)
{
	struct group_report *r = p->arg;
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
	const struct group_report *r = p->arg;

	json_write_begin(line, "source", '[');
	json_write_int(line, NULL, (int64_t)(r->merge ? r->source_part : p->part));
	buf_char(line, ',');
	source_kind_write(&r->source, line);
	json_write_end(line, ']');
}

/* --- partial results: reading --- */

static const char *const other_fields = "the fields are not those of the first line";
static const char *const missing_lines = "the counts are not those of the groups; lines are missing";

/* Reads members of the state of a field. */
static const char *read_field(struct group_report *r, uint64_t field, struct str object)
{
	struct str name, value;
	struct iter w;

	iter_init(&w, object);
	if (w.close != '}' || field >= r->aggs.n_fields)
		return other_fields;
	while (iter_next(&w, &name, &value) > 0) {
		if (!str_eq(name, STR("field")) && !aggregate_read_member(&r->aggs, (size_t)field, name, value))
			return "an unknown member, or an impossible value";
	}
	return NULL;
}

/*
 * Reads the line of a group; returns NULL or why the line is refused. `number` is that of the
 * partial result: seen[] has the last one in which each group occurred.
 */
static const char *read_group(struct group_report *r, uint64_t number, struct str line)
{
	const struct str written = iter_find(line, STR("lines"));
	uint64_t count, lines = 0, n = 0;
	const char *why = NULL;
	struct str object;
	struct iter w;
	size_t group;

	if (!num_count(iter_find(line, STR("count")), &count) || (written.p && !num_count(written, &lines)))
		return STATE_REFUSED_COUNT;
	if (lines != r->merged_lines)
		return missing_lines;
	r->merged_lines = 0;
	group = groups_key_read(&r->groups, iter_find(line, STR("key")));
	if (group == GROUPS_NONE)
		return "the keys are not those of the first line";
	r->merged = mem_grow(r->merged, &r->merged_cap, r->n_merged + 1, sizeof *r->merged);
	r->merged[r->n_merged++] = group;
	r->seen = mem_grow_zero(r->seen, &r->seen_cap, group + 1, sizeof *r->seen);
	if (r->seen[group] == number)
		return "the group occurs twice";
	r->seen[group] = number;
	if (!iter_array(&w, iter_find(line, STR("fields"))))
		return other_fields;
	while (!why && iter_element(&w, &object))
		why = read_field(r, n++, object);
	if (why || n != r->aggs.n_fields)
		return why ? why : other_fields;
	r->merged_records += count;
	return aggregate_merge_state(&r->aggs, group, count);
}

static const char *read_state(struct partial *p, struct str name, struct str line)
{
	struct group_report *r = p->arg;
	uint64_t field;

	if (str_eq(name, STR("key")))
		return read_group(r, p->number, line);
	if (!str_eq(name, STR("field")))
		return STATE_REFUSED_LINE;
	r->merged_lines++;
	return num_count(iter_find(line, name), &field) ? read_field(r, field, line) : STATE_REFUSED_COUNT;
}

/*
 * Reads the kind of the records of a part. The kind is taken from the part whose kind is most specific; if several are
 * equally specific, from the part with the lowest number. Parts with the same number may have different kinds: then the
 * first one in alphabetical order is taken.
 */
static bool read_source(struct group_report *r, struct str array)
{
	struct source_kind source = {0};
	struct buf name = {0};
	struct str number, text;
	struct iter w;
	uint64_t part;
	int order;

	if (!iter_array(&w, array) || !iter_element(&w, &number) || !iter_element(&w, &text) ||
	    !num_count(number, &part) || !json_is_string(text) || !source_kind_read(&source, json_inner(text)))
		return false;
	order = source_kind_compare(&source, &r->source);
	if (!order)
		order = (part < r->source_part) - (part > r->source_part);
	if (!order) {
		source_kind_write(&r->source, &name);
		order = str_cmp(buf_str(&name), text);
		buf_free(&name);
	}
	if (!r->source_known || order > 0) {
		r->source = source;
		r->source_part = part;
		r->source_known = true;
	}
	return true;
}

/*
 * Checks a partial result at its end: one from which whole lines were cut would otherwise pass as
 * complete.
 */
static const char *read_end(struct partial *p, struct str line, uint64_t count, uint64_t records)
{
	struct group_report *r = p->arg;
	const bool once = !r->groups.each && !r->groups.n_subtotals; /* each record is in one group */
	size_t i, parent;

	if (count != r->n_merged || r->merged_lines || (once && records != r->merged_records))
		return missing_lines;
	for (i = 0; i < r->n_merged; i++) {
		if (!groups_parent(&r->groups, r->merged[i], &parent) ||
		    (parent != GROUPS_NONE && r->seen[parent] != p->number))
			return "the subtotal of a group is missing";
	}
	r->n_merged = r->merged_records = 0;
	return read_source(r, iter_find(line, STR("source"))) ? NULL : "the kind of the records is unknown";
}

static const struct partial_state group_partial_state = {
    .count = "groups",
    .write_question = write_question,
    .read_question = read_question,
    .begin = begin_merging,
    .is_ordered = is_ordered,
    .write = write_groups,
    .write_end = write_source,
    .read = read_state,
    .read_end = read_end,
};

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

/* `at` is the place of the record, or NULL if it is the current one. */
static void add_to_groups(struct group_report *r, struct event *e, const struct fault_location *at)
{
	const uint32_t *found;
	size_t n;

	if (!r->source_known)
		r->source_known = source_kind_look(&r->source, e);
	n = groups_of(&r->groups, e, &found);
	if (!aggregate_add(&r->aggs, e, found, n))
		diagnostics_add(
		    &r->in.diagnostics, DIAGNOSTICS_LOST, "number " TOO_LARGE, at ? *at : input_location(&r->in));
}

/*
 * To be called when the fields are known, or when they must be chosen from the records stored so far. Adds the stored
 * records to their groups. From now on, only the keys and the aggregated fields of records are used.
 */
static void begin_results(struct group_report *r)
{
	struct fault_location *at;
	struct event e;
	size_t i;

	begin_groups(r);
	for (i = 0; i < r->groups.n_keys; i++) {
		if (groups_key_field(&r->groups, i))
			input_uses(&r->in, groups_key_field(&r->groups, i));
	}
	for (i = 0; i < r->aggs.n_fields; i++)
		input_uses(&r->in, aggregate_field_at(&r->aggs, i));
	input_uses_members(&r->in, UINT32_MAX, 1u << EVENT_KIND);
	r->begun = true;
	for (i = 0; i < r->first.n; i++) {
		at = event_queue_at(&r->first, i, &e);
		add_to_groups(r, &e, at);
	}
	event_queue_free(&r->first);
}

/* --- interim results (--every) --- */

static volatile sig_atomic_t tick;

static void on_tick(int signal_number)
{
	(void)signal_number;
	tick = 1;
}

/* The timer ticks once, `ns` nanoseconds from now, so that ticks cannot accumulate while a result is printed. */
static void tick_after(int64_t ns)
{
	const int64_t us = ns / 1000;
	const struct itimerval timer = {.it_value = {.tv_sec = us / 1000000, .tv_usec = us % 1000000}};

	setitimer(ITIMER_REAL, &timer, NULL);
}

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* On a terminal, each result replaces the preceding one. */
static bool clear_screen(struct group_report *r)
{
	const bool clears = r->every && isatty(STDOUT_FILENO);

	if (clears)
		out_lit(&r->out, "\033[H\033[J"); /* moves the cursor to the top left and erases the screen */
	return clears;
}

/*
 * Prints the result so far at a tick. The next tick comes after the interval or, if printing took longer, after that
 * time. Thus at least half of the time is spent on reading, however large the result is.
 */
static void print_interim(struct group_report *r)
{
	const int64_t from = now();
	int64_t took;
	bool cleared;

	tick = 0;
	if (!r->begun)
		begin_results(r);
	cleared = clear_screen(r);
	r->print(r, r->arg);
	if (r->human && !cleared)
		out_char(&r->out, '\n');
	out_flush(&r->out);
	took = now() - from;
	tick_after(took > r->every ? took : r->every);
}

static bool wake(void *arg)
{
	if (tick)
		print_interim(arg);
	return true;
}

/* --- reading --- */

static void read_records(struct group_report *r)
{
	/* Without SA_RESTART, the signal makes a read return, and record/input calls `wake`. */
	struct sigaction action = {.sa_handler = on_tick};
	struct fault_location at;
	struct event e = {0};

	r->first.each = sizeof at;
	if (!r->find_fields)
		begin_results(r);
	if (r->every) {
		r->in.wake = wake;
		r->in.wake_arg = r;
		sigemptyset(&action.sa_mask);
		sigaction(SIGALRM, &action, NULL);
		tick_after(r->every);
	}
	while (input_next(&r->in, &e)) {
		if (r->begun) {
			add_to_groups(r, &e, NULL);
		} else {
			at = input_location(&r->in);
			filter_hold(&r->first, &e, &at);
			r->first_bytes += e.raw.n;
			if (r->find_fields(r, &e, r->arg) || r->first.n == GROUP_REPORT_LOOK ||
			    r->first_bytes >= GROUP_REPORT_LOOK_BYTES)
				begin_results(r);
		}
		if (tick)
			print_interim(r);
	}
	if (!r->begun)
		begin_results(r);
	r->ended = true;
	clear_screen(r);
}

void group_report_result(struct group_report *r, struct table *t, size_t cell, size_t column, size_t group)
{
	const char *name = r->aggs.columns[column].name, *key;
	struct buf *text = &r->first_too_large;
	struct value v;
	size_t i;

	if (groups_result(t, cell, &r->aggs, column, group) || !r->ended || r->too_large++)
		return;
	buf_add(text, name, strlen(name));
	if (group >= r->groups.n) { /* a row for several groups */
		buf_lit(text, ", (other)");
		return;
	}
	for (i = 0; (key = groups_key_name(&r->groups, i)); i++) {
		groups_key(&r->groups, group, i, &v);
		buf_lit(text, ", ");
		buf_add(text, key, strlen(key));
		buf_char(text, ' ');
		if (v.type == VALUE_NONE)
			buf_lit(text, "(none)");
		else
			buf_add(text, v.text.p, v.text.n);
	}
}

/* Prints hints about fields, and reports results that are too large. */
static void report_end(struct group_report *r)
{
	const bool all = !r->in.options.piece.of;
	char more[48] = "";
	size_t i;

	for (i = 0; i < r->groups.n_keys; i++) {
		if (groups_key_field(&r->groups, i))
			filter_hint_field(groups_key_field(&r->groups, i), all);
	}
	for (i = 0; i < r->aggs.n_fields; i++)
		filter_hint_field(aggregate_field_at(&r->aggs, i), all);
	if (r->too_large > 1)
		snprintf(more, sizeof more, " (and %zu more)", r->too_large - 1);
	if (r->too_large)
		warn("%.*s: result %s%s", (int)r->first_too_large.n, r->first_too_large.p, TOO_LARGE, more);
	r->in.diagnostics.lost |= r->too_large != 0;
}

int group_report_run(struct group_report *r, size_t keep)
{
	struct partial partial = {&group_partial_state, r, err_prog(), &r->in, .part = r->part};

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
	out_flush(&r->out);
	report_end(r);
	return filter_close(&r->in);
}

struct column_meaning group_report_meaning(const struct group_report *r, size_t field)
{
	return column_meaning_of(
	    str_of(aggregate_field_at(&r->aggs, r->fields[field])->spec), &r->source, &r->table.units);
}

struct column_meaning group_report_common_meaning(const struct group_report *r, struct str name)
{
	const struct column_meaning none = {COLUMN_ANY, NULL, 0, name.n, name.n};
	struct column_meaning meaning = none, other;
	size_t i;

	for (i = 0; i < r->n_fields; i++) {
		other = group_report_meaning(r, i);
		if (i && (other.kind != meaning.kind || other.unit != meaning.unit))
			return none;
		meaning.kind = other.kind;
		meaning.unit = other.unit;
	}
	return meaning;
}

void group_report_free(struct group_report *r)
{
	field_units_free(&r->table.units);
	groups_free(&r->groups);
	aggregate_free(&r->aggs);
	mem_free(r->fields, r->merged, r->seen);
	buf_free(&r->first_too_large);
}

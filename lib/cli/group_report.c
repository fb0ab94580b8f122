#include "cli/group_report_private.h"

#include "cli/filter.h"
#include "stats/interim_results.h"

#include <stdio.h>
#include <stdlib.h>

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

/* Called through input.reads. */
static void read_ahead(void *arg, struct event *e)
{
	struct group_report *r = arg;
	size_t i;

	for (i = 0; i < r->n_ahead; i++)
		field_ahead(r->ahead[i], e);
}

/*
 * Adds a field to the fields whose values are checked while a record is read (see input.reads). The fields kind and
 * name are not added, because they are in the prefix of canonical lines.
 */
static void add_ahead(struct group_report *r, struct field *f)
{
	if (f->member == EVENT_KIND || f->member == EVENT_NAME)
		return;
	r->ahead = mem_grow(r->ahead, &r->ahead_cap, r->n_ahead + 1, sizeof *r->ahead);
	r->ahead[r->n_ahead++] = f;
	r->in.enough |= 1u << f->member;
}

/* Adds the keys and the aggregated fields to the fields whose values are checked while a record is read. */
static void begin_reading(struct group_report *r)
{
	size_t i;

	for (i = 0; i < r->groups.n_keys; i++) {
		if (groups_key_field(&r->groups, i))
			add_ahead(r, groups_key_field(&r->groups, i));
	}
	for (i = 0; i < r->aggs.n_fields; i++)
		add_ahead(r, aggregate_field_at(&r->aggs, i));
	r->in.enough |= 1u << EVENT_KIND;
	r->in.reads = read_ahead;
	r->in.reads_arg = r;
}

/* `at` is the place of the record, or NULL if it is the current one. */
static void take(struct group_report *r, struct event *e, const struct fault_place *at)
{
	const uint32_t *found;
	size_t n;

	if (!r->source_known)
		r->source_known = report_source_look(&r->source, e);
	n = groups_of(&r->groups, e, &found);
	if (!aggregate_add(&r->aggs, e, found, n))
		diagnostics_add(
		    &r->in.diagnostics, DIAGNOSTICS_LOST, "number " TOO_LARGE, at ? *at : input_place(&r->in));
}

void group_report_all_fields(struct group_report *r)
{
	size_t i;

	r->fields = mem_grow(r->fields, &r->fields_cap, r->aggs.n_fields + 1, sizeof *r->fields);
	for (i = 0; i < r->aggs.n_fields; i++)
		r->fields[i] = i;
	r->n_fields = i;
}

void group_report_begin(struct group_report *r)
{
	if (r->ask)
		r->ask(r, r->arg);
	if (r->groups.n_keys)
		r->keep = QUANTILE_KEEP;
	aggregate_begin(&r->aggs, r->exact ? SIZE_MAX : r->keep);
	r->aggs.part = r->part;
}

/*
 * To be called when the fields are known, or when they must be chosen from the records stored so far. Adds the stored
 * records to their groups.
 */
static void begin(struct group_report *r)
{
	struct event e;
	size_t i;

	group_report_begin(r);
	begin_reading(r);
	r->begun = true;
	for (i = 0; i < r->first.n; i++) {
		top_rows_get(&r->first, i, &e);
		take(r, &e, &r->places[i]);
	}
	top_rows_free(&r->first);
	free(r->places);
	r->places = NULL;
}

static void look(struct group_report *r, struct event *e)
{
	top_rows_add(&r->first, e);
	r->places = mem_grow(r->places, &r->places_cap, r->first.n, sizeof *r->places);
	r->places[r->first.n - 1] = input_place(&r->in);
	r->first_bytes += e->raw.n;
	if (r->learn(r, e, r->arg) || r->first.n == GROUP_REPORT_LOOK || r->first_bytes >= GROUP_REPORT_LOOK_BYTES)
		begin(r);
}

/*
 * Prints the result so far at a tick of --every. In human formats, prints an empty line after it, unless the screen is
 * cleared.
 */
static void show(struct group_report *r)
{
	if (!r->begun)
		begin(r);
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
		show(arg);
	return true;
}

static void hint(const struct group_report *r)
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
		begin(r);
	if (r->every) {
		r->in.wake = wake;
		r->in.wake_arg = r;
		interim_results_begin(r->every);
	}
	while (input_next(&r->in, &e)) {
		if (r->begun)
			take(r, &e, NULL);
		else
			look(r, &e);
		if (interim_results_due())
			show(r);
	}
	if (!r->begun)
		begin(r);
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
	hint(r);
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
	free(r->ahead);
	buf_free(&r->first_too_large);
}

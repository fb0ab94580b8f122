#include "cli/group_report.h"

#include "cli/field_hints.h"
#include "cli/filter.h"
#include "cli/options.h"
#include "stats/refresh.h"

#include <stdlib.h>
#include <unistd.h>

void group_report_init(struct group_report *r, void (*print)(struct group_report *r, void *arg), void *arg)
{
	*r = (struct group_report){.print = print, .arg = arg};
	table_options_init(&r->table, isatty(STDOUT_FILENO) ? TABLE_TABLE : TABLE_NDJSON);
}

void group_report_field(struct group_report *r, const char *option, struct str spec)
{
	const size_t field = aggregate_field(&r->aggs, option, spec);

	if (field < r->n_fields) /* given before */
		return;
	r->fields = mem_grow(r->fields, &r->fields_cap, r->n_fields + 1, sizeof *r->fields);
	r->fields[r->n_fields++] = field;
}

static void add_fields(struct group_report *r, const char *list)
{
	struct buf spec = {0};

	while (opt_item(&list, &spec))
		group_report_field(r, "-f", (struct str){spec.p, spec.n});
	buf_free(&spec);
}

bool group_report_option(struct group_report *r, int letter, const char *arg)
{
	switch (letter) {
	case 'g':
		groups_option(&r->groups, "-g", arg);
		return true;
	case 'f':
		add_fields(r, arg);
		return true;
	case 'u':
		table_options_unit(&r->table, "-u", arg);
		return true;
	case 'o':
		r->table.format = table_options_format("-o", arg);
		return true;
	case GROUP_REPORT_CYCLE:
		r->cycle = (uint64_t)opt_count("--cycle", arg, 1);
		return true;
	case GROUP_REPORT_EVERY:
		r->every = opt_time("--every", arg, REFRESH_LEAST);
		return true;
	case GROUP_REPORT_EXACT:
		r->exact = true;
		return true;
	case GROUP_REPORT_WIDE:
		r->table.wide = true;
		return true;
	default:
		return input_option(&r->in, letter, arg);
	}
}

void group_report_open(struct group_report *r, char **operands)
{
	r->human = r->table.format >= TABLE_MD;
	if (r->cycle)
		groups_cycle(&r->groups, r->cycle);
	filter_open(&r->in, operands, &r->out);
	input_stop_on_signal();
}

/* For input.reads. */
static void read_ahead(void *arg, struct event *e)
{
	struct group_report *r = arg;
	size_t i;

	for (i = 0; i < r->n_ahead; i++)
		field_ahead(r->ahead[i], e);
}

/* Canonical lines begin with kind and name, which need no reading ahead. */
static void add_ahead(struct group_report *r, struct field *f)
{
	if (f->member == EVENT_KIND || f->member == EVENT_NAME)
		return;
	r->ahead = mem_grow(r->ahead, &r->ahead_cap, r->n_ahead + 1, sizeof *r->ahead);
	r->ahead[r->n_ahead++] = f;
	r->in.enough |= 1u << f->member;
}

/* The keys and what is added up. */
static void begin_reading(struct group_report *r)
{
	size_t i;

	for (i = 0; i < r->groups.n_keys; i++) {
		if (r->groups.keys[i].spec) /* not the cycle */
			add_ahead(r, &r->groups.keys[i].field);
	}
	for (i = 0; i < r->aggs.n_fields; i++)
		add_ahead(r, &r->aggs.fields[i].field);
	r->in.enough |= 1u << EVENT_KIND;
	r->in.reads = read_ahead;
	r->in.reads_arg = r;
}

static void take(struct group_report *r, struct event *e)
{
	const uint32_t *found;
	const size_t n = groups_of(&r->groups, e, &found);

	aggregate_add(&r->aggs, e, found, n);
}

/* The fields are known, or become so now: what was stored is added up. */
static void begin(struct group_report *r)
{
	struct event e;
	size_t i;

	if (r->ask)
		r->ask(r, r->arg);
	aggregate_begin(&r->aggs, r->spare);
	begin_reading(r);
	r->begun = true;
	for (i = 0; i < r->first.n; i++) {
		top_rows_get(&r->first, i, &e);
		take(r, &e);
	}
	top_rows_free(&r->first);
}

static void look(struct group_report *r, struct event *e)
{
	top_rows_add(&r->first, e);
	if (r->learn(r, e, r->arg) || r->first.n == GROUP_REPORT_LOOK)
		begin(r);
}

/* A tick of --every: the state, and for readers of text an empty line between two of them. */
static void show(struct group_report *r)
{
	if (!r->begun)
		begin(r);
	refresh_clear(&r->out);
	r->print(r, r->arg);
	if (r->human && !refresh_clears())
		out_char(&r->out, '\n');
	out_flush(&r->out);
	refresh_shown();
}

static bool wake(void *arg)
{
	if (refresh_due())
		show(arg);
	return true;
}

static void hint(const struct group_report *r)
{
	size_t i;

	for (i = 0; i < r->groups.n_keys; i++) {
		if (r->groups.keys[i].spec) /* not the cycle */
			field_hint(&r->groups.keys[i].field, true);
	}
	for (i = 0; i < r->aggs.n_fields; i++)
		field_hint(&r->aggs.fields[i].field, true);
}

int group_report_run(struct group_report *r, size_t spare)
{
	struct event e = {0};

	r->spare = r->exact ? SIZE_MAX : spare;
	r->first.most = GROUP_REPORT_LOOK;
	if (!r->learn)
		begin(r);
	if (r->every) {
		r->in.wake = wake;
		r->in.wake_arg = r;
		refresh_start(r->every);
	}
	while (input_next(&r->in, &e)) {
		if (r->begun)
			take(r, &e);
		else
			look(r, &e);
		if (refresh_due())
			show(r);
	}
	if (!r->begun)
		begin(r);
	refresh_clear(&r->out);
	r->print(r, r->arg);
	out_flush(&r->out);
	hint(r);
	return filter_close(&r->in);
}

enum column_kind group_report_kind(const struct group_report *r)
{
	enum column_kind kind = COLUMN_ANY, other;
	size_t i;

	for (i = 0; i < r->n_fields; i++) {
		other = column_kind(str_of(r->aggs.fields[r->fields[i]].spec));
		if (i && other != kind)
			return COLUMN_ANY;
		kind = other;
	}
	return kind;
}

void group_report_free(struct group_report *r)
{
	groups_free(&r->groups);
	aggregate_free(&r->aggs);
	free(r->fields);
	free(r->ahead);
}

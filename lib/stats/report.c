#include "stats/report.h"

#include "stats/every.h"
#include "cli/opt.h"

#include <stdlib.h>
#include <unistd.h>

void report_init(struct report *r, void (*print)(struct report *r, void *arg), void *arg)
{
	*r = (struct report){.print = print, .arg = arg};
	table_defaults(&r->table, isatty(STDOUT_FILENO) ? TABLE_TABLE : TABLE_NDJSON);
}

void report_field(struct report *r, const char *option, struct str spec)
{
	const size_t field = agg_field(&r->aggs, option, spec);

	if (field < r->n_fields) /* given before */
		return;
	r->fields = mem_grow(r->fields, &r->fields_cap, r->n_fields + 1, sizeof *r->fields);
	r->fields[r->n_fields++] = field;
}

static void add_fields(struct report *r, const char *list)
{
	struct buf spec = {0};

	while (opt_item(&list, &spec))
		report_field(r, "-f", (struct str){spec.p, spec.n});
	buf_free(&spec);
}

bool report_option(struct report *r, int letter, const char *arg)
{
	switch (letter) {
	case 'g':
		groups_option(&r->groups, "-g", arg);
		return true;
	case 'f':
		add_fields(r, arg);
		return true;
	case 'u':
		table_unit(&r->table, "-u", arg);
		return true;
	case 'o':
		r->table.format = table_format("-o", arg);
		return true;
	case REPORT_CYCLE:
		r->cycle = (uint64_t)opt_count("--cycle", arg, 1);
		return true;
	case REPORT_EVERY:
		r->every = opt_time("--every", arg, EVERY_LEAST);
		return true;
	case REPORT_EXACT:
		r->exact = true;
		return true;
	case REPORT_WIDE:
		r->table.wide = true;
		return true;
	default:
		return input_option(&r->in, letter, arg);
	}
}

void report_open(struct report *r, char **operands)
{
	r->human = r->table.format >= TABLE_MD;
	if (r->cycle)
		groups_cycle(&r->groups, r->cycle);
	out_open(&r->out);
	input_open(&r->in, operands, &r->out);
	input_stop_on_signal();
}

/* For input.reads. */
static void read_ahead(void *arg, struct event *e)
{
	struct report *r = arg;
	size_t i;

	for (i = 0; i < r->n_ahead; i++)
		field_ahead(r->ahead[i], e);
}

/* Canonical lines begin with kind and name, which need no reading ahead. */
static void add_ahead(struct report *r, struct field *f)
{
	if (f->member == EVENT_KIND || f->member == EVENT_NAME)
		return;
	r->ahead = mem_grow(r->ahead, &r->ahead_cap, r->n_ahead + 1, sizeof *r->ahead);
	r->ahead[r->n_ahead++] = f;
	r->in.enough |= 1u << f->member;
}

/* The keys and what is added up. */
static void begin_reading(struct report *r)
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

static void take(struct report *r, struct event *e)
{
	const uint32_t *found;
	const size_t n = groups_of(&r->groups, e, &found);

	agg_add(&r->aggs, e, found, n);
}

/* The fields are known, or become so now: what was stored is added up. */
static void begin(struct report *r)
{
	struct event e;
	size_t i;

	if (r->ask)
		r->ask(r, r->arg);
	agg_begin(&r->aggs, r->spare);
	begin_reading(r);
	r->begun = true;
	for (i = 0; i < r->first.n; i++) {
		rows_get(&r->first, i, &e);
		take(r, &e);
	}
	rows_free(&r->first);
}

static void look(struct report *r, struct event *e)
{
	rows_add(&r->first, e);
	if (r->learn(r, e, r->arg) || r->first.n == REPORT_LOOK)
		begin(r);
}

/* A tick of --every: the state, and for readers of text an empty line between two of them. */
static void show(struct report *r)
{
	if (!r->begun)
		begin(r);
	every_clear(&r->out);
	r->print(r, r->arg);
	if (r->human && !every_clears())
		out_char(&r->out, '\n');
	out_flush(&r->out);
	every_shown();
}

static bool wake(void *arg)
{
	if (every_due())
		show(arg);
	return true;
}

int report_run(struct report *r, size_t spare)
{
	struct event e = {0};

	r->spare = r->exact ? SIZE_MAX : spare;
	r->first.most = REPORT_LOOK;
	if (!r->learn)
		begin(r);
	if (r->every) {
		r->in.wake = wake;
		r->in.wake_arg = r;
		every_start(r->every);
	}
	while (input_next(&r->in, &e)) {
		if (r->begun)
			take(r, &e);
		else
			look(r, &e);
		if (every_due())
			show(r);
	}
	if (!r->begun)
		begin(r);
	every_clear(&r->out);
	r->print(r, r->arg);
	out_flush(&r->out);
	groups_hints(&r->groups, &r->aggs);
	return input_finish(&r->in);
}

enum column_kind report_kind(const struct report *r)
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

void report_free(struct report *r)
{
	groups_free(&r->groups);
	agg_free(&r->aggs);
	free(r->fields);
	free(r->ahead);
}

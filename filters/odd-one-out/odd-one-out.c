/*
 * odd-one-out: finds the units in a table, such as ranks or hosts, that differ from the others of their groups.
 *
 * in:  {"kind":"catalog","run":"r1","rank":0,"health":"ok","steps":12,"step_p50":1396428,"call_p50":4536, ...
 *      {"kind":"catalog","run":"r1","rank":1,"health":"ok","steps":12,"step_p50":1396329,"call_p50":7201, ...
 * out: {"kind":"odd-one-out","run":"r1","rank":1,"records":1,"groups":1,"odd":"yes","because":"call_p50", ...
 */
#include "compared_fields.h"
#include "json/string.h"
#include "program/filter.h"
#include "program/input_options.h"
#include "program/opt_fields.h"
#include "program/table_options.h"
#include "stats/groups.h"
#include "unit_scores.h"

#include <inttypes.h>
#include <math.h>

enum { FLOOR = 256 };

struct odd_one_out {
	struct input in;
	struct out out;
	struct table_options table;
	const char *group, *unit; /* -g and --compare */
	struct compared_fields fields;
	bool read; /* a record was read */
	struct groups groups, units;
	struct unit_scores scores;
};

#define TO(member) OPT_TO(struct odd_one_out, member)
static const struct opt options[] = {
    {'g', "group", OPT_TEXT("KEY,..."), TO(group),
	"compare the units of records with the same values of these fields\n(default run)"},
    {0, "compare", OPT_TEXT("FIELD,..."), TO(unit),
	"units: the values of these fields, such as host; a rank is one of\nits group (default rank)"},
    {'f', "field", OPT_TEXT("FIELD,..."), OPT_TAKE, "compare these fields (default: those of a catalogue)"},
    {FLOOR, "floor", OPT_TEXT("FIELD=VALUE"), OPT_TAKE,
	"minimum spread of a field, in the unit of its values (default 0;\nfields of a catalogue have their own)"},
    {'o', "output", TABLE_OPTIONS_FORMAT, TO(table.format),
	"ndjson, csv, tsv, raw, md, table or list (default table on a terminal,\notherwise ndjson)"},
    {0},
};

static const struct opt_program program = {
    "Finds the units in a table, such as ranks or hosts, that differ from the others of their groups.",
    "[-g KEY,...] [--compare FIELD,...] [-f FIELD,...] [--floor FIELD=VALUE]... [-u UNIT] [-o FORMAT] [--wide] "
    "[FILE...]",
    "odd-one-out --compare host catalogue.ndjson",
    .reads = "table",
};

static void take_option(void *arg, const struct opt_value *v)
{
	struct odd_one_out *o = arg;

	if (v->opt->letter == FLOOR)
		compared_fields_floor(&o->fields, v->text);
	else
		opt_fields_add(&o->fields.list, v->option, v->text);
}

/* Adds the keys of a list. `rank` among the fields of units adds the keys of groups first. */
static void add_keys(struct odd_one_out *o, struct groups *g, const char *option, const char *list)
{
	const char *rest = list;
	struct buf text = {0};
	struct str item;
	size_t i;

	while (g == &o->units && opt_item(&rest, &text, &item)) {
		if (str_eq(item, STR("rank")))
			add_keys(o, g, "-g", o->group);
	}
	opt_group_keys(g, option, list);
	for (i = 0; i < g->n_keys; i++) {
		if (groups_key_field(g, i)->each)
			opt_invalid(option, groups_key_field(g, i)->asked, "fields with one value, without []");
		input_uses(&o->in, groups_key_field(g, i));
	}
	buf_free(&text);
}

/* --- records --- */

static bool is_group_key(const struct odd_one_out *o, const struct field *f)
{
	size_t i;

	for (i = 0; i < o->groups.n_keys && !str_eq(groups_key_field(&o->groups, i)->asked, f->asked); i++)
		;
	return i < o->groups.n_keys;
}

static void take_record(struct odd_one_out *o, struct event *e)
{
	const uint32_t *found;
	size_t group, unit, i;
	struct value v;

	if (!o->read && str_eq(event_get(e, EVENT_KIND), STR("\"catalog\"")))
		compared_fields_catalogue(&o->fields);
	else if (!o->read && o->fields.defaults)
		die("%s:%" PRIu64 ": not a record of a catalogue; name the fields to compare: -f FIELD,...", o->in.file,
		    o->in.line);
	o->read = true;
	if (!compared_fields_fit(&o->fields, e))
		return;
	groups_of(&o->groups, e, &found);
	group = *found;
	groups_of(&o->units, e, &found);
	unit = *found;
	for (i = 0; i < o->units.n_keys; i++) {
		groups_key(&o->units, unit, i, &v);
		if (v.type == VALUE_NONE && !is_group_key(o, groups_key_field(&o->units, i))) {
			input_lost(&o->in, "record without a field of --compare; not compared");
			return;
		}
	}
	compared_fields_read(&o->fields, e);
	unit_scores_add(&o->scores, group, unit, o->fields.values, o->fields.catalogue ? o->fields.step : NAN);
}

/* --- rows --- */

/* The columns after those of the unit; the scores of all fields follow. */
enum { RECORDS, GROUPS, ODD, BECAUSE, SCORE, RATIO, ALSO, FIELDS };
static const char *const columns[FIELDS] = {"records", "groups", "odd", "because", "score", "ratio", "also"};

static void set_string(struct table *t, size_t column, struct str text, struct buf *room)
{
	room->n = 0;
	json_quote(room, text);
	table_set_json(t, column, buf_str(room));
}

/* Sets a cell to a number with four decimals. */
static void set_number(struct table *t, size_t column, double v)
{
	table_set_real(t, column, fabs(v) < 1e9 ? round(v * 1e4) / 1e4 : v);
}

static void write_unit(struct odd_one_out *o, struct table *t, const struct unit_score *u)
{
	const size_t at = o->units.n_keys;
	const struct field *f = o->fields.list.list;
	struct buf also = {0}, room = {0};
	size_t i;

	groups_cells(&o->units, t, u->unit, false);
	table_set_int(t, at + RECORDS, (int128)u->records);
	table_set_int(t, at + GROUPS, (int128)u->groups);
	set_string(t, at + ODD, u->n_odd ? STR("yes") : STR("no"), &room);
	set_string(t, at + BECAUSE, f[u->order[0]].asked, &room);
	set_number(t, at + SCORE, u->score);
	set_number(t, at + RATIO, u->ratio);
	for (i = 0; i < o->fields.list.n; i++)
		set_number(t, at + FIELDS + i, u->z[i]);
	for (i = 1; i < u->n_odd; i++) {
		if (also.n)
			buf_char(&also, ',');
		buf_add(&also, f[u->order[i]].asked.p, f[u->order[i]].asked.n);
	}
	if (also.n)
		set_string(t, at + ALSO, buf_str(&also), &room);
	table_row(t);
	bufs_free(&also, &room);
}

static void write_rows(struct odd_one_out *o)
{
	struct table *t = table_begin(&o->out, &o->table);
	struct source_kind source = {0};
	struct buf name = {0};
	size_t i;

	source_kind_read(&source, STR("odd-one-out"));
	groups_columns(&o->units, t, &source, NULL);
	for (i = 0; i < FIELDS; i++)
		table_column(t, str_of(columns[i]), COLUMN_ANY);
	for (i = 0; i < o->fields.list.n; i++) {
		name.n = 0;
		buf_lit(&name, "z_");
		buf_add(&name, o->fields.list.list[i].asked.p, o->fields.list.list[i].asked.n);
		table_column(t, buf_str(&name), COLUMN_ANY);
	}
	table_kind(t, STR("\"odd-one-out\""));
	for (i = 0; i < o->scores.n_units; i++)
		write_unit(o, t, &o->scores.units[i]);
	table_end(t);
	buf_free(&name);
}

/* --- notes --- */

/* Reports the groups in which a field is not compared, with the first one as an example. */
static void report_unscored(const struct odd_one_out *o, size_t field, bool small)
{
	const struct unit_unscored *u, *first = NULL;
	struct value v;
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < o->scores.n_unscored; i++) {
		u = &o->scores.unscored[i];
		if (u->field == field && (u->members < UNIT_MEMBERS) == small)
			first = n++ ? first : u;
	}
	if (!first || !o->fields.list.list[field].numbers)
		return;
	groups_key(&o->groups, first->group, 0, &v);
	if (v.type == VALUE_NONE)
		v.text = STR("(absent)");
	note("%.*s: not compared in %" PRIu64 " group%s %s, such as %.*s (%zu)%s",
	    STR_FMT(o->fields.list.list[field].asked), n, n == 1 ? "" : "s",
	    small ? "with fewer than 8 members" : "where more than half of the members are 0",
	    STR_FMT(v.type == VALUE_STRING ? json_inner(v.text) : v.text), first->members,
	    small ? "" : "; give --floor FIELD=VALUE");
}

static void compare_all(struct odd_one_out *o)
{
	size_t i;

	unit_scores_compute(&o->scores);
	if (o->scores.n_units)
		write_rows(o);
	else if (o->read)
		warn("no group has 8 members with a value of a field; nothing was compared");
	o->in.diagnostics.lost |= o->read && !o->scores.n_units;
	compared_fields_report(&o->fields);
	for (i = 0; i < o->fields.list.n; i++) {
		report_unscored(o, i, true);
		report_unscored(o, i, false);
	}
	for (i = 0; i < o->groups.n_keys; i++)
		filter_hint_field(groups_key_field(&o->groups, i), true);
}

int main(int argc, char **argv)
{
	struct odd_one_out o = {.group = "run", .unit = "rank"};
	const struct opt_table tables[] = {
	    {options, &o, take_option}, TABLE_OPTIONS(&o.table), INPUT_OPTIONS(&o.in), {0}};
	struct event e;
	char **operands;

	err_init(argv[0]);
	table_options_init(&o.table, TABLE_TABLE, TABLE_NDJSON);
	operands = opt_read(&program, argc, argv, tables);
	add_keys(&o, &o.groups, "-g", o.group);
	add_keys(&o, &o.units, "--compare", o.unit);
	compared_fields_begin(&o.fields, &o.in);
	o.scores.n_fields = o.fields.list.n;
	o.scores.rules = o.fields.rules;
	input_uses_members(&o.in, UINT32_MAX, 1u << EVENT_KIND);
	filter_open(&o.in, operands, &o.out);
	input_stop_on_signal();
	while (input_next(&o.in, &e))
		take_record(&o, &e);
	compare_all(&o);
	unit_scores_free(&o.scores);
	compared_fields_free(&o.fields);
	groups_free(&o.groups);
	groups_free(&o.units);
	return filter_close(&o.in);
}

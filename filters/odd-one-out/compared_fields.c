#include "compared_fields.h"

#include "base/num_parse.h"
#include "json/string.h"
#include "program/filter.h"
#include "program/opt_value.h"

#include <inttypes.h>
#include <math.h>

/* The fields of a catalogue. If a record lacks the field, its value is `part` divided by `steps`. */
static const struct known_field {
	const char *name, *part;
	struct unit_rule rule;
} known_fields[] = {
    {"step_p50", NULL, {.floor = 1000, .of_step = true}},
    {"step_p95", NULL, {.floor = 1000, .of_step = true}},
    {"compute_step", "compute_time", {.floor = 1000, .of_step = true}},
    {"comm_step", "comm_only", {.floor = 1000, .of_step = true, .follows = true}},
    {"copy_step", "memory_only", {.floor = 1000, .of_step = true}},
    {"wait_step", "host_wait", {.floor = 1000, .of_step = true}},
    {"pause_step", "pauses", {.floor = 1000, .of_step = true}},
    {"call_p50", NULL, {.floor = 100}},
    {"memory_peak", NULL, {.floor = 1 << 20}},
};
enum { KNOWN = sizeof known_fields / sizeof *known_fields };

/* The first of `parts`; then the parts of known_fields follow. */
enum { STEPS, STEP_P50, HEALTH, PARTS };

static const struct known_field *find_known(const struct compared_fields *c, size_t field)
{
	size_t i;

	for (i = 0; c->catalogue && i < KNOWN; i++) {
		if (strcmp(c->list.list[field].spec, known_fields[i].name) == 0)
			return &known_fields[i];
	}
	return NULL;
}

/* Sets the floor of a field that --floor gives. */
static void set_floor(struct compared_fields *c, struct str arg)
{
	const size_t at = str_after_last(arg, '=');
	double floor;
	size_t i;

	if (!at || !num_double(str_from(arg, at), &floor) || floor < 0)
		opt_invalid("--floor", arg, "FIELD=VALUE with a number >= 0");
	for (i = 0; i < c->list.n && !str_eq(c->list.list[i].asked, str_head(arg, at - 1)); i++)
		;
	if (i == c->list.n)
		opt_invalid("--floor", arg, "a field of -f");
	c->rules[i].floor = floor;
}

static void set_rules(struct compared_fields *c)
{
	const struct known_field *known;
	size_t i;

	for (i = 0; i < c->list.n; i++) {
		known = find_known(c, i);
		c->rules[i] = known ? known->rule : (struct unit_rule){0};
	}
	for (i = 0; i < c->n_floors; i++)
		set_floor(c, str_of(c->floors[i]));
}

void compared_fields_floor(struct compared_fields *c, const char *arg)
{
	c->floors = mem_grow(c->floors, &c->floors_cap, c->n_floors + 1, sizeof *c->floors);
	c->floors[c->n_floors++] = arg;
}

void compared_fields_begin(struct compared_fields *c, struct input *in)
{
	size_t i;

	c->defaults = !c->list.n;
	opt_fields_add(&c->parts, "-f", "steps,step_p50,health");
	for (i = 0; i < KNOWN; i++) {
		if (c->defaults)
			opt_fields_add(&c->list, "-f", known_fields[i].name);
		opt_fields_add(&c->parts, "-f", known_fields[i].part ? known_fields[i].part : known_fields[i].name);
	}
	c->rules = mem_zero(c->list.n, sizeof *c->rules);
	c->values = mem_zero(c->list.n, sizeof *c->values);
	set_rules(c);
	for (i = 0; i < c->list.n; i++)
		input_uses(in, &c->list.list[i]);
	for (i = 0; i < c->parts.n; i++)
		input_uses(in, &c->parts.list[i]);
}

void compared_fields_catalogue(struct compared_fields *c)
{
	c->catalogue = true;
	set_rules(c);
}

bool compared_fields_fit(struct compared_fields *c, struct event *e)
{
	const size_t n = c->health.n;
	struct str text = STR("unknown");
	struct value v;
	size_t i;

	if (!c->catalogue)
		return true;
	if (field_get(&c->parts.list[HEALTH], e, 0, &v) && v.type == VALUE_STRING)
		text = json_inner(v.text);
	if (str_eq(text, STR("ok")))
		return true;
	i = map_put(&c->health, text);
	c->unfit = mem_grow(c->unfit, &c->unfit_cap, i + 1, sizeof *c->unfit);
	c->unfit[i] = i == n ? 1 : c->unfit[i] + 1;
	return false;
}

/* Returns the number in a field, or NAN. */
static double find_number(struct field *f, struct event *e)
{
	struct value v;

	return field_get(f, e, 0, &v) && (v.type == VALUE_INT || v.type == VALUE_REAL) ? v.d : NAN;
}

void compared_fields_read(struct compared_fields *c, struct event *e)
{
	const double steps = find_number(&c->parts.list[STEPS], e);
	const struct known_field *known;
	double x;
	size_t i;

	c->step = find_number(&c->parts.list[STEP_P50], e);
	for (i = 0; i < c->list.n; i++) {
		x = find_number(&c->list.list[i], e);
		known = find_known(c, i);
		if (isnan(x) && known && known->part && steps > 0)
			x = find_number(&c->parts.list[PARTS + (known - known_fields)], e) / steps;
		if (!isnan(x))
			c->list.list[i].numbers++;
		c->values[i] = x;
	}
}

void compared_fields_report(const struct compared_fields *c)
{
	const struct field *f;
	size_t i;

	for (i = 0; i < c->health.n; i++)
		note("%" PRIu64 " record%s of health %.*s: not compared", c->unfit[i], c->unfit[i] == 1 ? "" : "s",
		    STR_FMT(map_key(&c->health, i)));
	for (i = 0; i < c->list.n; i++) {
		f = &c->list.list[i];
		if (f->records && !f->numbers && !f->found && !find_known(c, i))
			filter_hint_field(f, true);
		else if (f->records && !f->numbers)
			hint("field '%.*s' has no numeric values", STR_FMT(f->asked));
	}
}

void compared_fields_free(struct compared_fields *c)
{
	opt_fields_free(&c->list);
	opt_fields_free(&c->parts);
	map_free(&c->health);
	mem_free(c->rules, c->values, c->floors, c->unfit);
}

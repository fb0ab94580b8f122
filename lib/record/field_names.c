/* field_names: parses references to fields and finds the measure of a name. */
#include "record/field_private.h"

#include "base/char_class.h"
#include "base/mem.h"
#include "base/num_parse.h"
#include "base/units.h"

#include <stdlib.h>

static enum event_member standard_member(struct str name)
{
	size_t i;

	for (i = 0; i < EVENT_N; i++) {
		if (str_eq(name, str_of(event_member_name(i))))
			break;
	}
	return (enum event_member)i;
}

/* Returns whether an aggregate has the same unit as its field, like dur_sum and dur_p99. */
static bool keeps_unit(struct str aggregate)
{
	static const char *const list[] = {"sum", "mean", "min", "max", "std", "pstd", "first", "last", "median", NULL};

	return str_in(aggregate, list) || (aggregate.n > 1 && aggregate.p[0] == 'p' && is_digit(aggregate.p[1]));
}

void field_units_free(struct field_units *u)
{
	map_free(&u->times);
	map_free(&u->sizes);
}

static bool is_given(const struct map *names, struct str name)
{
	return map_find(names, name) != MAP_NONE;
}

enum field_base field_base(struct str name, const struct field_units *given)
{
	static const char *const times[] = {"ts", "dur", "end", "delay", "queue", "self", "span", "busy", "idle",
	    "overlap", "total", "dev_self", "dev_total", NULL};
	static const char *const sizes[] = {"bytes", NULL};
	struct str last;
	size_t at;

	for (at = name.n; at > 0 && name.p[at - 1] != '.'; at--)
		;
	last = str_from(name, at);
	if ((given && is_given(&given->times, name)) || str_in(last, times) || str_ends(last, STR("_ts")) ||
	    str_ends(last, STR("_dur")) || str_ends(last, STR("_time")) || str_ends(last, STR("_wait")) ||
	    str_ends(last, STR("_duration")) || str_ends(last, STR("_delay")))
		return FIELD_TIME;
	if ((given && is_given(&given->sizes, name)) || str_in(last, sizes))
		return FIELD_SIZE;
	for (at = name.n; at > 0 && name.p[at - 1] != '_'; at--)
		;
	return at > 1 && keeps_unit(str_from(name, at)) ? field_base(str_head(name, at - 1), given) : FIELD_PLAIN;
}

static bool refuse(struct fault *fault, const char *what, size_t at)
{
	*fault = (struct fault){.what = what, .at.byte = at};
	return false;
}

/* Parses the width after the '/' at `slash` into f->width, as an integer or as a fixed-point number. */
static bool compile_width(struct field *f, struct str spec, size_t slash, struct fault *fault)
{
	struct str text = str_from(spec, slash + 1);
	const struct unit *unit;
	int64_t whole = 0, fixed = 0;

	switch (units_parse(text, &whole, &unit)) {
	case NUM_BAD:
		return refuse(fault, "the width after '/' must be a number (units: ns us ms s B kB MB GB KiB MiB GiB)",
		    slash + 1);
	case NUM_RANGE:
		return refuse(fault, "the width after '/' is too large", slash + 1);
	default:
		break;
	}
	if (unit && f->base != FIELD_PLAIN && unit->size != (f->base == FIELD_SIZE))
		return refuse(fault,
		    unit->size ? "the field is a time, but the width after '/' is a size"
			       : "the field is a size, but the width after '/' is a time",
		    slash + 1);
	f->width = whole;
	if (!unit && num_fixed(text, FIELD_FRACTION, &fixed) == NUM_OK && fixed % FIELD_FRACTION_ONE) {
		f->width = fixed;
		f->fraction = true;
	}
	if (f->width <= 0)
		return refuse(fault, "the width after '/' must be greater than 0", slash + 1);
	return true;
}

/*
 * Returns the offset of the '/' of a bucket; spec.n when spec is not a bucket. Names may contain a '/' ("memory
 * bandwidth (GB/s)"): only the last '/' can begin a width, and only if the beginning of a number follows it.
 */
static size_t find_slash(struct str spec)
{
	size_t at = spec.n;
	char c;

	while (at > 0 && spec.p[at - 1] != '/')
		at--;
	if (at == 0)
		return spec.n;
	c = at < spec.n ? spec.p[at] : '0';
	return is_digit(c) || c == '-' || c == '+' || c == '.' ? at - 1 : spec.n;
}

static bool compile_steps(struct field *f, struct fault *fault)
{
	struct str rest = f->name, key;
	size_t cap = 0;

	while (str_split(&rest, '.', &key)) {
		bool each = str_ends(key, STR("[]"));
		size_t at = (size_t)(key.p - f->name.p);

		if (each)
			key.n -= 2;
		if (!key.n)
			return refuse(fault,
			    at || f->name.n < 2 ? "the name is empty" : "write the name without a leading dot", at);
		f->steps = mem_grow(f->steps, &cap, f->n_steps + 1, sizeof *f->steps);
		f->steps[f->n_steps++] = (struct field_step){key, each};
		f->each |= each;
	}
	return true;
}

bool field_compile(struct field *f, const char *spec, struct fault *fault)
{
	struct str text = str_of(spec);
	size_t slash = find_slash(text);

	*f = (struct field){.spec = spec, .name = str_head(text, slash)};
	f->member = standard_member(f->name);
	f->base = field_base(f->name, NULL);
	if (str_eq(f->name, STR("end")))
		f->computed = FIELD_END;
	else if (str_eq(f->name, STR("short")))
		f->computed = FIELD_SHORT;
	if (!f->name.n)
		return refuse(fault, "the name is empty", 0);
	if (compile_steps(f, fault) && (slash == text.n || compile_width(f, text, slash, fault)))
		return true;
	free(f->steps);
	f->steps = NULL;
	return false;
}

/* field_names: parses references to fields. */
#include "record/field_private.h"

#include "base/char_class.h"
#include "base/num_parse.h"
#include "base/units.h"

void field_units_free(struct field_units *u)
{
	map_free(&u->times);
	map_free(&u->sizes);
}

/* Returns whether a field of that name is a time or a size in the records of events(5). */
static enum field_base base_of(struct str name)
{
	static const char *const times[] = {"ts", "dur", "end", "api.ts", "api.dur", NULL};

	return str_in(name, times) ? FIELD_TIME : str_eq(name, STR("bytes")) ? FIELD_SIZE : FIELD_PLAIN;
}

/* Parses the width after the '/' at `slash` into f->width, as an integer or as a fixed-point number. */
static bool compile_width(struct field *f, struct str spec, size_t slash, struct fault *fault)
{
	struct str text = str_from(spec, slash + 1);
	const struct unit *unit;
	int64_t whole = 0, fixed = 0;

	switch (units_parse(text, &whole, &unit)) {
	case NUM_BAD:
		return fault_refuse(fault,
		    "the width after '/' must be a number (units: ns us ms s B kB MB GB KiB MiB GiB)", slash + 1);
	case NUM_RANGE:
		return fault_refuse(fault, "the width after '/' is too large", slash + 1);
	default:
		break;
	}
	if (unit && f->base != FIELD_PLAIN && unit->size != (f->base == FIELD_SIZE))
		return fault_refuse(fault,
		    unit->size ? "the field is a time, but the width after '/' is a size"
			       : "the field is a size, but the width after '/' is a time",
		    slash + 1);
	f->width = whole;
	if (!unit && num_fixed(text, FIELD_FRACTION, &fixed) == NUM_OK && fixed % FIELD_FRACTION_ONE) {
		f->width = fixed;
		f->fraction = true;
	}
	if (f->width <= 0)
		return fault_refuse(fault, "the width after '/' must be greater than 0", slash + 1);
	return true;
}

size_t field_find_slash(struct str spec)
{
	size_t at = spec.n;
	char c;

	while (at > 0 && spec.p[at - 1] != '/')
		at--;
	if (at == 0)
		return spec.n;
	c = at < spec.n ? spec.p[at] : '0';
	if (!is_digit(c) && c != '-' && c != '+' && c != '.')
		return spec.n;
	/* If a quote follows the '/', it closes a quoted part, and this part contains the '/'. */
	return memchr(spec.p + at, '"', spec.n - at) ? spec.n : at - 1;
}

/* Splits a name without quotes at its dots. */
static bool compile_steps(struct field *f, struct fault *fault)
{
	struct str rest = f->name, key;

	while (str_split(&rest, '.', &key)) {
		bool each = str_ends(key, STR("[]"));
		size_t at = (size_t)(key.p - f->name.p);

		if (each)
			key.n -= 2;
		if (!key.n)
			return fault_refuse(fault,
			    at || f->name.n < 2 ? "the name is empty" : "write the name without a leading dot", at);
		*field_add_step(f) = (struct field_step){key, each};
		f->each |= each;
	}
	return true;
}

static bool compile(struct field *f, struct str text, struct fault *fault)
{
	size_t slash = field_find_slash(text);

	f->asked = f->name = str_head(text, slash);
	f->quoted = field_has_quotes(f->asked);
	if (f->quoted && !field_compile_quoted(f, text, slash, fault))
		return false;
	if (!f->name.n)
		return fault_refuse(fault, "the name is empty", 0);
	if (!f->quoted && !compile_steps(f, fault))
		return false;
	f->base = base_of(f->name);
	f->member = f->n_steps == 1 ? event_member(f->name) : EVENT_N;
	if (!f->quoted && str_eq(f->name, STR("end")))
		f->computed = FIELD_END;
	else if (!f->quoted && str_eq(f->name, STR("short")))
		f->computed = FIELD_SHORT;
	return slash == text.n || compile_width(f, text, slash, fault);
}

bool field_compile(struct field *f, const char *spec, struct fault *fault)
{
	*f = (struct field){.spec = spec};
	if (compile(f, str_of(spec), fault))
		return true;
	field_free(f);
	return false;
}

#include "record/field.h"

#include "base/char_class.h"
#include "base/hash.h"
#include "base/int_math.h"
#include "base/mem.h"
#include "base/num_format.h"
#include "base/num_parse.h"
#include "base/units.h"
#include "json/check.h"
#include "json/iter.h"
#include "json/iter_inline.h"
#include "json/string.h"
#include "record/cxx_short_name.h"

#include <math.h>
#include <stdlib.h>

enum {
	/* number of decimals that are stored if the width of a bucket is not an integer */
	FRACTION = 9,
	FRACTION_ONE = 1000000000, /* 10^FRACTION */
	HINT_RECORDS = 64,         /* number of records whose names are collected for a hint */
};

struct field_step {
	struct str key;
	bool each; /* `key[]`: all elements, one after the other */
};

static inline struct field_step *add_step(struct field *f)
{
	f->steps = mem_grow(f->steps, &f->steps_cap, f->n_steps + 1, sizeof *f->steps);
	return &f->steps[f->n_steps++];
}

static inline bool has_steps(const struct field *f)
{
	return f->n_steps > 1 || f->each;
}

/*
 * The members that one pass over a record finds. `whole`: the member whose name is the whole name of the reference;
 * `first`: the member whose name is the first of several steps; `args`: the member args. For an absent member, p is
 * NULL.
 */
struct top_members {
	struct str whole, first, args;
};

/* --- references --- */

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
	if (!unit && num_fixed(text, FRACTION, &fixed) == NUM_OK && fixed % FRACTION_ONE) {
		f->width = fixed;
		f->fraction = true;
	}
	if (f->width <= 0)
		return fault_refuse(fault, "the width after '/' must be greater than 0", slash + 1);
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
	if (!is_digit(c) && c != '-' && c != '+' && c != '.')
		return spec.n;
	/* If a quote follows the '/', it closes a quoted part, and this part contains the '/'. */
	return memchr(spec.p + at, '"', spec.n - at) ? spec.n : at - 1;
}

size_t field_quoted(struct str text)
{
	size_t at;

	if (!text.n || text.p[0] != '"')
		return 0;
	for (at = 1; at < text.n; at++) {
		if (text.p[at] == '"')
			return at + 1;
		at += text.p[at] == '\\';
	}
	return 0;
}

size_t field_span(struct str text, const char *ends)
{
	bool begins = true;
	size_t at = 0, quoted;

	while (at < text.n && !memchr(ends, text.p[at], strlen(ends))) {
		quoted = begins ? field_quoted(str_from(text, at)) : 0;
		begins = memchr(".:! \t", text.p[at], 5) != NULL;
		at += quoted ? quoted : 1;
	}
	return at;
}

/* Returns whether a part of the reference begins with a quote. */
static bool has_quotes(struct str text)
{
	struct str rest = text, part;

	while (str_split(&rest, '.', &part)) {
		if (part.n && part.p[0] == '"')
			return true;
	}
	return false;
}

/* Appends the decoded text of the quoted part text[at..at + n). */
static bool add_decoded(struct buf *b, struct str text, size_t at, size_t n, struct fault *fault)
{
	struct str part = {text.p + at, n};
	if (!n)
		return fault_refuse(fault, "the closing quote is missing", at);
	if (n == 2)
		return fault_refuse(fault, "the name is empty", at);
	if (!json_check(part, NULL))
		return fault_refuse(
		    fault, "a quoted name must be a JSON string; write \\\" for \" and \\\\ for \\", at);
	json_unescape(b, json_inner(part));
	return true;
}

/*
 * Reads the part at *at and the dot after it, adds its step to f, and appends its text to b. The caller sets the
 * pointer of the step's key when b is complete, because b may move until then.
 */
static bool add_part(struct field *f, struct buf *b, struct str text, size_t *at, struct fault *fault)
{
	const struct str rest = str_from(text, *at);
	const bool quoted = rest.p[0] == '"';
	const size_t first = b->n, n = quoted ? field_quoted(rest) : str_find(rest, STR("."));
	const bool each = quoted ? str_starts(str_from(rest, n), STR("[]")) : str_ends(str_head(rest, n), STR("[]"));
	const size_t brackets = each ? 2 : 0;

	if (quoted && !add_decoded(b, text, *at, n, fault))
		return false;
	if (!quoted)
		buf_add(b, rest.p, n - brackets);
	if (b->n == first)
		return fault_refuse(fault, "the name is empty", *at);
	*add_step(f) = (struct field_step){{NULL, b->n - first}, each};
	f->each |= each;
	if (each)
		buf_lit(b, "[]");
	*at += quoted ? n + brackets : n;
	if (*at == text.n)
		return true;
	if (text.p[*at] != '.')
		return fault_refuse(fault, "expected '.' or the end of the field after the closing quote", *at);
	if (++*at == text.n)
		return fault_refuse(fault, "the name is empty", *at);
	buf_char(b, '.');
	return true;
}

/*
 * Sets spec, name and steps from a reference with quotes; its /WIDTH, if any, begins at text[slash]. Returns false and
 * sets *fault when the reference is invalid.
 */
static bool compile_quoted(struct field *f, struct str text, size_t slash, struct fault *fault)
{
	struct str reference = str_head(text, slash);
	struct buf b = {0};
	size_t at, i;

	for (at = 0; at < reference.n;) {
		if (!add_part(f, &b, reference, &at, fault)) {
			buf_free(&b);
			return false;
		}
	}
	f->name.n = b.n;
	buf_add(&b, text.p + slash, text.n - slash);
	buf_char(&b, '\0');
	f->spec = f->name.p = f->plain = b.p;
	for (at = 0, i = 0; i < f->n_steps; i++) {
		f->steps[i].key.p = b.p + at;
		at += f->steps[i].key.n + (f->steps[i].each ? 2 : 0) + 1;
	}
	return true;
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
		*add_step(f) = (struct field_step){key, each};
		f->each |= each;
	}
	return true;
}

static bool compile(struct field *f, struct str text, struct fault *fault)
{
	size_t slash = find_slash(text);

	f->asked = f->name = str_head(text, slash);
	f->quoted = has_quotes(f->asked);
	if (f->quoted && !compile_quoted(f, text, slash, fault))
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

/* --- quoting --- */

static void add_quoted(struct buf *b, struct str name, bool needed)
{
	if (needed || !name.n || memchr(name.p, '\0', name.n) || has_quotes(name) || str_ends(name, STR("[]")) ||
	    find_slash(name) < name.n)
		json_quote(b, name);
	else
		buf_add(b, name.p, name.n);
}

void field_quote(struct buf *b, struct str name)
{
	add_quoted(b, name,
	    str_starts(name, STR(".")) || str_ends(name, STR(".")) || str_find(name, STR("..")) < name.n ||
		str_find(name, STR("[].")) < name.n);
}

void field_quote_part(struct buf *b, struct str name)
{
	add_quoted(b, name, str_find(name, STR(".")) < name.n);
}

/* --- names for hints --- */

enum { NEAR_NAMES = 4096 };

/*
 * Adds the reference in f->text to f->near. If it is the reference that the user wrote, the member is not missing:
 * nothing is added, and f->null is set if the value is null.
 */
static void collect_name(struct field *f, struct str value)
{
	const struct str reference = {f->text.p, f->text.n};

	if (str_eq(reference, f->asked) || str_eq(reference, f->name))
		f->null |= value.p[0] == 'n';
	else
		map_put(&f->near, reference);
}

/*
 * Adds the members of an object. f->text[0..above) is the reference to the object, followed by a dot; it is empty for
 * the record and its args, whose depth is 0.
 */
static void collect_from(struct field *f, struct str object, size_t above, size_t depth)
{
	struct str key, value;
	struct iter w;

	if (!object.n || object.p[0] != '{')
		return;
	iter_init(&w, object);
	while (iter_next(&w, &key, &value) > 0 && f->near.n < NEAR_NAMES) {
		f->scratch.n = 0;
		f->text.n = above;
		json_unescape(&f->scratch, key);
		(above ? field_quote_part : field_quote)(&f->text, buf_str(&f->scratch));
		collect_name(f, value);
		buf_char(&f->text, '.');
		if (depth + 1 < f->n_steps)
			collect_from(f, value, f->text.n, depth + 1);
	}
}

/* Adds the names of the record's members to f->near, for filter_hint_field(). */
static void collect_names(struct field *f, struct event *e)
{
	collect_from(f, e->raw, 0, 0);
	collect_from(f, iter_find(e->raw, STR("args")), 0, 0);
}

/* --- finding members --- */

/* Returns whether a key, which may contain escapes, is `name`. A key with escapes is longer than its decoded name. */
static bool key_is(struct field *f, struct str key, struct str name)
{
	if (key.n == name.n)
		return memcmp(key.p, name.p, key.n) == 0;
	if (key.n < name.n || !memchr(key.p, '\\', key.n))
		return false;
	f->scratch.n = 0;
	json_unescape(&f->scratch, key);
	return str_eq(buf_str(&f->scratch), name);
}

/*
 * Returns the text of a member, the last one if it occurs several times; p is NULL when `object` does not have it or
 * is not an object.
 */
static struct str find_member(struct field *f, struct event *e, struct str object, struct str name)
{
	struct str found = {NULL, 0}, key, value;
	struct iter w;
	int r;

	if (!object.n || object.p[0] != '{')
		return found;
	iter_init(&w, object);
	while ((r = iter_next(&w, &key, &value)) > 0) {
		if (key_is(f, key, name))
			found = value;
	}
	event_broken_if(e, r < 0);
	return found;
}

/* Returns whether a key of the text, at any depth, can be `key`; returns true for text that may contain escapes. */
static bool may_have(const struct event *e, struct str text, struct str key)
{
	return text.n && (!e->prefix || key.n < 3 || iter_may_find(text, key.p));
}

static inline void match_top(struct field *f, struct str key, struct str value, struct top_members *top)
{
	if (key_is(f, key, f->name))
		top->whole = value;
	if (has_steps(f) && key_is(f, key, f->steps[0].key))
		top->first = value;
	if (str_eq(key, STR("args")))
		top->args = value;
}

static void find_top(struct field *f, struct event *e, struct top_members *top)
{
	const struct event_listed *m = e->list, *end = m + e->n_listed;
	struct str key, value;
	struct iter w;
	size_t n = 0;
	int r;

	*top = (struct top_members){{NULL, 0}, {NULL, 0}, {NULL, 0}};
	for (; m < end; m++)
		match_top(f, m->key, m->value, top);
	if (e->n_listed)
		return;
	event_iter_init(&w, e);
	while ((r = iter_quick(&w, &key, &value)) > 0) {
		match_top(f, key, value, top);
		event_list_add(e, n++, key, value);
	}
	event_list_end(e, n);
	event_broken_if(e, r < 0);
}

/* Adds a value to f->all, unless it is null: null means that the value is unknown, and is treated as absent. */
static void add_value(struct field *f, struct str value)
{
	if (value.p[0] == 'n')
		return;
	f->all = mem_grow(f->all, &f->cap_all, f->n_all + 1, sizeof *f->all);
	f->all[f->n_all++] = value;
}

static void follow(struct field *f, struct event *e, struct str at, size_t step);

static void descend(struct field *f, struct event *e, struct str at, size_t step)
{
	if (step + 1 == f->n_steps)
		add_value(f, at);
	else
		follow(f, e, find_member(f, e, at, f->steps[step + 1].key), step + 1);
}

/*
 * Adds the values that the rest of the reference finds. `at` is the value found by the key of `step`; the `[]` of this
 * step, if any, and all later steps have not been followed yet.
 */
static void follow(struct field *f, struct event *e, struct str at, size_t step)
{
	struct str key, value;
	struct iter w;
	int r;

	if (!at.p)
		return;
	if (!f->steps[step].each) {
		descend(f, e, at, step);
		return;
	}
	if (at.p[0] != '[')
		return;
	iter_init(&w, at);
	while ((r = iter_next(&w, &key, &value)) > 0)
		descend(f, e, value, step);
	event_broken_if(e, r < 0);
}

static void find_whole(struct field *f, struct event *e, const struct top_members *top)
{
	struct str whole = top->whole;

	/* A null member counts as absent. */
	if ((!whole.p || whole.p[0] == 'n') && may_have(e, top->args, f->name))
		whole = find_member(f, e, top->args, f->name);
	if (whole.p)
		add_value(f, whole);
}

static void find_steps(struct field *f, struct event *e, const struct top_members *top)
{
	follow(f, e, top->first, 0);
	if (!f->n_all && may_have(e, top->args, f->steps[0].key))
		follow(f, e, find_member(f, e, top->args, f->steps[0].key), 0);
}

/* Adds all values that the reference finds in a record to f->all. */
static void find_all(struct field *f, struct event *e)
{
	struct top_members top;
	struct str whole;
	size_t i;

	if (f->member != EVENT_N) {
		whole = event_get(e, f->member);
		if (!event_walked(e))
			return; /* neither the record nor args has such a member */
		if (!whole.p && (f->member == EVENT_TS || f->member == EVENT_DUR))
			whole = e->m[f->member]; /* not an integer: not valid as a time, but still a value */
		if (!whole.p)
			whole = find_member(f, e, event_get(e, EVENT_ARGS), f->name);
		if (whole.p) {
			add_value(f, whole);
			event_check(e, whole);
		}
		return;
	}
	if (!may_have(e, str_from(e->raw, e->prefix), f->steps[0].key))
		return; /* neither the name nor its first step can be a key */
	find_top(f, e, &top);
	if (f->quoted && has_steps(f))
		find_steps(f, e, &top);
	if (!f->n_all)
		find_whole(f, e, &top);
	if (!f->n_all && !f->quoted && has_steps(f))
		find_steps(f, e, &top);
	for (i = 0; i < f->n_all; i++)
		event_check(e, f->all[i]);
}

/* --- computed values --- */

static bool get_end(struct field *f, struct event *e, struct value *v)
{
	int64_t end;

	if (!event_get(e, EVENT_TS).p || !event_get(e, EVENT_DUR).p ||
	    __builtin_add_overflow(e->ts, event_duration(e), &end))
		return false;
	f->text.n = 0;
	f->text.n = (size_t)(num_put_i64(buf_room(&f->text, NUM_ROOM), end) - f->text.p);
	value_of_int(v, end, buf_str(&f->text));
	return true;
}

/* Returns the short form of a name; `name` itself when it is already short. Both are JSON strings. */
static struct str short_of(struct field *f, struct str name)
{
	struct str inner = json_inner(name), result;
	bool escaped = memchr(inner.p, '\\', inner.n);

	f->text.n = 0;
	if (escaped) {
		json_unescape(&f->text, inner);
		inner = buf_str(&f->text);
	}
	result = cxx_short_name(inner, &f->scratch);
	if (result.p == inner.p && result.n == inner.n)
		return name;
	/* A result that differs from the name is in f->scratch, so f->text can be overwritten. */
	f->text.n = 0;
	if (escaped) {
		json_quote(&f->text, result);
	} else {
		buf_char(&f->text, '"');
		buf_add(&f->text, result.p, result.n);
		buf_char(&f->text, '"');
	}
	return buf_str(&f->text);
}

/*
 * A trace has few names and millions of records: each slot stores the last name that hashed to it, with its short
 * form. Memory is limited by the number of slots and the length of stored names.
 */
enum { SLOTS = 512, KEPT = 4096 };

struct field_short_form {
	struct buf name, text; /* text is empty when the name is already short */
};

static bool get_short(struct field *f, struct event *e, struct value *v)
{
	struct str name = event_get(e, EVENT_NAME), text;
	struct field_short_form *kept;

	if (!name.p || name.p[0] != '"')
		return false;
	*v = (struct value){.type = VALUE_STRING, .text = name};
	if (name.n > KEPT) {
		v->text = short_of(f, name);
		return true;
	}
	if (!memchr(name.p, '(', name.n) && !memchr(name.p, '<', name.n) && !memchr(name.p, '\\', name.n))
		return true;
	if (!f->short_forms)
		f->short_forms = mem_zero(SLOTS, sizeof *f->short_forms);
	kept = &f->short_forms[hash_str(name) % SLOTS];
	if (!str_eq(name, buf_str(&kept->name))) {
		text = short_of(f, name);
		kept->name.n = kept->text.n = 0;
		buf_add(&kept->name, name.p, name.n);
		if (text.p != name.p)
			buf_add(&kept->text, text.p, text.n);
	}
	if (kept->text.n)
		v->text = buf_str(&kept->text);
	return true;
}

/* Frees the short forms of names that get_computed() stored. */
static void free_short_forms(struct field *f)
{
	size_t i;

	for (i = 0; f->short_forms && i < SLOTS; i++) {
		buf_free(&f->short_forms[i].name);
		buf_free(&f->short_forms[i].text);
	}
	free(f->short_forms);
}

/*
 * Gets the value of `end` or `short`: from a member of that name at the top level; if the record has no such member,
 * computes it; if that is impossible, takes it from a member of args. Returns false when no value is found.
 */
static bool get_computed(struct field *f, struct event *e, struct value *v)
{
	struct top_members top;

	find_top(f, e, &top);
	if (top.whole.p && top.whole.p[0] != 'n') {
		value_of(v, top.whole);
		event_check(e, v->text);
		return true;
	}
	if (f->computed == FIELD_END ? get_end(f, e, v) : get_short(f, e, v))
		return true;
	value_of(v, find_member(f, e, top.args, f->name));
	event_check(e, v->text);
	return v->type != VALUE_NONE;
}

/* --- buckets --- */

static int128 floor_to(int128 v, int128 width)
{
	int128 rest = v % width;

	return v - rest - (rest < 0 ? width : 0);
}

/* Writes a fixed-point number with nine decimals as text, without trailing zeros. */
static char *put_fixed(char *p, int128 v)
{
	int64_t rest = (int64_t)(v % FRACTION_ONE), unit = FRACTION_ONE / 10;

	if (v < 0) {
		*p++ = '-';
		v = -v;
		rest = -rest;
	}
	p = num_put_i128(p, v / FRACTION_ONE);
	if (rest)
		*p++ = '.';
	for (; rest; rest %= unit, unit /= 10)
		*p++ = (char)('0' + rest / unit);
	return p;
}

/*
 * Replaces a number by the lower edge of its bucket. Returns false when v is not a number or the edge is outside int64.
 */
static bool to_bucket(struct field *f, struct value *v)
{
	int128 edge;
	int64_t fixed;
	char *end;

	f->text.n = 0;
	end = buf_room(&f->text, NUM_ROOM);
	if (v->type == VALUE_INT && !f->fraction) {
		int64_t rest = v->i % f->width, low;

		if (__builtin_sub_overflow(v->i, rest < 0 ? rest + f->width : rest, &low))
			return false;
		value_of_int(v, low, (struct str){f->text.p, (size_t)(num_put_i64(end, low) - f->text.p)});
		return true;
	}
	if (v->type == VALUE_INT)
		edge = (int128)v->i * FRACTION_ONE;
	else if (v->type != VALUE_REAL)
		return false;
	else if (!f->fraction && fabs(v->d) < 9e18)
		edge = (int128)floor(v->d);
	else if (f->fraction && num_fixed(v->text, FRACTION, &fixed) == NUM_OK)
		edge = fixed;
	else
		return false;
	edge = floor_to(edge, f->width);
	if (edge < INT64_MIN || (!f->fraction && edge > INT64_MAX))
		return false;
	end = f->fraction ? put_fixed(end, edge) : num_put_i64(end, (int64_t)edge);
	value_of(v, (struct str){f->text.p, (size_t)(end - f->text.p)});
	return true;
}

/* --- values --- */

void field_free(struct field *f)
{
	free_short_forms(f);
	free(f->steps);
	free(f->plain);
	free(f->all);
	map_free(&f->near);
	buf_free(&f->text);
	buf_free(&f->scratch);
	*f = (struct field){0};
}

/*
 * Handles a record without the field. If it is one of the first records, collects the names of its members for a hint.
 */
static bool absent(struct field *f, struct event *e, struct value *v)
{
	*v = (struct value){.type = VALUE_NONE};
	if (!f->found && f->records <= HINT_RECORDS)
		collect_names(f, e);
	return false;
}

static bool get_first(struct field *f, struct event *e, struct value *v)
{
	/* Members of the canonical prefix need no walk. */
	if (f->member == EVENT_TS && event_has(e, EVENT_TS)) {
		value_of_int(v, e->ts, e->m[EVENT_TS]);
		return true;
	}
	if (f->member == EVENT_DUR && event_has(e, EVENT_DUR)) {
		value_of_int(v, e->dur, e->m[EVENT_DUR]);
		return true;
	}
	if (f->member < EVENT_N && event_has(e, f->member)) {
		value_of(v, e->m[f->member]);
		return true;
	}
	if (f->computed && f->ahead == e->raw.p)
		*v = f->computed_ahead;
	else if (f->computed)
		get_computed(f, e, v);
	if (f->computed)
		return v->type != VALUE_NONE;
	if (f->ahead != e->raw.p)
		find_all(f, e);
	if (!f->n_all)
		return false;
	value_of(v, f->all[0]);
	return true;
}

/* Removes all values that are not numbers from a bucket's list, because field_get() would stop at the first of them. */
static void keep_edges(struct field *f)
{
	size_t n = 0, i;
	struct value v;

	for (i = 0; i < f->n_all; i++) {
		value_of(&v, f->all[i]);
		if (to_bucket(f, &v))
			f->all[n++] = f->all[i];
	}
	f->n_all = n;
}

/*
 * When groupby groups by a bucket such as ts/10ms, its output has no member ts, but a member named "ts/10ms", whose
 * value is already the edge of a bucket.
 */
static bool get_edge(struct field *f, struct event *e, struct value *v)
{
	struct str spec = str_of(f->spec), edge;

	if (!iter_may_find(e->raw, spec.p) && !memchr(e->raw.p, '\\', e->raw.n))
		return false;
	edge = find_member(f, e, e->raw, spec);
	event_check(e, edge);
	value_of(v, edge.p && edge.p[0] == 'n' ? (struct str){NULL, 0} : edge);
	return v->type != VALUE_NONE;
}

static bool get(struct field *f, struct event *e, size_t i, struct value *v)
{
	bool there;

	if (i == 0) {
		f->records++;
		if (f->ahead != e->raw.p)
			f->n_all = 0;
		there = get_first(f, e, v);
		f->ahead = NULL;
		if (!there) {
			if (!f->width || !get_edge(f, e, v))
				return absent(f, e, v);
			f->found++;
			return true;
		}
		f->found++;
		if (f->width && f->each && f->n_all) {
			keep_edges(f);
			value_of(v, f->n_all ? f->all[0] : STR("null"));
		}
	} else {
		if (i >= f->n_all) {
			*v = (struct value){.type = VALUE_NONE};
			return false;
		}
		value_of(v, f->all[i]);
	}
	if (f->width && !to_bucket(f, v)) {
		*v = (struct value){.type = VALUE_NONE};
		return false;
	}
	return true;
}

bool field_get(struct field *f, struct event *e, size_t i, struct value *v)
{
	bool there = get(f, e, i, v);

	f->numbers += v->type == VALUE_INT || v->type == VALUE_REAL;
	return there;
}

void field_look_ahead(struct field *f, struct event *e)
{
	struct value edge;
	bool there;

	f->n_all = 0;
	if (f->computed) {
		there = get_computed(f, e, &f->computed_ahead);
	} else {
		find_all(f, e);
		there = f->n_all > 0;
	}
	if (!there && f->width)
		get_edge(f, e, &edge);
	f->ahead = e->raw.p;
}

#include "record/field.h"

#include "base/hash.h"
#include "base/num_format.h"
#include "base/units.h"
#include "json/check.h"
#include "json/iter_inline.h"
#include "json/string.h"
#include "record/cxx_short_name.h"

#include <math.h>

enum {
	/* number of decimals that are stored if the width of a bucket is not an integer */
	FRACTION = 9,
	FRACTION_ONE = 1000000000, /* 10^FRACTION */
	HINT_RECORDS = 64,         /* number of records whose names are collected for a hint */
	SEARCHED = 3,              /* bytes of a name for which a text is searched */
};

struct field_step {
	struct str key;
	bool each; /* `key[]`: all elements, one after the other */
};

static inline bool has_steps(const struct field *f)
{
	return f->n_steps > 1 || f->each;
}

/* --- references --- */

void field_units_free(struct field_units *u)
{
	maps_free(&u->times, &u->sizes);
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

/* Reads the part at *at and the dot after it, and adds its step to f and its text to f->plain. */
static bool add_part(struct field *f, struct str text, size_t *at, struct fault *fault)
{
	const struct str rest = str_from(text, *at);
	const bool quoted = rest.p[0] == '"';
	const size_t first = f->plain.n, n = quoted ? field_quoted(rest) : str_find(rest, STR("."));
	const bool each = quoted ? str_starts(str_from(rest, n), STR("[]")) : str_ends(str_head(rest, n), STR("[]"));
	const size_t brackets = each ? 2 : 0;

	if (quoted && !n)
		return fault_refuse(fault, "the closing quote is missing", *at);
	if (quoted && n > 2 && !json_check(str_head(rest, n), NULL))
		return fault_refuse(
		    fault, "a quoted name must be a JSON string; write \\\" for \" and \\\\ for \\", *at);
	if (quoted)
		json_unescape(&f->plain, json_inner(str_head(rest, n)));
	else
		buf_add(&f->plain, rest.p, n - brackets);
	if (f->plain.n == first)
		return fault_refuse(fault,
		    *at || f->quoted || text.n < 2 ? "the name is empty" : "write the name without a leading dot", *at);
	f->steps = mem_grow(f->steps, &f->steps_cap, f->n_steps + 1, sizeof *f->steps);
	f->steps[f->n_steps++] = (struct field_step){str_from(buf_str(&f->plain), first), each};
	f->each |= each;
	if (each)
		buf_lit(&f->plain, "[]");
	*at += quoted ? n + brackets : n;
	if (*at == text.n)
		return true;
	if (text.p[*at] != '.')
		return fault_refuse(fault, "expected '.' or the end of the field after the closing quote", *at);
	if (++*at == text.n)
		return fault_refuse(fault, "the name is empty", *at);
	buf_char(&f->plain, '.');
	return true;
}

static bool compile(struct field *f, struct str text, struct fault *fault)
{
	static const char *const times[] = {"ts", "dur", "end", "api.ts", "api.dur", NULL};
	const size_t slash = find_slash(text);
	size_t at = 0;

	/* With this room, f->plain does not move: a decoded text is never longer. */
	buf_room(&f->plain, 2 * text.n + 3);
	f->quoted = has_quotes(str_head(text, slash));
	while (at < slash) {
		if (!add_part(f, str_head(text, slash), &at, fault))
			return false;
	}
	f->name = buf_str(&f->plain);
	if (!f->name.n)
		return fault_refuse(fault, "the name is empty", 0);
	f->spec = f->plain.p;
	buf_add(&f->plain, text.p + slash, text.n - slash);
	buf_char(&f->plain, '\0');
	f->asked = (struct str){f->plain.p + f->plain.n, slash};
	buf_add(&f->plain, text.p, slash);
	f->base = str_in(f->name, times) ? FIELD_TIME : str_eq(f->name, STR("bytes")) ? FIELD_SIZE : FIELD_PLAIN;
	f->member = f->n_steps == 1 ? event_member(f->name) : EVENT_N;
	if (!f->quoted && str_eq(f->name, STR("end")))
		f->computed = FIELD_END;
	else if (!f->quoted && str_eq(f->name, STR("short")))
		f->computed = FIELD_SHORT;
	if (!f->each && f->member == EVENT_N &&
	    (f->n_steps == 1 || (f->n_steps == 2 && str_eq(f->steps[0].key, STR("args")))))
		f->of_args = f->steps[f->n_steps - 1].key;
	if (f->of_args.n < SEARCHED)
		f->of_args.n = 0;
	return slash == text.n || compile_width(f, text, slash, fault);
}

bool field_compile(struct field *f, struct str text, struct fault *fault)
{
	*f = (struct field){0};
	if (compile(f, text, fault))
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
 * Adds references to the members of an object to f->near, for filter_hint_field(). If one is the reference that the
 * user wrote, the member is not missing: it is not added, and f->null is set if the value is null. f->text[0..above) is
 * the reference to the object, followed by a dot; it is empty for the record and its args, whose depth is 0.
 */
static void collect_names(struct field *f, struct str object, size_t above, size_t depth)
{
	struct str key, value, reference;
	struct iter w;

	if (!object.n || object.p[0] != '{')
		return;
	iter_init(&w, object);
	while (iter_next(&w, &key, &value) > 0 && f->near.n < NEAR_NAMES) {
		f->text.n = above;
		(above ? field_quote_part : field_quote)(&f->text, json_decoded(&f->scratch, key));
		reference = buf_str(&f->text);
		if (str_eq(reference, f->asked) || str_eq(reference, f->name))
			f->null |= value.p[0] == 'n';
		else
			map_put(&f->near, reference);
		buf_char(&f->text, '.');
		if (depth + 1 < f->n_steps)
			collect_names(f, value, f->text.n, depth + 1);
	}
}

/* --- finding members --- */

/* Returns whether a key, which may contain escapes, is `name`. A key with escapes is longer than its decoded name. */
static inline bool key_is(struct field *f, struct str key, struct str name)
{
	return key.n == name.n ? memcmp(key.p, name.p, key.n) == 0
			       : key.n > name.n && str_eq(json_decoded(&f->scratch, key), name);
}

/* Returns whether `name` is searched as text: keys of a canonical line have no escapes. */
static inline bool is_searched(const struct event *e, struct str name)
{
	return e->prefix && name.n >= SEARCHED;
}

/* Returns the place after the next `name` that a quote follows, from p on; NULL after the last one. */
static const char *find_end(struct str text, const char *p, struct str name)
{
	const char *last = name.p + name.n - SEARCHED, *end = text.p + text.n;
	const char four[] = {last[0], last[1], last[2], '"'};
	size_t at;

	while ((at = scan_find((struct str){p, (size_t)(end - p)}, four)) < (size_t)(end - p)) {
		p += at + SEARCHED;
		if ((size_t)(p - text.p) > name.n && memcmp(p - name.n, name.p, name.n) == 0)
			return p;
	}
	return NULL;
}

/*
 * Searches the text of an object for a key, which is much faster than to read all members before it, as these may be
 * long lists. Sets *value to the value of the last member with this name, with p == NULL without such a member. Returns
 * false if that is not certain: `name` is the text of a string that is not a key, another object begins before the
 * member, or, with `dots`, `name` is the end of a longer name after a dot.
 */
static bool find_text(struct str object, struct str name, bool dots, struct str *value)
{
	const char *p = object.p, *end = object.p + object.n, *key;
	struct iter w;

	*value = (struct str){NULL, 0};
	while ((p = find_end(object, p, name))) {
		key = p - name.n;
		if (key[-1] == '.' && dots)
			return false;
		if (key[-1] != '"')
			continue;
		w = (struct iter){p + 2, end, '}', false};
		if (end - p < 3 || p[1] != ':' || (key[-2] != ',' && key[-2] != '{') ||
		    memchr(object.p + 1, '{', (size_t)(key - 2 - object.p)) ||
		    !(iter_short(&w, w.p, value) || iter_value(&w, value)))
			return false;
	}
	return true;
}

/* Returns the text of a member, the last one if it occurs several times; p is NULL if it is absent. */
static struct str find_member(struct field *f, struct event *e, struct str object, struct str name)
{
	struct str found = {NULL, 0}, key, value;
	struct iter w;
	int r;

	if (!object.n || object.p[0] != '{' || (is_searched(e, name) && find_text(object, name, false, &found)))
		return found;
	found.p = NULL;
	iter_init(&w, object);
	while ((r = iter_quick(&w, &key, &value)) > 0) {
		if (key_is(f, key, name))
			found = value;
	}
	event_broken_if(e, r < 0);
	return found;
}

/* The same as find_member() for the record: makes or uses its list of members. */
static struct str find_top(struct field *f, struct event *e, struct str name)
{
	const struct event_listed *m = e->list, *end = m + e->n_listed;
	struct str found = {NULL, 0}, key, value;
	struct iter w;
	size_t n = 0;
	int r;

	for (; m < end; m++) {
		if (key_is(f, m->key, name))
			found = m->value;
	}
	if (e->n_listed)
		return found;
	event_iter_init(&w, e);
	while ((r = iter_quick(&w, &key, &value)) > 0) {
		if (key_is(f, key, name))
			found = value;
		event_list_add(e, n++, EVENT_N, key, value);
	}
	event_list_end(e, n);
	event_broken_if(e, r < 0);
	return found;
}

/* Returns the text of a member of args. */
static struct str find_in_args(struct field *f, struct event *e, struct str name)
{
	return find_member(f, e, event_walked(e) ? event_get(e, EVENT_ARGS) : find_top(f, e, STR("args")), name);
}

/* Adds a value to f->all, unless it is absent or null: null means that the value is unknown. */
static void add_value(struct field *f, struct str value)
{
	if (!value.p || value.p[0] == 'n')
		return;
	if (f->n_all == f->cap_all)
		f->all = mem_grow(f->all, &f->cap_all, f->n_all + 1, sizeof *f->all);
	f->all[f->n_all++] = value;
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

	for (; at.p && !f->steps[step].each; at = find_member(f, e, at, f->steps[++step].key)) {
		if (step + 1 == f->n_steps) {
			add_value(f, at);
			return;
		}
	}
	if (!at.p || at.p[0] != '[')
		return;
	iter_init(&w, at);
	while ((r = iter_next(&w, &key, &value)) > 0) {
		if (step + 1 == f->n_steps)
			add_value(f, value);
		else
			follow(f, e, find_member(f, e, value, f->steps[step + 1].key), step + 1);
	}
	event_broken_if(e, r < 0);
}

static void find_steps(struct field *f, struct event *e)
{
	follow(f, e, find_top(f, e, f->steps[0].key), 0);
	if (!f->n_all)
		follow(f, e, find_in_args(f, e, f->steps[0].key), 0);
}

/*
 * The usual case, with little code: the record has only standard members, so that the reference names a member of args.
 * Returns false if the values must be searched in another way.
 */
static bool find_in_plain(struct field *f, struct event *e)
{
	const struct str args = e->m[EVENT_ARGS];
	struct str value;

	if (e->reading != EVENT_PLAIN || !e->prefix || !f->of_args.n)
		return false;
	if (!event_has(e, EVENT_ARGS))
		return true;
	if (args.p[0] != '{' || !find_text(args, f->of_args, f->n_steps > 1, &value))
		return false;
	add_value(f, value);
	return true;
}

/* Finds the values of a reference that is not a standard member. */
static void find_by_name(struct field *f, struct event *e)
{
	if (find_in_plain(f, e))
		return;
	if (!e->n_listed && is_searched(e, f->steps[0].key) &&
	    !iter_may_find(str_from(e->raw, e->prefix), f->steps[0].key.p))
		return; /* neither the name nor its first step can be a key; a list of members is searched as quickly */
	if (f->quoted && has_steps(f))
		find_steps(f, e);
	if (!f->n_all)
		add_value(f, find_top(f, e, f->name));
	if (!f->n_all)
		add_value(f, find_in_args(f, e, f->name));
	if (!f->n_all && !f->quoted && has_steps(f))
		find_steps(f, e);
}

static struct str find_standard(struct field *f, struct event *e)
{
	struct str text = event_get(e, f->member);

	if (!event_walked(e))
		return text; /* absent: neither the record nor args has such a member */
	if (!text.p && (f->member == EVENT_TS || f->member == EVENT_DUR))
		text = e->m[f->member]; /* not an integer: not valid as a time, but still a value */
	return text.p ? text : find_member(f, e, event_get(e, EVENT_ARGS), f->name);
}

/* --- computed values --- */

static struct str end_of(struct field *f, struct event *e)
{
	int64_t end;

	if (!event_get(e, EVENT_TS).p || !event_get(e, EVENT_DUR).p ||
	    __builtin_add_overflow(e->ts, event_duration(e), &end))
		return (struct str){NULL, 0};
	f->text.n = 0;
	return num_str_i64(buf_room(&f->text, NUM_ROOM), end);
}

/* Returns the short form of a name; `name` itself when it is already short. Both are JSON strings. */
static struct str shorten(struct field *f, struct str name)
{
	const struct str inner = json_decoded(&f->text, json_inner(name)), result = cxx_short_name(inner, &f->scratch);

	if (result.p == inner.p && result.n == inner.n)
		return name;
	/* A result that differs from the name is in f->scratch, so f->text can be overwritten. */
	return json_quoted(&f->text, result);
}

/*
 * A trace has few names and millions of records: each slot stores the last name that hashed to it, with its short
 * form. Memory is limited by the number of slots and the length of stored names.
 */
enum { SLOTS = 512, KEPT = 4096 };

struct field_short_form {
	struct buf name, text; /* text is empty when the name is already short */
};

static struct str short_of(struct field *f, struct event *e)
{
	struct str name = event_get(e, EVENT_NAME), text;
	struct field_short_form *kept;

	if (!name.p || name.p[0] != '"')
		return (struct str){NULL, 0};
	if (name.n > KEPT)
		return shorten(f, name);
	if (!memchr(name.p, '(', name.n) && !memchr(name.p, '<', name.n) && !memchr(name.p, '\\', name.n))
		return name;
	if (!f->short_forms)
		f->short_forms = mem_zero(SLOTS, sizeof *f->short_forms);
	kept = &f->short_forms[hash_str(name) % SLOTS];
	if (!str_eq(name, buf_str(&kept->name))) {
		text = shorten(f, name);
		kept->name.n = kept->text.n = 0;
		buf_add(&kept->name, name.p, name.n);
		if (text.p != name.p)
			buf_add(&kept->text, text.p, text.n);
	}
	return kept->text.n ? buf_str(&kept->text) : name;
}

/*
 * Returns the value of `end` or `short`: of a member of that name at the top level; if the record has no such member,
 * the computed value; if that is impossible, the value of a member of args.
 */
static struct str find_computed(struct field *f, struct event *e)
{
	struct str text = find_top(f, e, f->name);

	if (!text.p || text.p[0] == 'n')
		text = f->computed == FIELD_END ? end_of(f, e) : short_of(f, e);
	return text.p ? text : find_member(f, e, find_top(f, e, STR("args")), f->name);
}

/* --- buckets --- */

/* Replaces a number by the lower edge of its bucket; returns false for other values and edges outside int64. */
static bool to_bucket(struct field *f, struct value *v)
{
	char *end, digits[NUM_ROOM];
	int64_t fixed;
	int128 edge;

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
	edge -= edge % f->width + (edge % f->width < 0 ? f->width : 0);
	if (edge < INT64_MIN || (!f->fraction && edge > INT64_MAX))
		return false;
	if (f->fraction)
		end = num_put_scaled(
		    end, (struct str){digits, (size_t)(num_put_i128(digits, edge) - digits)}, FRACTION, -1);
	else
		end = num_put_i64(end, (int64_t)edge);
	value_of(v, (struct str){f->text.p, (size_t)(end - f->text.p)});
	return true;
}

/* --- values --- */

/*
 * When groupby groups by a bucket such as ts/10ms, its output has no member ts, but a member named "ts/10ms", whose
 * value is already the edge of a bucket.
 */
static struct str find_edge(struct field *f, struct event *e)
{
	const struct str spec = str_of(f->spec);

	if (!iter_may_find(e->raw, spec.p) && !memchr(e->raw.p, '\\', e->raw.n))
		return (struct str){NULL, 0};
	return find_member(f, e, e->raw, spec);
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

void field_look_ahead(struct field *f, struct event *e)
{
	size_t i;

	f->n_all = 0;
	if (f->computed)
		add_value(f, find_computed(f, e));
	else if (f->member != EVENT_N)
		add_value(f, find_standard(f, e));
	else
		find_by_name(f, e);
	f->edge = f->width && !f->n_all;
	if (f->edge)
		add_value(f, find_edge(f, e));
	for (i = 0; i < f->n_all; i++)
		event_check(e, f->all[i]);
	f->ahead = e->raw.p;
}

/*
 * Gets the text of the first value, before its bucket is computed. Returns false in a record without the field. If that
 * is one of the first records, collects the names of its members for a hint.
 */
static bool get_first(struct field *f, struct event *e, struct str *text)
{
	f->records++;
	/* Members of the canonical prefix need no walk. */
	if (f->member < EVENT_N && event_has(e, f->member)) {
		f->n_all = 0;
		f->edge = false;
		f->found++;
		*text = e->m[f->member];
		return true;
	}
	if (f->ahead != e->raw.p)
		field_look_ahead(f, e);
	f->ahead = NULL;
	if (f->n_all) {
		f->found++;
		if (f->width && f->each && !f->edge)
			keep_edges(f);
		*text = f->n_all ? f->all[0] : STR("null");
		return true;
	}
	if (!f->found && f->records <= HINT_RECORDS) {
		collect_names(f, e->raw, 0, 0);
		collect_names(f, iter_find(e->raw, STR("args")), 0, 0);
	}
	return false;
}

/* Gets the text of the i-th value, before its bucket is computed. */
static inline bool get_text(struct field *f, struct event *e, size_t i, struct str *text)
{
	if (!i)
		return get_first(f, e, text);
	*text = i < f->n_all ? f->all[i] : (struct str){NULL, 0};
	return text->p != NULL;
}

bool field_get(struct field *f, struct event *e, size_t i, struct value *v)
{
	struct str text;
	bool there = get_text(f, e, i, &text);

	if (there && f->member <= EVENT_DUR && event_has(e, f->member))
		value_of_int(v, f->member == EVENT_TS ? e->ts : e->dur, text);
	else if (there)
		value_of(v, text);
	if (there && f->width && !f->edge)
		there = to_bucket(f, v);
	if (!there)
		*v = (struct value){.type = VALUE_NONE};
	f->numbers += v->type == VALUE_INT || v->type == VALUE_REAL;
	return there;
}

bool field_get_text(struct field *f, struct event *e, size_t i, struct str *text)
{
	struct value v;

	if (!f->width)
		return get_text(f, e, i, text);
	if (!field_get(f, e, i, &v))
		return false;
	*text = v.text;
	return true;
}

void field_free(struct field *f)
{
	size_t i;

	for (i = 0; f->short_forms && i < SLOTS; i++)
		bufs_free(&f->short_forms[i].name, &f->short_forms[i].text);
	mem_free(f->short_forms, f->steps, f->all);
	map_free(&f->near);
	bufs_free(&f->plain, &f->text, &f->scratch);
	*f = (struct field){0};
}

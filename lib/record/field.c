#include "record/field.h"

#include "base/hash.h"
#include "base/int_math.h"
#include "base/num_format.h"
#include "base/num_parse.h"
#include "base/units.h"
#include "json/json.h"
#include "cli/options.h"
#include "json/iter_inline.h"

#include <math.h>
#include <stdlib.h>

enum {
	HINT_RECORDS = 64, /* records whose names are gathered for a hint */
	HINT_NAMES = 4096,
	FRACTION = 9,      /* decimals of a bucket's width that is not whole */
};

static const int64_t billion = 1000000000; /* 10^FRACTION */

/* --- values --- */

void value_of(struct value *v, struct str json)
{
	*v = (struct value){.type = VALUE_OTHER, .text = json};
	if (!json.n) {
		v->type = VALUE_NONE;
	} else if (json.p[0] == '"') {
		v->type = VALUE_STRING;
	} else if (json.p[0] == '-' || (unsigned char)(json.p[0] - '0') < 10) {
		if (num_int(json, &v->i) == NUM_OK) {
			v->type = VALUE_INT;
			v->d = (double)v->i;
		} else if (num_double(json, &v->d)) {
			v->type = VALUE_REAL;
		}
	}
}

static void value_int(struct value *v, int64_t i, struct str text)
{
	*v = (struct value){VALUE_INT, i, (double)i, text};
}

/* --- compiling --- */

static enum event_member standard_member(struct str name)
{
	size_t i;

	for (i = 0; i < EVENT_N; i++) {
		if (str_eq(name, str_of(event_member_name(i))))
			break;
	}
	return (enum event_member)i;
}

/* What groupby, stats and trace-diff put behind a name while the unit stays: dur_sum, dur_p99, dur_diff. */
static bool keeps_unit(struct str aggregate)
{
	static const char *const list[] = {"sum", "mean", "min", "max", "std", "pstd", "first", "last", "median",
	    "a", "b", "diff", NULL};

	return str_in(aggregate, list) ||
	       (aggregate.n > 1 && aggregate.p[0] == 'p' && (unsigned char)(aggregate.p[1] - '0') < 10);
}

static enum field_base base_of(struct str name)
{
	/* The last five are dvdt-prof's: spans between the stamps of a call (t) and of its profiling (p). */
	static const char *const times[] = {"ts", "dur", "end", "delay", "queue", "self", "busy", "idle", "overlap",
	    "total", "dev_self", "dev_total", "t1_t0", "p3_p0", "p3_p2", "p2_p1", "p1_p0", NULL};
	static const char *const sizes[] = {"bytes", NULL};
	size_t at;

	if (str_in(name, times) || str_ends(name, STR("_ts")) || str_ends(name, STR("_dur")) ||
	    str_ends(name, STR("_time")) || str_ends(name, STR("_wait")) || str_ends(name, STR("_duration")) ||
	    str_ends(name, STR("_delay")))
		return FIELD_TIME;
	if (str_in(name, sizes))
		return FIELD_SIZE;
	for (at = name.n; at > 0 && name.p[at - 1] != '_'; at--)
		;
	return at > 1 && keeps_unit(str_from(name, at)) ? base_of(str_head(name, at - 1)) : FIELD_PLAIN;
}

enum field_base field_base(struct str name)
{
	size_t at = name.n;

	while (at > 0 && name.p[at - 1] != '.')
		at--;
	return base_of(str_from(name, at));
}

static bool refuse(struct fault *fault, const char *what, size_t at)
{
	*fault = (struct fault){.what = what, .byte = at};
	return false;
}

/* The width behind the '/' at `slash`: in f->width, whole or as a fixed point. */
static bool compile_width(struct field *f, struct str spec, size_t slash, struct fault *fault)
{
	struct str text = str_from(spec, slash + 1);
	const struct num_unit *unit;
	int64_t whole = 0, fixed = 0;

	switch (num_quantity(text, &whole, &unit)) {
	case NUM_BAD:
		return refuse(fault, "the width behind '/' is not a number with ns us ms s B kB MB GB KiB MiB GiB",
		    slash + 1);
	case NUM_RANGE:
		return refuse(fault, "the width behind '/' is too large", slash + 1);
	default:
		break;
	}
	if (unit && f->base != FIELD_PLAIN && unit->size != (f->base == FIELD_SIZE))
		return refuse(
		    fault, unit->size ? "a size as the width of times" : "a time as the width of sizes", slash + 1);
	f->width = whole;
	if (!unit && num_fixed(text, FRACTION, &fixed) == NUM_OK && fixed % billion) {
		f->width = fixed;
		f->fraction = true;
	}
	if (f->width <= 0)
		return refuse(fault, "the width behind '/' must be more than 0", slash + 1);
	return true;
}

/*
 * Names may hold a '/' ("memory bandwidth (GB/s)"): only a last one with what begins as a number
 * behind it is a bucket's. spec.n when there is none.
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
	return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' ? at - 1 : spec.n;
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
			return refuse(fault, at || f->name.n < 2 ? "an empty name" : "a name has no dot before it", at);
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
	f->base = field_base(f->name);
	if (str_eq(f->name, STR("end")))
		f->computed = FIELD_END;
	else if (str_eq(f->name, STR("short")))
		f->computed = FIELD_SHORT;
	if (!f->name.n)
		return refuse(fault, "an empty name", 0);
	if (compile_steps(f, fault) && (slash == text.n || compile_width(f, text, slash, fault)))
		return true;
	free(f->steps);
	f->steps = NULL;
	return false;
}

void field_option(struct field *f, const char *option, const char *spec)
{
	struct fault fault;

	if (!field_compile(f, spec, &fault))
		die("%s: '%s' is not a field: %s", option, spec, fault.what);
}

/*
 * A trace has few names and millions of records: the last name of each slot is kept with its short
 * form. Bounded by the slots and by what is kept of one name.
 */
enum { SLOTS = 512, KEPT = 4096 };

struct field_kept {
	struct buf name, text; /* text is empty when the name is short already */
};

void field_free(struct field *f)
{
	size_t i;

	for (i = 0; f->kept && i < SLOTS; i++) {
		buf_free(&f->kept[i].name);
		buf_free(&f->kept[i].text);
	}
	free(f->kept);
	free(f->steps);
	free(f->all);
	map_free(&f->near);
	buf_free(&f->text);
	buf_free(&f->scratch);
	*f = (struct field){0};
}

/* --- looking names up --- */

/* Whether a key as it stands says `name`. Escapes only make text longer. */
static bool key_is(struct field *f, struct str key, struct str name)
{
	if (key.n == name.n)
		return memcmp(key.p, name.p, key.n) == 0;
	if (key.n < name.n || !memchr(key.p, '\\', key.n))
		return false;
	f->scratch.n = 0;
	json_unescape(&f->scratch, key);
	return str_eq((struct str){f->scratch.p, f->scratch.n}, name);
}

/* The text of a member, the last of several; NULL when there is none or `object` is none. */
static struct str member_of(struct field *f, struct event *e, struct str object, struct str name)
{
	struct str found = {NULL, 0}, key, value;
	struct iter w;
	int r;

	if (!object.n || object.p[0] != '{')
		return found;
	iter_open(&w, object);
	while ((r = iter_next(&w, &key, &value)) > 0) {
		if (key_is(f, key, name))
			found = value;
	}
	e->broken |= r < 0;
	return found;
}

/* What one walk over the record finds: the member of the whole name, of the first of several steps, and args. */
struct top {
	struct str whole, first, args;
};

/* False when neither the name nor its first step is a key anywhere in the record; quick for canonical lines. */
static bool may_be_in(const struct field *f, const struct event *e)
{
	return !e->prefix || f->steps[0].key.n < 3 || iter_may_find(str_from(e->raw, e->prefix), f->steps[0].key.p);
}

static bool has_steps(const struct field *f)
{
	return f->n_steps > 1 || f->each;
}

static void look_top(struct field *f, struct event *e, struct top *top)
{
	struct str key, value;
	struct iter w;
	int r;

	*top = (struct top){{NULL, 0}, {NULL, 0}, {NULL, 0}};
	iter_open(&w, e->raw);
	if (e->prefix) { /* what was read of it already are standard members */
		w.p = e->raw.p + e->prefix;
		w.p -= w.p[-1] == ',';
		w.first = false;
	}
	while ((r = iter_quick(&w, &key, &value)) > 0) {
		if (key_is(f, key, f->name))
			top->whole = value;
		if (has_steps(f) && key_is(f, key, f->steps[0].key))
			top->first = value;
		if (str_eq(key, STR("args")))
			top->args = value;
	}
	e->broken |= r < 0;
}

/* null says unknown, as absence does. */
static void add(struct field *f, struct str value)
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
		add(f, at);
	else
		follow(f, e, member_of(f, e, at, f->steps[step + 1].key), step + 1);
}

/* Adds all that the reference finds below `at`, the value of its step's key. */
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
	iter_open(&w, at);
	while ((r = iter_next(&w, &key, &value)) > 0)
		descend(f, e, value, step);
	e->broken |= r < 0;
}

/* All values of the reference in a record, into f->all. */
static void look_up(struct field *f, struct event *e)
{
	struct str whole, args;
	struct top top;
	size_t i;

	if (f->member != EVENT_N) {
		whole = event_get(e, f->member);
		if (!e->walked)
			return; /* there is none, not even in args */
		if (!whole.p && (f->member == EVENT_TS || f->member == EVENT_DUR))
			whole = e->m[f->member]; /* no integer: not the record's time, yet a value */
		if (!whole.p)
			whole = member_of(f, e, event_get(e, EVENT_ARGS), f->name);
		if (whole.p) {
			add(f, whole);
			event_check(e, whole);
		}
		return;
	}
	if (!may_be_in(f, e))
		return;
	look_top(f, e, &top);
	args = top.args;
	whole = top.whole.p ? top.whole : member_of(f, e, args, f->name);
	if (whole.p) {
		add(f, whole);
	} else if (has_steps(f)) {
		follow(f, e, top.first, 0);
		if (!f->n_all)
			follow(f, e, member_of(f, e, args, f->steps[0].key), 0);
	}
	for (i = 0; i < f->n_all; i++)
		event_check(e, f->all[i]);
}

/* --- computed fields --- */

static bool get_end(struct field *f, struct event *e, struct value *v)
{
	int64_t end;

	if (!event_get(e, EVENT_TS).p || !event_get(e, EVENT_DUR).p || __builtin_add_overflow(e->ts, e->dur, &end))
		return false;
	f->text.n = 0;
	f->text.n = (size_t)(num_put_i64(buf_room(&f->text, NUM_ROOM), end) - f->text.p);
	value_int(v, end, (struct str){f->text.p, f->text.n});
	return true;
}

/* The short form of a name, JSON string both; `name` itself when it is short already. */
static struct str short_of(struct field *f, struct str name)
{
	struct str inner = json_inner(name), result;
	bool escaped = memchr(inner.p, '\\', inner.n);

	f->text.n = 0;
	if (escaped) {
		json_unescape(&f->text, inner);
		inner = (struct str){f->text.p, f->text.n};
	}
	result = field_short_name(inner, &f->scratch);
	if (result.p == inner.p && result.n == inner.n)
		return name;
	/* What differs stands in scratch: text is free again. */
	f->text.n = 0;
	if (escaped) {
		json_quote(&f->text, result);
	} else {
		buf_char(&f->text, '"');
		buf_add(&f->text, result.p, result.n);
		buf_char(&f->text, '"');
	}
	return (struct str){f->text.p, f->text.n};
}

static bool get_short(struct field *f, struct event *e, struct value *v)
{
	struct str name = event_get(e, EVENT_NAME), text;
	struct field_kept *kept;

	if (!name.p || name.p[0] != '"')
		return false;
	*v = (struct value){.type = VALUE_STRING, .text = name};
	if (name.n > KEPT) {
		v->text = short_of(f, name);
		return true;
	}
	if (!memchr(name.p, '(', name.n) && !memchr(name.p, '<', name.n) && !memchr(name.p, '\\', name.n))
		return true;
	if (!f->kept)
		f->kept = mem_zero(SLOTS, sizeof *f->kept);
	kept = &f->kept[hash_str(name) % SLOTS];
	if (!str_eq(name, (struct str){kept->name.p, kept->name.n})) {
		text = short_of(f, name);
		kept->name.n = kept->text.n = 0;
		buf_add(&kept->name, name.p, name.n);
		if (text.p != name.p)
			buf_add(&kept->text, text.p, text.n);
	}
	if (kept->text.n)
		v->text = (struct str){kept->text.p, kept->text.n};
	return true;
}

/* A member of that name at the top level goes before what is computed, one of args behind it. */
static bool get_computed(struct field *f, struct event *e, struct value *v)
{
	struct top top;

	look_top(f, e, &top);
	if (top.whole.p && top.whole.p[0] != 'n') {
		value_of(v, top.whole);
		event_check(e, v->text);
		return true;
	}
	if (f->computed == FIELD_END ? get_end(f, e, v) : get_short(f, e, v))
		return true;
	value_of(v, member_of(f, e, top.args, f->name));
	event_check(e, v->text);
	return v->type != VALUE_NONE;
}

/* --- buckets --- */

static num_i128 floor_to(num_i128 v, num_i128 width)
{
	num_i128 rest = v % width;

	return v - rest - (rest < 0 ? width : 0);
}

/* Nine decimals as text, without zeros at the end. */
static char *put_fixed(char *p, num_i128 v)
{
	int64_t rest = (int64_t)(v % billion), unit = billion / 10;

	if (v < 0) {
		*p++ = '-';
		v = -v;
		rest = -rest;
	}
	p = num_put_i128(p, v / billion);
	if (rest)
		*p++ = '.';
	for (; rest; rest %= unit, unit /= 10)
		*p++ = (char)('0' + rest / unit);
	return p;
}

/* Replaces a number by the lower edge of its bucket; false for what is none, or beyond int64. */
static bool to_bucket(struct field *f, struct value *v)
{
	num_i128 edge;
	int64_t fixed;
	char *end;

	f->text.n = 0;
	end = buf_room(&f->text, NUM_ROOM);
	if (v->type == VALUE_INT && !f->fraction) {
		int64_t rest = v->i % f->width, low;

		if (__builtin_sub_overflow(v->i, rest < 0 ? rest + f->width : rest, &low))
			return false;
		value_int(v, low, (struct str){f->text.p, (size_t)(num_put_i64(end, low) - f->text.p)});
		return true;
	}
	if (v->type == VALUE_INT)
		edge = (num_i128)v->i * billion;
	else if (v->type != VALUE_REAL)
		return false;
	else if (!f->fraction && fabs(v->d) < 9e18)
		edge = (num_i128)floor(v->d);
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

/* --- getting --- */

static void note_names(struct field *f, struct str object, struct str above)
{
	struct str key, value;
	struct iter w;

	if (!object.n || object.p[0] != '{')
		return;
	iter_open(&w, object);
	while (iter_next(&w, &key, &value) > 0 && f->near.n < HINT_NAMES) {
		f->scratch.n = 0;
		buf_add(&f->scratch, above.p, above.n);
		json_unescape(&f->scratch, key);
		map_put(&f->near, (struct str){f->scratch.p, f->scratch.n});
		if (!above.n && f->n_steps > 1 && value.p[0] == '{') {
			struct buf path = {0};

			buf_add(&path, f->scratch.p, f->scratch.n);
			buf_char(&path, '.');
			note_names(f, value, (struct str){path.p, path.n});
			buf_free(&path);
		}
	}
}

/* Not found: what could have been meant is gathered from the first such records. */
static bool absent(struct field *f, struct event *e, struct value *v)
{
	*v = (struct value){.type = VALUE_NONE};
	if (!f->found && f->records <= HINT_RECORDS) {
		note_names(f, e->raw, (struct str){"", 0});
		note_names(f, iter_find(e->raw, STR("args")), (struct str){"", 0});
	}
	return false;
}

static bool get_first(struct field *f, struct event *e, struct value *v)
{
	/* What the canonical prefix has costs no walk. */
	if (f->member == EVENT_TS && event_has(e, EVENT_TS)) {
		value_int(v, e->ts, e->m[EVENT_TS]);
		return true;
	}
	if (f->member == EVENT_DUR && event_has(e, EVENT_DUR)) {
		value_int(v, e->dur, e->m[EVENT_DUR]);
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
		look_up(f, e);
	if (!f->n_all)
		return false;
	value_of(v, f->all[0]);
	return true;
}

/* A bucket's list keeps its numbers only, so that the others do not end it. */
static void keep_numbers(struct field *f)
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
 * A record of groups by a bucket has no such field, but a member of the whole reference's name: the edge of a
 * bucket already.
 */
static bool get_edge(struct field *f, struct event *e, struct value *v)
{
	struct str spec = str_of(f->spec), edge;

	if (!iter_may_find(e->raw, spec.p) && !memchr(e->raw.p, '\\', e->raw.n))
		return false;
	edge = member_of(f, e, e->raw, spec);
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
			keep_numbers(f);
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
		look_up(f, e);
		there = f->n_all > 0;
	}
	if (!there && f->width)
		get_edge(f, e, &edge);
	f->ahead = e->raw.p;
}

/* --- hints --- */

static void hint(const struct field *f, bool all)
{
	struct str_near near = {f->name, {NULL, 0}, 0};
	const char *none = all ? "no record has the field" : "none of the records that were read has the field";
	size_t i = str_find(f->name, STR("["));

	if (i + 1 < f->name.n && f->name.p[i + 1] != ']') {
		note("%s '%.*s'; '%.*s[]' is every element of an array", none, STR_FMT(f->name), (int)i, f->name.p);
		return;
	}
	for (i = 0; i < f->near.n; i++)
		str_near(&near, map_key(&f->near, i));
	str_near(&near, STR("end"));
	str_near(&near, STR("short"));
	if (near.best.p)
		note("%s '%.*s'; did you mean '%.*s'?", none, STR_FMT(f->name), STR_FMT(near.best));
	else
		note("%s '%.*s'", none, STR_FMT(f->name));
}

void field_hints(struct field *const *fields, size_t n, bool all)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (fields[i]->records && !fields[i]->found)
			hint(fields[i], all);
		else if (fields[i]->numeric && fields[i]->found && !fields[i]->numbers)
			note("the field '%.*s' holds no numbers", STR_FMT(fields[i]->name));
	}
}

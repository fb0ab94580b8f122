/* field_computed: computes values that are not in a record: end, short, and the lower edges of buckets. */
#include "record/field_private.h"

#include "base/hash.h"
#include "base/int_math.h"
#include "base/mem.h"
#include "base/num_format.h"
#include "base/num_parse.h"
#include "json/string.h"
#include "record/cxx_short_name.h"

#include <math.h>
#include <stdlib.h>

static bool get_end(struct field *f, struct event *e, struct value *v)
{
	int64_t end;

	if (!event_get(e, EVENT_TS).p || !event_get(e, EVENT_DUR).p ||
	    __builtin_add_overflow(e->ts, event_duration(e), &end))
		return false;
	f->text.n = 0;
	f->text.n = (size_t)(num_put_i64(buf_room(&f->text, NUM_ROOM), end) - f->text.p);
	value_of_int(v, end, (struct str){f->text.p, f->text.n});
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
		inner = (struct str){f->text.p, f->text.n};
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
	return (struct str){f->text.p, f->text.n};
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

void field_free_short_forms(struct field *f)
{
	size_t i;

	for (i = 0; f->short_forms && i < SLOTS; i++) {
		buf_free(&f->short_forms[i].name);
		buf_free(&f->short_forms[i].text);
	}
	free(f->short_forms);
}

bool field_get_computed(struct field *f, struct event *e, struct value *v)
{
	struct field_top top;

	field_find_top(f, e, &top);
	if (top.whole.p && top.whole.p[0] != 'n') {
		value_of(v, top.whole);
		event_check(e, v->text);
		return true;
	}
	if (f->computed == FIELD_END ? get_end(f, e, v) : get_short(f, e, v))
		return true;
	value_of(v, field_find_member(f, e, top.args, f->name));
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
	int64_t rest = (int64_t)(v % FIELD_FRACTION_ONE), unit = FIELD_FRACTION_ONE / 10;

	if (v < 0) {
		*p++ = '-';
		v = -v;
		rest = -rest;
	}
	p = num_put_i128(p, v / FIELD_FRACTION_ONE);
	if (rest)
		*p++ = '.';
	for (; rest; rest %= unit, unit /= 10)
		*p++ = (char)('0' + rest / unit);
	return p;
}

bool field_to_bucket(struct field *f, struct value *v)
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
		edge = (int128)v->i * FIELD_FRACTION_ONE;
	else if (v->type != VALUE_REAL)
		return false;
	else if (!f->fraction && fabs(v->d) < 9e18)
		edge = (int128)floor(v->d);
	else if (f->fraction && num_fixed(v->text, FIELD_FRACTION, &fixed) == NUM_OK)
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

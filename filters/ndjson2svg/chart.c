#include "chart.h"

#include "base/err.h"
#include "base/escape.h"
#include "json/string.h"
#include "record/cxx_short_name.h"

#include <inttypes.h>

void chart_use(struct chart *c, struct field *field)
{
	if (c->n_used < CHART_FIELDS)
		c->used[c->n_used++] = field;
	unit_search_field(&c->units, field);
}

/* --- values --- */

bool chart_value(struct chart *c, struct event *e, struct value *v)
{
	struct opt_fields *values = &c->options.values;
	const enum event_kind kind = event_get_kind(e);
	size_t i;

	if (kind == KIND_META)
		return false;
	c->records++;
	for (i = 0; i < values->n; i++) {
		if (!field_get(&values->list[i], e, 0, v) || (v->type != VALUE_INT && v->type != VALUE_REAL))
			continue;
		if (!c->chosen)
			c->chosen = i + 1;
		c->kinds |= (uint64_t)1 << kind;
		if (chart_factor(c) != 1)
			*v = (struct value){.type = VALUE_REAL, .d = v->d * chart_factor(c)};
		return true;
	}
	c->valueless++;
	return false;
}

bool chart_number(struct field *f, struct event *e, double *d)
{
	struct value v;

	if (!field_get(f, e, 0, &v) || (v.type != VALUE_INT && v.type != VALUE_REAL))
		return false;
	*d = v.d;
	return true;
}

static const struct field *value_field(const struct chart *c)
{
	return &c->options.values.list[c->chosen ? c->chosen - 1 : 0];
}

static struct column_type value_type(const struct chart *c)
{
	return column_type(str_of(value_field(c)->spec), &c->units.source, &c->options.table.units);
}

double chart_factor(const struct chart *c)
{
	const struct column_type type = value_type(c);

	return type.unit ? (double)type.unit->factor : 1;
}

enum column_kind chart_value_kind(const struct chart *c)
{
	return value_type(c).kind;
}

enum column_kind chart_kind_of(const struct chart *c, const struct field *f)
{
	return column_type(f->name, &c->units.source, &c->options.table.units).kind;
}

struct measure chart_measure(const struct chart *c, double most)
{
	return measure_of(chart_value_kind(c), c->options.table.time, c->options.table.size, most);
}

bool chart_adds_up(const struct chart *c)
{
	static const char *const other[] = {
	    "_mean", "_min", "_max", "_std", "_pstd", "_median", "_first", "_last", "_var", "_share", NULL};
	const struct str name = str_of(value_field(c)->spec);
	size_t i;

	for (i = 0; other[i]; i++) {
		if (str_ends(name, str_of(other[i])))
			return false;
	}
	for (i = name.n; i > 0 && name.p[i - 1] >= '0' && name.p[i - 1] <= '9'; i--)
		;
	return i == name.n || i < 2 || memcmp(name.p + i - 2, "_p", 2) != 0;
}

bool chart_is_subtotal(struct chart *c, struct event *e)
{
	struct value v;
	size_t i;

	if (!field_get(&c->level, e, 0, &v) || v.type != VALUE_STRING)
		return false;
	for (i = 0; i < c->options.keys.n; i++) {
		if (!field_get(&c->options.keys.list[i], e, 0, &v))
			return true;
	}
	return false;
}

void chart_value_fields(const struct chart *c, struct buf *to)
{
	const struct opt_fields *values = &c->options.values;
	size_t i;

	if (!values->n)
		buf_lit(to, "ts"); /* the kind has no -f: a timeline */
	for (i = 0; i < values->n; i++) {
		if (i)
			buf_add(to, i + 1 < values->n ? ", " : " or ", i + 1 < values->n ? 2 : 4);
		buf_add(to, values->list[i].spec, strlen(values->list[i].spec));
	}
}

void chart_report_negative(uint64_t n)
{
	if (n)
		warn("%" PRIu64 " negative values are not shown", n);
}

/* --- names --- */

void chart_visible(struct buf *to, struct str s)
{
	uint32_t code;
	size_t n;

	for (; s.n; s = str_from(s, n)) {
		n = utf8_decode(s, &code);
		if (!n) {
			n = utf8_broken(s);
			buf_lit(to, "\xef\xbf\xbd");
		} else if (utf8_is_hidden(code)) {
			escape_put(to, code);
		} else {
			buf_add(to, s.p, n);
		}
	}
}

static bool is_name(const struct field *f)
{
	return str_eq(f->name, STR("name")) || str_ends(f->name, STR(".name"));
}

static void put_value(struct chart *c, const struct field *f, const struct value *v, bool whole, struct buf *to)
{
	struct str text = v->text;

	if (v->type == VALUE_NONE || !text.n || *text.p == 'n') {
		buf_lit(to, "(none)");
		return;
	}
	if (v->type == VALUE_STRING) {
		c->decoded.n = 0;
		json_unescape(&c->decoded, json_inner(text));
		text = (struct str){c->decoded.p, c->decoded.n};
		if (!whole && !c->options.table.wide && is_name(f))
			text = cxx_short_name(text, &c->scratch);
	}
	chart_visible(to, text.n ? text : STR("(empty)"));
}

void chart_name(
    struct chart *c, struct opt_fields *fields, size_t from, size_t to, struct event *e, bool whole, struct buf *text)
{
	struct value v;
	size_t i;

	for (i = from; i < to; i++) {
		if (i > from)
			buf_lit(text, " / ");
		if (!field_get(&fields->list[i], e, 0, &v))
			v = (struct value){.type = VALUE_NONE};
		put_value(c, &fields->list[i], &v, whole, text);
	}
}

void chart_series_name(struct chart *c, struct opt_fields *fields, struct event *e, struct buf *text)
{
	struct value v;

	if (field_get(&fields->list[0], e, 0, &v) && (v.type == VALUE_INT || v.type == VALUE_REAL)) {
		chart_key_words(c, fields, 0, text);
		buf_char(text, ' ');
	}
	chart_name(c, fields, 0, 1, e, false, text);
}

enum colour chart_colour(struct event *e, struct str name, enum colour otherwise)
{
	const enum event_kind kind = event_get_kind(e);
	const enum colour by_kind = kind == KIND_N ? otherwise : colours_of_kind(kind);

	return colours_of_name(name, by_kind == COLOUR_SERIES_0 ? otherwise : by_kind);
}

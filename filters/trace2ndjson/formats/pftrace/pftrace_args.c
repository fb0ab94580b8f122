/* pftrace_args: converts texts, numbers and annotations to JSON. */
#include "pftrace.h"

#include "base/char_class.h"
#include "json/string.h"

enum { DEPTH_MAX = 500 };

void pftrace_put_text(struct pftrace *p, struct reader *r, struct buf *b, struct str text)
{
	wire_put_text(r, p->at, b, text);
}

static bool is_decimal(struct str text)
{
	struct str digits = str_starts(text, STR("-")) ? str_from(text, 1) : text;

	return str_all(digits, is_digit) && digits.n <= 18 && (digits.p[0] != '0' || digits.n == 1);
}

void pftrace_put_decimal(struct pftrace *p, struct reader *r, struct buf *b, struct str text)
{
	if (is_decimal(text))
		buf_add(b, text.p, text.n);
	else
		pftrace_put_text(p, r, b, text);
}

void pftrace_put_key(struct pftrace *p, struct reader *r, struct str key)
{
	if (p->args.n)
		buf_char(&p->args, ',');
	pftrace_put_text(p, r, &p->args, key);
	buf_char(&p->args, ':');
}

/* The state of the conversion of an annotation. */
struct converter {
	struct pftrace *p;
	struct reader *r;
	const struct pftrace_names *names;
	struct buf *b;
	struct wire *w;
};

static bool put_value(struct converter *c, struct str message, int depth);

static bool broken(struct converter *c, const char *why)
{
	c->w->fault = why;
	return false;
}

/* Appends the name of an annotation as JSON. */
static void put_name(struct converter *c, struct str message)
{
	struct str text = {NULL, 0};
	struct wire_field f;

	if (wire_find(message, 10, WIRE_LEN, &f)) {
		pftrace_put_text(c->p, c->r, c->b, f.bytes);
		return;
	}
	if (!wire_find(message, 1, WIRE_VARINT, &f))
		f.v = 0;
	text = pftrace_names_text(c->names, PFTRACE_ARGUMENTS, f.v);
	if (text.p)
		pftrace_put_text(c->p, c->r, c->b, text);
	else
		wire_put_numbered(c->b, "arg ", f.v);
}

/* Appends the elements of a list or the members of a dictionary, the fields `no`. */
static bool put_nested(struct converter *c, struct str message, uint32_t no, bool named, int depth)
{
	struct wire w = wire_of(message);
	struct wire_field f;
	bool first = true;

	buf_char(c->b, named ? '{' : '[');
	while (wire_next(&w, &f) > 0) {
		if (f.no != no || f.type != WIRE_LEN)
			continue;
		if (!first)
			buf_char(c->b, ',');
		first = false;
		if (named) {
			put_name(c, f.bytes);
			buf_char(c->b, ':');
		}
		if (!put_value(c, f.bytes, depth + 1))
			return false;
	}
	buf_char(c->b, named ? '}' : ']');
	return true;
}

/*
 * Appends a NestedValue, the old form of lists and dictionaries: {1 type, 2 keys, 3 values, 4 elements, 5 int, 6
 * double, 7 bool, 8 text}.
 */
static bool put_old(struct converter *c, struct str message, int depth)
{
	struct wire w = wire_of(message), keys = w;
	struct wire_field f, type, key;
	const bool dict = wire_find(message, 1, WIRE_VARINT, &type) && type.v == 1;
	const bool list = !dict && wire_find(message, 1, WIRE_VARINT, &type) && type.v == 2;
	bool first = true, found = false;

	if (depth > DEPTH_MAX)
		return broken(c, "annotations are nested too deeply; event skipped");
	if (dict || list)
		buf_char(c->b, dict ? '{' : '[');
	while (wire_next(&w, &f) > 0) {
		if (dict && f.no == 3 && f.type == WIRE_LEN) {
			while ((found = wire_next(&keys, &key) > 0) && (key.no != 2 || key.type != WIRE_LEN))
				;
			if (!found)
				break;
		}
		if ((dict && f.no == 3 && f.type == WIRE_LEN) || (list && f.no == 4 && f.type == WIRE_LEN)) {
			if (!first)
				buf_char(c->b, ',');
			first = false;
			if (dict) {
				pftrace_put_text(c->p, c->r, c->b, key.bytes);
				buf_char(c->b, ':');
			}
			if (!put_old(c, f.bytes, depth + 1))
				return false;
		}
	}
	if (w.fault)
		return broken(c, "annotation is damaged; event skipped");
	if (dict || list)
		buf_char(c->b, dict ? '}' : ']');
	else if (wire_find(message, 5, WIRE_VARINT, &f))
		wire_put_int(c->b, (int64_t)f.v);
	else if (wire_find(message, 6, WIRE_FIXED64, &f))
		wire_put_double(c->b, wire_double(f.v));
	else if (wire_find(message, 7, WIRE_VARINT, &f))
		buf_add(c->b, f.v ? "true" : "false", f.v ? 4 : 5);
	else if (wire_find(message, 8, WIRE_LEN, &f))
		pftrace_put_text(c->p, c->r, c->b, f.bytes);
	else
		buf_lit(c->b, "null");
	return true;
}

/* Appends a value that is not nested; false when the field is not one. */
static bool put_simple(struct converter *c, const struct wire_field *f)
{
	const char *digits = "0123456789abcdef";
	struct str text;
	int shift;

	switch (f->no << 3 | f->type) {
	case 2 << 3 | WIRE_VARINT:
		buf_add(c->b, f->v ? "true" : "false", f->v ? 4 : 5);
		return true;
	case 3 << 3 | WIRE_VARINT:
		wire_put_uint(c->b, f->v);
		return true;
	case 4 << 3 | WIRE_VARINT:
		wire_put_int(c->b, (int64_t)f->v);
		return true;
	case 5 << 3 | WIRE_FIXED64:
		wire_put_double(c->b, wire_double(f->v));
		return true;
	case 6 << 3 | WIRE_LEN:
	case 9 << 3 | WIRE_LEN:
		pftrace_put_text(c->p, c->r, c->b, f->bytes);
		return true;
	case 7 << 3 | WIRE_VARINT:
		for (shift = 60; shift && !(f->v >> shift); shift -= 4)
			;
		for (buf_lit(c->b, "\"0x"); shift >= 0; shift -= 4)
			buf_char(c->b, digits[f->v >> shift & 15]);
		buf_char(c->b, '"');
		return true;
	case 17 << 3 | WIRE_VARINT:
		text = pftrace_names_text(c->names, PFTRACE_STRINGS, f->v);
		if (text.p)
			pftrace_put_text(c->p, c->r, c->b, text);
		else
			wire_put_numbered(c->b, "#", f->v);
		return true;
	}
	return false;
}

/* Appends the value of a DebugAnnotation. */
static bool put_value(struct converter *c, struct str message, int depth)
{
	struct wire w = wire_of(message);
	struct wire_field f, value = {0}, old = {0};
	bool dict = false, list = false;

	if (depth > DEPTH_MAX)
		return broken(c, "annotations are nested too deeply; event skipped");
	while (wire_next(&w, &f) > 0) {
		dict |= f.no == 11 && f.type == WIRE_LEN;
		list |= f.no == 12 && f.type == WIRE_LEN;
		if (f.no == 8 && f.type == WIRE_LEN)
			old = f;
		else if ((f.no >= 2 && f.no <= 9) || f.no == 17)
			value = f;
	}
	if (w.fault)
		return broken(c, "annotation is damaged; event skipped");
	if (dict || list)
		return put_nested(c, message, dict ? 11 : 12, dict, depth);
	if (old.no && !value.no)
		return put_old(c, old.bytes, depth);
	if (!put_simple(c, &value))
		buf_lit(c->b, "null");
	return true;
}

bool pftrace_annotation_put(
    struct pftrace *p, struct reader *r, const struct pftrace_sequence *s, struct str annotation, struct wire *w)
{
	struct converter c = {p, r, &s->names, &p->args, w};
	const size_t begin = p->args.n;

	if (begin)
		buf_char(&p->args, ',');
	put_name(&c, annotation);
	buf_char(&p->args, ':');
	if (!put_value(&c, annotation, 0))
		return false;
	/* An annotation without a value is left out: a record has no null members. */
	if (str_ends((struct str){p->args.p + begin, p->args.n - begin}, STR(":null")))
		p->args.n = begin;
	return true;
}

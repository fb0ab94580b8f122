/* expression_operand: compiles the operands of expressions: numbers, texts and fields. */
#include "expression_private.h"

#include "base/char_class.h"
#include "base/units.h"
#include "json/check.h"
#include "json/string.h"
#include "record/name_match.h"

#include <stdlib.h>

/* --- numbers and texts --- */

static bool begins_name(char c)
{
	return is_letter(c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_of_name(char c)
{
	return begins_name(c) || is_digit(c);
}

size_t expression_name_length(struct str s)
{
	size_t n = 0;

	while (n < s.n && is_of_name(s.p[n]))
		n++;
	return n;
}

/* Returns the length of the number at the beginning of s, with its unit: 5, 1.5ms, 1e-3. */
static size_t number_length(struct str s)
{
	size_t n = expression_name_length(s);

	if (n < s.n && s.p[n] == '.')
		n += 1 + expression_name_length(str_from(s, n + 1));
	if (n < s.n && (s.p[n] == '-' || s.p[n] == '+') && (s.p[n - 1] == 'e' || s.p[n - 1] == 'E'))
		n += 1 + expression_name_length(str_from(s, n + 1));
	return n;
}

/* Converts a number with its sign and unit. Returns NULL, or what is wrong with the number. */
static const char *parse_number(struct str text, struct result *value)
{
	const struct unit *unit;
	int64_t whole;
	const enum num_result read = units_parse(text, &whole, &unit);

	if (read == NUM_BAD)
		return "invalid number (units: ns us ms s B kB MB GB KiB MiB GiB)";
	if (unit && read == NUM_RANGE)
		return "a number with a unit must fit in 64 bits";
	*value = unit ? result_int(whole) : result_json(text);
	value->json.p = NULL;
	return result_is_number(value) ? NULL : "the number is too large for a double";
}

bool expression_parse_number(struct expression_parser *p, bool negative)
{
	const struct str text = str_head(expression_rest(p), number_length(expression_rest(p)));
	struct buf signed_text = {0};
	struct result value;
	const char *wrong;

	if (negative)
		buf_char(&signed_text, '-');
	buf_add(&signed_text, text.p, text.n);
	wrong = parse_number((struct str){signed_text.p, signed_text.n}, &value);
	buf_free(&signed_text);
	if (wrong)
		return expression_refuse(p, wrong, p->at);
	expression_emit_constant(p, value);
	p->at += text.n;
	return true;
}

/* Converts the text between single quotes to the text between the quotes of a JSON string. */
static void add_as_json(struct buf *b, struct str inner)
{
	size_t i;

	for (i = 0; i < inner.n; i++) {
		if (inner.p[i] == '\\' && i + 1 < inner.n) {
			i++;
			if (inner.p[i] != '\'')
				buf_char(b, '\\');
		} else if (inner.p[i] == '"') {
			buf_char(b, '\\');
		}
		buf_char(b, inner.p[i]);
	}
}

/* Reads the text in single quotes at p->at, appends its decoded form to `text`, and moves p->at to its end. */
static bool read_text(struct expression_parser *p, struct buf *text)
{
	const struct str s = expression_rest(p);
	struct buf json = {0};
	struct fault ignored;
	size_t n;
	bool good;

	for (n = 1; n < s.n && s.p[n] != '\''; n++)
		n += s.p[n] == '\\';
	if (n >= s.n)
		return expression_refuse(p, "the closing quote is missing", p->at);
	buf_char(&json, '"');
	add_as_json(&json, (struct str){s.p + 1, n - 1});
	buf_char(&json, '"');
	good = json_check((struct str){json.p, json.n}, &ignored);
	if (good) {
		json_unescape(text, (struct str){json.p + 1, json.n - 2});
		p->at += n + 1;
	} else {
		expression_refuse(p,
		    "invalid text in quotes: the escapes are those of JSON and \\', and control characters must be "
		    "escaped",
		    p->at);
	}
	buf_free(&json);
	return good;
}

bool expression_parse_text(struct expression_parser *p)
{
	struct buf text = {0};
	const bool good = read_text(p, &text);

	if (good)
		expression_emit_constant(p, result_text((struct str){text.p ? text.p : "", text.n}));
	buf_free(&text);
	return good;
}

bool expression_parse_regex(struct expression_parser *p)
{
	struct expression *x = p->x;
	const size_t first = p->at;
	struct buf text = {0};
	struct fault f;
	bool good;

	if (p->at == p->text.n || p->text.p[p->at] != '\'')
		return expression_refuse(p, "expected a regular expression in single quotes", p->at);
	good = read_text(p, &text);
	buf_char(&text, '\0');
	x->regexes = mem_grow(x->regexes, &x->regexes_cap, x->n_regexes + 1, sizeof *x->regexes);
	if (good && !name_match_compile(&x->regexes[x->n_regexes], text.p, 0, &f))
		good = expression_refuse(p, f.what, first);
	x->n_regexes += good;
	buf_free(&text);
	return good;
}

/* --- fields --- */

/* Sets *n to the length of the field reference that begins at p->at. */
static bool measure_reference(struct expression_parser *p, size_t *n)
{
	const struct str s = expression_rest(p);
	size_t at = 0, part;

	for (;; at++) {
		part = field_quoted(str_from(s, at));
		if (!part && at < s.n && s.p[at] == '"')
			return expression_refuse(p, "the closing quote is missing", p->at + at);
		part = part ? part : expression_name_length(str_from(s, at));
		if (!part)
			return expression_refuse(p, "expected a name after '.'", p->at + at);
		at += part;
		if (at == s.n || s.p[at] != '.')
			break;
	}
	if (at < s.n && s.p[at] == '[')
		return expression_refuse(p,
		    "expected a field without []; use len(FIELD) for the number of elements of an array", p->at + at);
	*n = at;
	return true;
}

/* Returns whether a computed field depends on a member that an earlier assignment sets. */
static bool is_late(const struct expression_scope *s, const struct field *f)
{
	size_t i;

	for (i = 0; f->computed && i < s->n_names; i++) {
		const enum event_member m = s->names[i].member;

		if (s->names[i].visible && (f->computed == FIELD_END ? m <= EVENT_DUR : m == EVENT_NAME))
			return true;
	}
	return false;
}

static size_t add_field(struct expression_parser *p, struct field field, char *spec, bool late)
{
	struct expression_scope *s = p->scope;
	size_t i;

	for (i = 0; i < s->n_fields && (late || s->fields[i].late || strcmp(s->fields[i].spec, spec) != 0); i++)
		;
	if (i < s->n_fields) {
		field_free(&field);
		free(spec);
	} else {
		s->fields = mem_grow(s->fields, &s->fields_cap, s->n_fields + 1, sizeof *s->fields);
		s->fields[s->n_fields++] = (struct expression_field){.field = field, .spec = spec, .late = late};
	}
	s->fields[i].needed |= !p->conditional;
	return i;
}

/* Returns the index of the name if an earlier assignment sets it, otherwise SIZE_MAX. */
static size_t find_assigned(const struct expression_scope *s, struct str name)
{
	size_t i;

	for (i = 0; i < s->n_names; i++) {
		if (s->names[i].visible && str_eq(s->names[i].name, name))
			return i;
	}
	return SIZE_MAX;
}

/* Sets *name to the decoded first part of a reference; returns the text after the dot. */
static struct str first_part(struct str reference, struct buf *name)
{
	const size_t quoted = field_quoted(reference), n = quoted ? quoted : expression_name_length(reference);

	name->n = 0;
	if (quoted)
		json_unescape(name, (struct str){reference.p + 1, n - 2});
	else
		buf_add(name, reference.p, n);
	return str_from(reference, n + 1);
}

/* Parses a reference `a.b` to a member of an assigned name `a`. Returns false when `a` is not an assigned name. */
static bool parse_member_of_name(struct expression_parser *p, struct str reference)
{
	struct buf part = {0}, key = {0};
	struct str steps = first_part(reference, &part);
	const size_t name = find_assigned(p->scope, (struct str){part.p, part.n});

	if (name != SIZE_MAX)
		expression_emit(p, OP_NAME, name, 1);
	while (name != SIZE_MAX && steps.n) {
		steps = first_part(steps, &part);
		key.n = 0;
		json_quote(&key, (struct str){part.p, part.n});
		expression_emit_constant(p, result_text((struct str){key.p + 1, key.n - 2}));
		expression_emit(p, OP_MEMBER, 0, -1);
	}
	buf_free(&part);
	buf_free(&key);
	return name != SIZE_MAX;
}

bool expression_parse_field(struct expression_parser *p)
{
	struct str reference;
	struct field field;
	size_t n, name;
	char *spec;
	bool late;

	if (!measure_reference(p, &n))
		return false;
	reference = str_head(expression_rest(p), n);
	spec = str_dup(reference);
	if (!field_compile(&field, spec, p->fault)) {
		free(spec);
		return expression_refuse(p, p->fault->what, p->at + p->fault->at.byte);
	}
	p->at += n;
	name = field.quoted && field.n_steps > 1 ? SIZE_MAX : find_assigned(p->scope, field.name);
	if (name != SIZE_MAX) {
		expression_emit(p, OP_NAME, name, 1);
	} else if (field.n_steps == 1 || !parse_member_of_name(p, reference)) {
		late = is_late(p->scope, &field);
		expression_emit(p, late ? OP_LATE_FIELD : OP_FIELD, add_field(p, field, spec, late), 1);
		return true;
	}
	field_free(&field);
	free(spec);
	return true;
}

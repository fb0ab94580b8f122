#include "record/condition.h"

#include "base/char_class.h"
#include "base/num_compare.h"
#include "base/num_format.h"
#include "base/num_parse.h"
#include "base/units.h"
#include "json/string.h"
#include "record/name_match.h"

#include <stdlib.h>

enum condition_test {
	CONDITION_PRESENT,
	CONDITION_ABSENT,
	CONDITION_EQ,
	CONDITION_NE,
	CONDITION_LT,
	CONDITION_LE,
	CONDITION_GT,
	CONDITION_GE,
	CONDITION_LIKE,   /* =~ */
	CONDITION_UNLIKE, /* !~ */
};

struct condition {
	enum condition_test test;
	struct field field;
	char *spec;       /* the text of `field` */
	struct str value; /* the text after the operator, without quotes; points into the caller's text */
	bool number;      /* `value` is a number */
	bool whole;       /* the number fits in int64; `wanted` holds it in base units */
	int64_t wanted;
	size_t unitless_n; /* length of `unitless`, the value in base units as text; 0: `value` has no unit */
	char unitless[NUM_ROOM];
	struct name_match regex;
	struct buf text; /* during a comparison: the unescaped text of a string */
};

/* Longer operators come first, since the first operator that matches is taken. */
static const struct condition_operator {
	struct str text;
	enum condition_test test;
} condition_operators[] = {
    {{"==", 2}, CONDITION_EQ},
    {{"!=", 2}, CONDITION_NE},
    {{"<=", 2}, CONDITION_LE},
    {{">=", 2}, CONDITION_GE},
    {{"=~", 2}, CONDITION_LIKE},
    {{"!~", 2}, CONDITION_UNLIKE},
    {{"<", 1}, CONDITION_LT},
    {{">", 1}, CONDITION_GT},
};

/* Returns the operator at the start of s, NULL if s starts with no operator. */
static const struct condition_operator *operator_at(struct str s)
{
	size_t i;

	for (i = 0; i < sizeof condition_operators / sizeof *condition_operators; i++) {
		if (str_starts(s, condition_operators[i].text))
			return &condition_operators[i];
	}
	return NULL;
}

/* --- compiling --- */

/* Compiles the field with this name; `at` is the offset of the name in the condition. */
static bool compile_field(struct condition *c, struct str name, size_t at, struct fault *f)
{
	c->spec = str_dup(name);
	if (field_compile(&c->field, c->spec, f))
		return true;
	f->at.byte += at;
	return false;
}

/* Returns true if the start of the value indicates a typing error: "dur=>5", "dur<>5", "kind===api". */
static bool starts_oddly(const struct condition *c)
{
	char first = c->value.p[0];

	if (c->test == CONDITION_EQ || c->test == CONDITION_NE)
		return first == '=' || first == '~'; /* name==<lambda> is valid */
	return first == '=' || first == '~' || first == '<' || first == '>';
}

/* Removes the quotes around the value, and sets *quoted to true if the value is in quotes. */
static bool unquote(struct condition *c, size_t at, bool *quoted, struct fault *f)
{
	struct str *v = &c->value;

	if (!v->n)
		return fault_refuse(f, "no value after the operator (write '' for an empty string)", at);
	*quoted = v->p[0] == '\'' || v->p[0] == '"';
	if (!*quoted)
		return true;
	if (v->n < 2 || v->p[v->n - 1] != v->p[0])
		return fault_refuse(f, "missing closing quote", at);
	*v = (struct str){v->p + 1, v->n - 2};
	return true;
}

static bool compile_regex(struct condition *c, size_t at, struct fault *f)
{
	char *regex = str_dup(c->value);
	bool good = name_match_regex(&c->regex, regex, f);

	free(regex);
	f->at.byte = at;
	return good;
}

/*
 * Parses the value as a number if possible. A number with a unit becomes an integer in base units, rounded in the same
 * way as in all other programs.
 */
static bool compile_number(struct condition *c, size_t at, struct fault *f)
{
	const struct unit *unit;
	enum num_result r;
	int64_t whole;

	r = units_parse(c->value, &whole, &unit);
	if (r != NUM_BAD && unit && c->field.base != FIELD_PLAIN && unit->size != (c->field.base == FIELD_SIZE))
		return fault_refuse(f,
		    unit->size ? "the field is a time, but the value is a size"
			       : "the field is a size, but the value is a time",
		    at);
	if (r == NUM_RANGE && unit)
		return fault_refuse(f, "the value does not fit in 64 bits", at);
	c->number = r != NUM_BAD;
	c->whole = r == NUM_OK && (unit || num_int(c->value, &whole) == NUM_OK);
	c->wanted = whole;
	if (c->number && unit)
		c->unitless_n = (size_t)(num_put_i64(c->unitless, whole) - c->unitless);
	if (!c->number && c->field.base == FIELD_TIME)
		return fault_refuse(f, "expected a time, such as 10ms (units: ns us ms s)", at);
	if (!c->number && c->field.base == FIELD_SIZE)
		return fault_refuse(f, "expected a size, such as 64MiB (units: B kB MB GB KiB MiB GiB)", at);
	return true;
}

/* Returns true if the value contains a second condition, as in "dur>1ms && kind==kernel". */
static bool holds_another(struct str value)
{
	static const struct str words[] = {{"&&", 2}, {"||", 2}, {" and ", 5}, {" or ", 4}};
	struct str rest;
	size_t i;

	for (i = 0; i < sizeof words / sizeof *words; i++) {
		rest = str_from(value, str_find(value, words[i]));
		if (str_find(rest, STR("=")) < rest.n || str_find(rest, STR("<")) < rest.n ||
		    str_find(rest, STR(">")) < rest.n)
			return true;
	}
	return false;
}

static bool compile_value(struct condition *c, size_t at, struct fault *f)
{
	bool quoted;

	if (!unquote(c, at, &quoted, f))
		return false;
	if (!quoted && holds_another(c->value))
		return fault_refuse(f, "two conditions in one option; give each its own -w", at);
	if (c->test == CONDITION_LIKE || c->test == CONDITION_UNLIKE)
		return compile_regex(c, at, f);
	if (!quoted && starts_oddly(c))
		return fault_refuse(f, "more than one operator", at);
	return quoted || compile_number(c, at, f);
}

static bool compile_presence(struct condition *c, struct str all, const char *text, struct fault *f)
{
	struct str name = all;

	c->test = CONDITION_PRESENT;
	if (all.n && all.p[0] == '!') {
		c->test = CONDITION_ABSENT;
		name = str_trim(str_from(all, 1));
	}
	return compile_field(c, name, (size_t)(name.p - text), f);
}

static bool compile(struct condition *c, const char *text, struct fault *f)
{
	struct str all = str_trim(str_of(text)), name;
	const struct condition_operator *op = NULL;
	size_t at, first = (size_t)(all.p - text);

	for (at = field_span(all, "=!<>"); at < all.n; at += 1 + field_span(str_from(all, at + 1), "=!<>")) {
		op = operator_at(str_from(all, at));
		if (op)
			break;
		if (all.p[at] == '=')
			return fault_refuse(f, "'=' is not an operator; use == != < <= > >= =~ or !~", first + at);
	}
	if (!op)
		return compile_presence(c, all, text, f);
	name = str_trim(str_head(all, at));
	if (!name.n)
		return fault_refuse(f, "no field before the operator", first);
	if (name.p[0] == '!')
		return fault_refuse(
		    f, "!FIELD selects records without the field, which have no value to compare", first);
	c->test = op->test;
	c->value = str_trim(str_from(all, at + op->text.n));
	return compile_field(c, name, first, f) && compile_value(c, (size_t)(c->value.p - text), f);
}

static void free_condition(struct condition *c)
{
	field_free(&c->field);
	name_match_free(&c->regex);
	buf_free(&c->text);
	free(c->spec);
	free(c);
}

/* --- deciding --- */

/* Returns the text of a record's value: for a string, its unescaped content. The view is valid until the next call. */
static struct str operand_text(struct condition *c, const struct value *v)
{
	struct str inner = v->text;

	if (v->type != VALUE_STRING)
		return inner;
	inner = (struct str){inner.p + 1, inner.n - 2};
	if (!memchr(inner.p, '\\', inner.n))
		return inner;
	c->text.n = 0;
	json_unescape(&c->text, inner);
	return buf_str(&c->text);
}

/* Returns true if text is a number in JSON's grammar. */
static bool is_number(struct str text)
{
	int64_t ignored;

	return text.n && (text.p[0] == '-' || is_digit(text.p[0])) && num_fixed(text, 0, &ignored) != NUM_BAD;
}

/*
 * Compares a record's value with the condition's value: sets *order to <0, 0 or >0. Returns false when the two values
 * cannot be compared.
 */
static bool compare_value(struct condition *c, const struct value *v, int *order)
{
	const bool ordered = c->test != CONDITION_EQ && c->test != CONDITION_NE;
	struct str text = v->text;

	if (c->number && c->whole && v->type == VALUE_INT) {
		*order = (v->i > c->wanted) - (v->i < c->wanted);
		return true;
	}
	if (v->type == VALUE_STRING && (!c->number || ordered))
		text = operand_text(c, v);
	if (c->number && (v->type != VALUE_STRING || ordered) && is_number(text))
		*order = num_compare(text, c->unitless_n ? (struct str){c->unitless, c->unitless_n} : c->value);
	else if (c->number && v->type == VALUE_STRING && ordered)
		return false;
	else
		*order = str_cmp(operand_text(c, v), c->value);
	return true;
}

static bool holds(struct condition *c, const struct value *v)
{
	int order;

	if (c->test == CONDITION_LIKE || c->test == CONDITION_UNLIKE)
		return (name_match_first(&c->regex, v->text) != NAME_MATCH_NONE) == (c->test == CONDITION_LIKE);
	if (!compare_value(c, v, &order))
		return false;
	switch (c->test) {
	case CONDITION_EQ:
		return order == 0;
	case CONDITION_NE:
		return order != 0;
	case CONDITION_LT:
		return order < 0;
	case CONDITION_LE:
		return order <= 0;
	case CONDITION_GT:
		return order > 0;
	default:
		return order >= 0;
	}
}

static bool condition_holds(struct condition *c, struct event *e)
{
	struct value v;
	size_t i;

	if (c->test == CONDITION_PRESENT || c->test == CONDITION_ABSENT)
		return field_get(&c->field, e, 0, &v) == (c->test == CONDITION_PRESENT);
	for (i = 0; field_get(&c->field, e, i, &v); i++) {
		if (holds(c, &v))
			return true;
	}
	return false;
}

/* --- several conditions --- */

bool conditions_add(struct conditions *c, const char *text, struct fault *f)
{
	struct condition *added = mem_zero(1, sizeof *added);

	if (!compile(added, text, f)) {
		free_condition(added);
		return false;
	}
	c->list = mem_grow(c->list, &c->cap, c->n + 1, sizeof *c->list);
	c->list[c->n++] = added;
	return true;
}

bool conditions_hold(const struct conditions *c, struct event *e)
{
	size_t i;

	for (i = 0; i < c->n; i++) {
		if (!condition_holds(c->list[i], e))
			return false;
	}
	return true;
}

const struct field *conditions_field(const struct conditions *c, size_t i)
{
	return c->list[i]->test == CONDITION_ABSENT ? NULL : &c->list[i]->field;
}

void conditions_free(struct conditions *c)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		free_condition(c->list[i]);
	free(c->list);
	*c = (struct conditions){0};
}

#include "record/condition.h"

#include "base/num_format.h"
#include "base/units.h"
#include "json/string.h"
#include "record/name_match.h"

#include <stdlib.h>

/* Longer operators come first, since the first operator that matches is taken. */
enum condition_test { TEST_EQ, TEST_NE, TEST_LE, TEST_GE, TEST_LIKE, TEST_UNLIKE, TEST_LT, TEST_GT, TEST_OPERATORS };
enum { LESS = 1, EQUAL = 2, GREATER = 4 }; /* the order of a record's value and that of the condition */
static const struct {
	struct str text;
	unsigned orders; /* the orders for which the condition holds */
} operators[TEST_OPERATORS] = {{{"==", 2}, EQUAL}, {{"!=", 2}, LESS | GREATER}, {{"<=", 2}, LESS | EQUAL},
    {{">=", 2}, GREATER | EQUAL}, {{"=~", 2}, 0}, {{"!~", 2}, 0}, {{"<", 1}, LESS}, {{">", 1}, GREATER}};

struct condition {
	enum condition_test test; /* TEST_OPERATORS: FIELD or !FIELD */
	bool absent;              /* !FIELD */
	struct field field;
	struct str value;  /* the text after the operator, without quotes; points into the caller's text */
	struct str number; /* the value as a number in base units; empty if it is not a number */
	bool whole;        /* the number fits in int64; `wanted` holds it */
	int64_t wanted;
	char digits[NUM_ROOM]; /* the text of `number`, if the value has a unit */
	struct name_match regex;
	struct buf text; /* during a comparison: the unescaped text of a string */
};

/* --- compiling --- */

/*
 * Parses the value as a number if possible. A number with a unit becomes an integer in base units, rounded in the same
 * way as in all other programs.
 */
static bool compile_number(struct condition *c, size_t at, struct fault *f)
{
	const struct unit *unit;
	enum num_result r = units_parse(c->value, &c->wanted, &unit);

	if (r != NUM_BAD && unit && c->field.base != FIELD_PLAIN && unit->size != (c->field.base == FIELD_SIZE))
		return fault_refuse(f,
		    unit->size ? "the field is a time, but the value is a size"
			       : "the field is a size, but the value is a time",
		    at);
	if (r == NUM_RANGE && unit)
		return fault_refuse(f, "the value does not fit in 64 bits", at);
	if (r == NUM_BAD && c->field.base == FIELD_TIME)
		return fault_refuse(f, "expected a time, such as 10ms (units: ns us ms s)", at);
	if (r == NUM_BAD && c->field.base == FIELD_SIZE)
		return fault_refuse(f, "expected a size, such as 64MiB (units: B kB MB GB KiB MiB GiB)", at);
	if (r != NUM_BAD)
		c->number = unit ? num_str_i64(c->digits, c->wanted) : c->value;
	c->whole = r == NUM_OK && (unit || num_int(c->value, &c->wanted) == NUM_OK);
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

/* Compiles the value at the offset `at` of the condition. */
static bool compile_value(struct condition *c, size_t at, struct fault *f)
{
	struct str *v = &c->value;
	char first, *regex;
	bool good;

	if (!v->n)
		return fault_refuse(f, "no value after the operator (write '' for an empty string)", at);
	first = v->p[0];
	if (first == '\'' || first == '"') {
		if (v->n < 2 || v->p[v->n - 1] != first)
			return fault_refuse(f, "missing closing quote", at);
		*v = (struct str){v->p + 1, v->n - 2};
	} else if (holds_another(*v)) {
		return fault_refuse(f, "two conditions in one option; give each its own -w", at);
	}
	if (c->test == TEST_LIKE || c->test == TEST_UNLIKE) {
		regex = str_dup(*v);
		good = name_match_regex(&c->regex, regex, f);
		free(regex);
		f->at.byte = at;
		return good;
	}
	if (first == '\'' || first == '"')
		return true;
	/* These are typing errors: "dur=>5", "dur<>5", "kind===api"; but name==<lambda> is valid. */
	if (first == '=' || first == '~' || (c->test > TEST_NE && (first == '<' || first == '>')))
		return fault_refuse(f, "more than one operator", at);
	return compile_number(c, at, f);
}

static bool compile(struct condition *c, const char *text, struct fault *f)
{
	struct str all = str_trim(str_of(text)), name;
	size_t at, first = (size_t)(all.p - text);

	for (at = field_span(all, "=!<>"); at < all.n; at += 1 + field_span(str_from(all, at + 1), "=!<>")) {
		for (c->test = 0; c->test < TEST_OPERATORS; c->test++) {
			if (str_starts(str_from(all, at), operators[c->test].text))
				break;
		}
		if (c->test < TEST_OPERATORS)
			break;
		if (all.p[at] == '=')
			return fault_refuse(f, "'=' is not an operator; use == != < <= > >= =~ or !~", first + at);
	}
	c->absent = at >= all.n && str_starts(all, STR("!"));
	if (at >= all.n)
		c->test = TEST_OPERATORS;
	name = str_trim(c->absent ? str_from(all, 1) : str_head(all, at));
	if (at < all.n && !name.n)
		return fault_refuse(f, "no field before the operator", first);
	if (at < all.n && name.p[0] == '!')
		return fault_refuse(
		    f, "!FIELD selects records without the field, which have no value to compare", first);
	if (!field_compile(&c->field, name, f)) {
		f->at.byte += (size_t)(name.p - text);
		return false;
	}
	if (c->test == TEST_OPERATORS)
		return true;
	c->value = str_trim(str_from(all, at + operators[c->test].text.n));
	return compile_value(c, (size_t)(c->value.p - text), f);
}

static void free_condition(struct condition *c)
{
	field_free(&c->field);
	name_match_free(&c->regex);
	buf_free(&c->text);
	free(c);
}

/* --- deciding --- */

/* Returns true if text is a number in JSON's grammar. */
static bool is_number(struct str text)
{
	int64_t ignored;

	return text.n && (text.p[0] == '-' || is_digit(text.p[0])) && num_fixed(text, 0, &ignored) != NUM_BAD;
}

static bool holds(struct condition *c, const struct value *v)
{
	const bool string = v->type == VALUE_STRING;
	/* Only the order of a string can be that of a number; two strings are equal if their texts are. */
	const bool numeric = c->number.n && (!string || (c->test != TEST_EQ && c->test != TEST_NE));
	struct str text;
	int order;

	if (c->test == TEST_LIKE || c->test == TEST_UNLIKE)
		return (name_match_first(&c->regex, v->text) != NAME_MATCH_NONE) == (c->test == TEST_LIKE);
	if (c->whole && v->type == VALUE_INT) {
		order = int_compare(v->i, c->wanted);
	} else {
		text = string ? json_decoded(&c->text, json_inner(v->text)) : v->text;
		if (numeric && is_number(text))
			order = num_compare(text, c->number);
		else if (numeric && string)
			return false;
		else
			order = str_cmp(text, c->value);
	}
	return operators[c->test].orders & (order < 0 ? LESS : order > 0 ? GREATER : EQUAL);
}

static bool condition_holds(struct condition *c, struct event *e)
{
	struct value v;
	size_t i;

	if (c->test == TEST_OPERATORS)
		return field_get(&c->field, e, 0, &v) != c->absent;
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

	for (i = 0; i < c->n && condition_holds(c->list[i], e); i++)
		;
	return i == c->n;
}

const struct field *conditions_field(const struct conditions *c, size_t i)
{
	return c->list[i]->absent ? NULL : &c->list[i]->field;
}

void conditions_free(struct conditions *c)
{
	while (c->n)
		free_condition(c->list[--c->n]);
	free(c->list);
	*c = (struct conditions){0};
}

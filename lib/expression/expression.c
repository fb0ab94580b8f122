#include "expression/expression.h"

#include "expression/arithmetic.h"
#include "base/char_class.h"
#include "base/num_parse.h"
#include "base/units.h"
#include "json/check.h"
#include "json/iter.h"
#include "json/string.h"
#include "record/name_match.h"
#include "expression/text_functions.h"

#include <regex.h>
#include <stdlib.h>

/*
 * Instructions use a stack of values: each instruction takes its operands from the top and puts its result there.
 * OP_IF pops the condition, and jumps to `other` if it is 0. If the condition is ABSENT or FAILED, OP_IF leaves it on
 * the stack and jumps to `end`.
 */
enum expression_instruction_type {
	OP_CONSTANT, /* push `constant` */
	OP_FIELD,    /* push the value of fields[index] */
	OP_NAME,     /* push the value of names[index] */
	OP_CALL,     /* call `run` with one or two operands */
	OP_IF,
	OP_JUMP,    /* jump to instruction `end` */
	OP_DEFAULT, /* pop the top if it is ABSENT, otherwise jump to instruction `end` */
};

struct expression_parser;

/* An operator or a function. */
struct expression_operation {
	const char *name;
	operation *run;     /* takes one operand, or two: it runs again for each further argument */
	bool numbers;       /* operands are converted to numbers */
	bool regex;         /* the second argument is a regular expression */
	int precedence;     /* of an operator */
	unsigned orders;    /* of a comparison: when it is true */
	size_t least, most; /* minimum and maximum number of arguments of a function */
	bool (*parse)(struct expression_parser *p); /* for functions that do not evaluate all arguments */
};

struct expression_instruction {
	enum expression_instruction_type type;
	uint32_t index, other, end;
	struct result constant; /* its text is owned */
	operation *run;
	bool binary, numbers;
	struct operands operands;
};

struct expression {
	struct expression_instruction *code;
	struct result *stack;
	size_t n, cap;
};

/* --- operations --- */

/* Converts a value to a number. Returns false when it is now FAILED. */
static inline bool to_number(struct result *r)
{
	if (!result_is_number(r))
		*r = result_as_number(r);
	return r->type != RESULT_FAILED;
}

/* Runs an operation on the operands as numbers. */
static inline struct result run_on_numbers(operation *run, struct operands *o)
{
	if (!to_number(o->a))
		return *o->a;
	if (o->b && !to_number(o->b))
		return *o->b;
	return run(o);
}

/* Adds two numbers, or joins two texts. */
static struct result add(struct operands *o)
{
	if (o->a->type == RESULT_TEXT && o->b->type == RESULT_TEXT)
		return text_concatenate(o);
	return run_on_numbers(arithmetic_add, o);
}

/* Gets the last member of the object a with the key b, which is JSON text without its quotes. */
static struct result member_of(struct operands *o)
{
	return o->a->type == RESULT_OTHER ? result_json(iter_find(o->a->json, o->b->text)) : result_absent();
}

/*
 * Returns the value as INT, REAL or FAILED. A text that contains a number is converted; any other text gives ABSENT.
 */
static struct result number_in(const struct result *r, struct buf *room)
{
	struct result number;
	struct str text;
	int64_t ignored;

	if (r->type != RESULT_TEXT)
		return result_as_number(r);
	text = result_characters(r, room);
	if (num_fixed(text, 0, &ignored) == NUM_BAD)
		return result_absent();
	number = result_json(text);
	return result_as_number(&number);
}

static struct result number_of(struct operands *o)
{
	struct result x = number_in(o->a, &o->room[0]);

	x.json.p = NULL; /* written as a computed number: 1.50 becomes 1.5 */
	return x;
}

/* The order of two values. UNRELATED: one value is a number, the other is a text that contains no number. */
enum { LESS = 1, EQUAL = 2, GREATER = 4, UNRELATED = 8 };

static struct result decide(const struct operands *o, int order)
{
	return result_int((o->orders & (order < 0 ? LESS : order > 0 ? GREATER : EQUAL)) != 0);
}

/* Gets the characters of a text; true and false are the texts "true" and "false". Returns false for other values. */
static bool comparable_text(const struct result *r, struct buf *room, struct str *text)
{
	if (r->type != RESULT_TEXT && (r->type != RESULT_OTHER || (r->json.p[0] != 't' && r->json.p[0] != 'f')))
		return false;
	*text = result_as_text(r, room);
	return true;
}

static struct result compare(struct operands *o)
{
	struct result x, y;
	struct str text, other;

	if (o->a->type == RESULT_INT && o->b->type == RESULT_INT)
		return decide(o, arithmetic_compare(o->a, o->b));
	if ((o->a->type == RESULT_TEXT || o->b->type == RESULT_TEXT) && comparable_text(o->a, &o->room[0], &text) &&
	    comparable_text(o->b, &o->room[1], &other))
		return decide(o, str_cmp(text, other));
	x = number_in(o->a, &o->room[0]);
	y = number_in(o->b, &o->room[1]);
	if (x.type == RESULT_FAILED || y.type == RESULT_FAILED) {
		const enum result_failure f = x.type == RESULT_FAILED ? x.failure : y.failure;

		return result_failed(f == FAILURE_NUMBER ? FAILURE_COMPARE : f);
	}
	if (x.type == RESULT_ABSENT || y.type == RESULT_ABSENT)
		return result_int((o->orders & UNRELATED) != 0);
	return decide(o, arithmetic_compare(&x, &y));
}

/* --- compiling --- */

struct expression_parser {
	struct expression_scope *scope;
	struct expression *x;
	struct str text;
	size_t at;
	size_t depth;       /* number of open parentheses */
	size_t conditional; /* number of enclosing calls of if() and default(), which do not evaluate all arguments */
	size_t height, highest; /* current and maximum number of values on the stack */
	struct fault *fault;
};

/* Sets *p->fault and returns false. */
static inline bool refuse(struct expression_parser *p, const char *what, size_t at)
{
	return fault_refuse(p->fault, what, at);
}

static inline struct str rest_of(const struct expression_parser *p)
{
	return str_from(p->text, p->at);
}

/* Adds an instruction that changes the height of the stack by `change`; returns its index. */
static size_t emit(struct expression_parser *p, struct expression_instruction instruction, int change)
{
	struct expression *x = p->x;

	x->code = mem_grow(x->code, &x->cap, x->n + 1, sizeof *x->code);
	x->code[x->n] = instruction;
	/* The height of the stack is known at each instruction, so the stack is allocated once and never checked. */
	p->height = (size_t)((ptrdiff_t)p->height + change);
	p->highest = p->height > p->highest ? p->height : p->highest;
	return x->n++;
}

/* Adds the instruction that pushes a constant. A text is copied. */
static void emit_constant(struct expression_parser *p, struct result value)
{
	if (value.type == RESULT_TEXT)
		value.text.p = str_dup(value.text);
	emit(p, (struct expression_instruction){.type = OP_CONSTANT, .constant = value}, 1);
}

static void emit_call(struct expression_parser *p, const struct expression_operation *f, bool binary, regex_t *regex)
{
	const struct operands operands = {.regex = regex, .orders = f->orders};

	emit(p,
	    (struct expression_instruction){
		OP_CALL, .run = f->run, .binary = binary, .numbers = f->numbers, .operands = operands},
	    binary ? -1 : 0);
}

/* --- numbers and texts --- */

/* Returns the length of the name at the beginning of s: letters, digits and _. */
static size_t name_length(struct str s)
{
	return str_first(s, is_name_byte).n;
}

/*
 * The functions that parse return false and set *p->fault when the text at p->at is invalid. parse_number() parses a
 * number with its unit: 5, 1.5ms, 1e-3.
 */
static bool parse_number(struct expression_parser *p, bool negative)
{
	const struct str s = rest_of(p);
	size_t n = name_length(s);
	struct buf number = {0};
	const struct unit *unit;
	struct result value;
	enum num_result read;
	int64_t whole;

	if (n < s.n && s.p[n] == '.')
		n += 1 + name_length(str_from(s, n + 1));
	/* A sign after e belongs to the exponent: 1e-3 is a number, and 1-3 is not. */
	if (n < s.n && (s.p[n] == '-' || s.p[n] == '+') && (s.p[n - 1] == 'e' || s.p[n - 1] == 'E'))
		n += 1 + name_length(str_from(s, n + 1));
	if (negative)
		buf_char(&number, '-');
	buf_add(&number, s.p, n);
	read = units_parse(buf_str(&number), &whole, &unit);
	value = read != NUM_BAD && unit ? result_int(whole) : result_json(buf_str(&number));
	value.json.p = NULL;
	buf_free(&number);
	if (read == NUM_BAD)
		return refuse(p, "invalid number (units: ns us ms s B kB MB GB KiB MiB GiB)", p->at);
	if (unit && read == NUM_RANGE)
		return refuse(p, "a number with a unit must fit in 64 bits", p->at);
	if (!result_is_number(&value))
		return refuse(p, "the number is too large for a double", p->at);
	emit_constant(p, value);
	p->at += n;
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
	const struct str s = rest_of(p);
	struct buf json = {0};
	struct fault ignored;
	size_t n;
	bool good;

	for (n = 1; n < s.n && s.p[n] != '\''; n++)
		n += s.p[n] == '\\';
	if (n >= s.n)
		return refuse(p, "the closing quote is missing", p->at);
	buf_char(&json, '"');
	add_as_json(&json, (struct str){s.p + 1, n - 1});
	buf_char(&json, '"');
	good = json_check(buf_str(&json), &ignored);
	if (good)
		json_unescape(text, json_inner(buf_str(&json)));
	buf_free(&json);
	if (!good)
		return refuse(p,
		    "invalid text in quotes: the escapes are those of JSON and \\', and control characters must be "
		    "escaped",
		    p->at);
	p->at += n + 1;
	return true;
}

static void regex_free(regex_t *regex)
{
	if (regex)
		regfree(regex);
	free(regex);
}

/* Parses a regular expression in single quotes. Returns NULL and sets *p->fault when it is invalid. */
static regex_t *parse_regex(struct expression_parser *p)
{
	regex_t *regex = mem_alloc(sizeof *regex);
	const size_t first = p->at;
	struct buf text = {0};
	struct fault f;
	bool good;

	if (p->at == p->text.n || p->text.p[p->at] != '\'')
		good = refuse(p, "expected a regular expression in single quotes", p->at);
	else
		good = read_text(p, &text);
	buf_char(&text, '\0');
	if (good && !name_match_compile(regex, text.p, 0, &f))
		good = refuse(p, f.what, first);
	buf_free(&text);
	if (good)
		return regex;
	free(regex);
	return NULL;
}

/* --- fields --- */

/* Sets *n to the length of the field reference that begins at p->at. */
static bool measure_reference(struct expression_parser *p, size_t *n)
{
	const struct str s = rest_of(p);
	size_t at = 0, part;

	for (;; at++) {
		part = field_quoted(str_from(s, at));
		if (!part && at < s.n && s.p[at] == '"')
			return refuse(p, "the closing quote is missing", p->at + at);
		part = part ? part : name_length(str_from(s, at));
		if (!part)
			return refuse(p, "expected a name after '.'", p->at + at);
		at += part;
		if (at == s.n || s.p[at] != '.')
			break;
	}
	if (at < s.n && s.p[at] == '[')
		return refuse(p, "expected a field without []; use len(FIELD) for the number of elements of an array",
		    p->at + at);
	*n = at;
	return true;
}

/* Returns the index of the field in the scope, which owns it from now on. */
static size_t add_field(struct expression_parser *p, struct field field)
{
	struct expression_scope *s = p->scope;
	bool late = false; /* it depends on a member that an earlier assignment sets */
	size_t i;

	for (i = 0; field.computed && i < s->n_names; i++) {
		const enum event_member m = s->names[i].member;

		late |= s->names[i].visible && (field.computed == FIELD_END ? m <= EVENT_DUR : m == EVENT_NAME);
	}
	for (i = 0; i < s->n_fields && (late || s->fields[i].late || !str_eq(s->fields[i].field.asked, field.asked));
	     i++)
		;
	if (i < s->n_fields) {
		field_free(&field);
	} else {
		s->fields = mem_grow(s->fields, &s->fields_cap, s->n_fields + 1, sizeof *s->fields);
		s->fields[s->n_fields++] = (struct expression_field){.field = field, .late = late};
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
	const size_t quoted = field_quoted(reference), n = quoted ? quoted : name_length(reference);

	name->n = 0;
	if (quoted)
		json_unescape(name, json_inner(str_head(reference, n)));
	else
		buf_add(name, reference.p, n);
	return str_from(reference, n + 1);
}

/* Parses a field, an assigned name `a`, or a reference `a.b` to a member of an assigned name. */
static bool parse_field(struct expression_parser *p)
{
	static const struct expression_operation member = {.run = member_of};
	struct str reference, steps = {NULL, 0};
	struct buf part = {0}, key = {0};
	size_t n, name = SIZE_MAX;
	struct field field;

	if (!measure_reference(p, &n))
		return false;
	reference = str_head(rest_of(p), n);
	if (!field_compile(&field, reference, p->fault))
		return refuse(p, p->fault->what, p->at + p->fault->at.byte);
	p->at += n;
	if (!field.quoted || field.n_steps == 1)
		name = find_assigned(p->scope, field.name);
	if (name == SIZE_MAX && field.n_steps > 1) {
		steps = first_part(reference, &part);
		name = find_assigned(p->scope, buf_str(&part));
	}
	if (name == SIZE_MAX) {
		name = add_field(p, field);
		emit(p, (struct expression_instruction){.type = OP_FIELD, .index = (uint32_t)name}, 1);
	} else {
		field_free(&field);
		emit(p, (struct expression_instruction){.type = OP_NAME, .index = (uint32_t)name}, 1);
		while (steps.n) {
			steps = first_part(steps, &part);
			emit_constant(p, result_text(json_inner(json_quoted(&key, buf_str(&part)))));
			emit_call(p, &member, true, NULL);
		}
	}
	bufs_free(&part, &key);
	return true;
}

/* --- white space and punctuation --- */

static void skip_blanks(struct expression_parser *p)
{
	while (p->at < p->text.n && is_json_space(p->text.p[p->at]))
		p->at++;
}

/* Skips white space, and then the character c. Returns false when another character follows the white space. */
static bool accept(struct expression_parser *p, char c)
{
	skip_blanks(p);
	if (p->at == p->text.n || p->text.p[p->at] != c)
		return false;
	p->at++;
	return true;
}

/* --- operands, functions, operators --- */

static bool parse_binary(struct expression_parser *p, int least);

static bool expect(struct expression_parser *p, char c, const char *what)
{
	return accept(p, c) || refuse(p, what, p->at);
}

static bool parse_if(struct expression_parser *p)
{
	size_t test, jump;

	if (!parse_binary(p, 0))
		return false;
	test = emit(p, (struct expression_instruction){.type = OP_IF}, -1);
	p->conditional++;
	if (!expect(p, ',', "expected ',' and a second argument: if(CONDITION,VALUE,OTHER)") || !parse_binary(p, 0))
		return false;
	/* The change is -1, because only one of the two values will be on the stack. */
	jump = emit(p, (struct expression_instruction){.type = OP_JUMP}, -1);
	p->x->code[test].other = (uint32_t)p->x->n;
	if (!accept(p, ','))
		emit_constant(p, result_absent());
	else if (!parse_binary(p, 0))
		return false;
	p->conditional--;
	p->x->code[test].end = p->x->code[jump].end = (uint32_t)p->x->n;
	return true;
}

/* The instructions that jump to the end form a list, linked by `end`, until the end is known. */
static bool parse_default(struct expression_parser *p)
{
	uint32_t last = UINT32_MAX, next;

	p->conditional++;
	if (!parse_binary(p, 0))
		return false;
	while (accept(p, ',')) {
		last = (uint32_t)emit(p, (struct expression_instruction){.type = OP_DEFAULT, .end = last}, -1);
		if (!parse_binary(p, 0))
			return false;
	}
	p->conditional--;
	if (last == UINT32_MAX)
		return refuse(p, "expected ',' and a second argument: default(VALUE,OTHER)", p->at);
	for (; last != UINT32_MAX; last = next) {
		next = p->x->code[last].end;
		p->x->code[last].end = (uint32_t)p->x->n;
	}
	return true;
}

/* Parses the arguments of capture() and sub(). The second argument is a regular expression, which is compiled here. */
static bool parse_regex_function(struct expression_parser *p, const struct expression_operation *f)
{
	const bool replaces = f->least == 3;
	regex_t *regex;
	size_t at;
	bool good;

	if (!parse_binary(p, 0) || !expect(p, ',', "expected ',' and a regular expression in single quotes"))
		return false;
	skip_blanks(p);
	at = p->at;
	regex = parse_regex(p);
	if (!regex)
		return false;
	if (replaces)
		good = expect(p, ',', "expected ',' and a replacement") && parse_binary(p, 0);
	else
		good = regex->re_nsub == 1 || refuse(p, "expected a regular expression with exactly one (group)", at);
	if (good)
		emit_call(p, f, replaces, regex);
	else
		regex_free(regex);
	return good;
}

static bool parse_arguments(struct expression_parser *p, const struct expression_operation *f)
{
	size_t n;

	if (f->parse)
		return f->parse(p);
	if (f->regex)
		return parse_regex_function(p, f);
	if (!parse_binary(p, 0))
		return false;
	for (n = 1; n < f->most && accept(p, ','); n++) {
		if (!parse_binary(p, 0))
			return false;
		emit_call(p, f, true, NULL);
	}
	if (n < f->least)
		return refuse(p, "expected ',' and a second argument", p->at);
	if (f->most == 1)
		emit_call(p, f, false, NULL);
	return true;
}

enum {
	DEPTH_MOST = 200,     /* maximum levels of parentheses, including those of functions */
	ANY_NUMBER = 1 << 30, /* no limit on the number of arguments */
};

/* Longer operators come first, since the parser takes the first operator that matches. */
static const struct expression_operation operators[] = {
    {"//", arithmetic_quotient, .precedence = 4, .numbers = true},
    {"==", compare, .precedence = 1, .orders = EQUAL},
    {"!=", compare, .precedence = 1, .orders = LESS | GREATER | UNRELATED},
    {"<=", compare, .precedence = 2, .orders = LESS | EQUAL},
    {">=", compare, .precedence = 2, .orders = GREATER | EQUAL},
    {"<", compare, .precedence = 2, .orders = LESS},
    {">", compare, .precedence = 2, .orders = GREATER},
    {"+", add, .precedence = 3},
    {"-", arithmetic_subtract, .precedence = 3, .numbers = true},
    {"*", arithmetic_multiply, .precedence = 4, .numbers = true},
    {"/", arithmetic_divide, .precedence = 4, .numbers = true},
    {"%", arithmetic_rest, .precedence = 4, .numbers = true},
    {.name = NULL},
};

static const struct expression_operation negation = {"-", arithmetic_negate, .numbers = true};

static const struct expression_operation functions[] = {
    {"abs", arithmetic_abs, .least = 1, .most = 1, .numbers = true},
    {"capture", text_capture, .least = 2, .regex = true},
    {"compact", text_compact, .least = 1, .most = 1},
    {"default", .parse = parse_default},
    {"fixed", text_fixed, .least = 2, .most = 2},
    {"floor", arithmetic_floor, .least = 1, .most = 1, .numbers = true},
    {"if", .parse = parse_if},
    {"item", text_item, .least = 2, .most = 2},
    {"join", text_join, .least = 2, .most = 2},
    {"json", text_parse_json, .least = 1, .most = 1},
    {"kernel_class", text_kernel_class, .least = 1, .most = 1},
    {"kernel_matrix", text_kernel_matrix, .least = 1, .most = 1},
    {"kernel_op", text_kernel_operation, .least = 1, .most = 1},
    {"kernel_rule", text_kernel_rule, .least = 1, .most = 1},
    {"len", text_length, .least = 1, .most = 1},
    {"max", arithmetic_max, .least = 2, .most = ANY_NUMBER, .numbers = true},
    {"min", arithmetic_min, .least = 2, .most = ANY_NUMBER, .numbers = true},
    {"num", number_of, .least = 1, .most = 1},
    {"pad", text_pad, .least = 2, .most = 2},
    {"repeat", text_repeat, .least = 2, .most = 2},
    {"round", arithmetic_round, .least = 1, .most = 1, .numbers = true},
    {"str", text_of, .least = 1, .most = 1},
    {"sub", text_substitute, .least = 3, .regex = true},
    {"sum", text_sum, .least = 1, .most = 1},
    {.name = NULL},
};

/* Parses from the '(' at p->at to its ')'. `f` is the function, NULL for parentheses without a function. */
static bool parse_brackets(struct expression_parser *p, const struct expression_operation *f)
{
	const size_t first = p->at++;
	bool good;

	if (++p->depth > DEPTH_MOST)
		return refuse(p, "too many nested parentheses: at most 200", first);
	good = f ? parse_arguments(p, f) : parse_binary(p, 0);
	p->depth--;
	return good && expect(p, ')', "expected an operator or ')'");
}

/* Parses a call of a function, or a field. */
static bool parse_name(struct expression_parser *p)
{
	const struct str name = str_head(rest_of(p), name_length(rest_of(p)));
	const struct expression_operation *f;
	const size_t first = p->at;

	p->at += name.n;
	skip_blanks(p);
	if (p->at == p->text.n || p->text.p[p->at] != '(') {
		p->at = first;
		return parse_field(p);
	}
	for (f = functions; f->name; f++) {
		if (str_eq(name, str_of(f->name)))
			return parse_brackets(p, f);
	}
	return refuse(p,
	    "unknown function; the functions are abs capture compact default fixed floor if item join json "
	    "kernel_class kernel_matrix kernel_op kernel_rule len max min num pad repeat round str sub sum",
	    first);
}

static bool parse_value(struct expression_parser *p)
{
	const char c = p->at < p->text.n ? p->text.p[p->at] : '\0';
	struct buf text = {0};
	bool good;

	if (is_digit(c))
		return parse_number(p, false);
	if (c == '\'') {
		good = read_text(p, &text);
		if (good)
			emit_constant(p, result_text((struct str){text.p ? text.p : "", text.n}));
		buf_free(&text);
		return good;
	}
	if (c == '"')
		return parse_field(p);
	if (c == '(')
		return parse_brackets(p, NULL);
	if (is_name_byte(c))
		return parse_name(p);
	return refuse(p, "expected a field, a number, a text in single quotes or '('", p->at);
}

static bool parse_operand(struct expression_parser *p)
{
	size_t signs = 0;
	bool number;

	while (accept(p, '-'))
		signs++;
	/* The last sign is a part of a number, since -2^127 fits in 128 bits, but 2^127 does not. */
	number = signs && p->at < p->text.n && is_digit(p->text.p[p->at]);
	signs -= number;
	if (!(number ? parse_number(p, true) : parse_value(p)))
		return false;
	for (; signs; signs--)
		emit_call(p, &negation, false, NULL);
	return true;
}

/* Parses operands and operators of at least this precedence. */
static bool parse_binary(struct expression_parser *p, int least)
{
	const struct expression_operation *f;

	if (!parse_operand(p))
		return false;
	for (;;) {
		skip_blanks(p);
		for (f = operators; f->name && !str_starts(rest_of(p), str_of(f->name)); f++)
			;
		if (!f->name || f->precedence < least)
			return true;
		p->at += strlen(f->name);
		if (!parse_binary(p, f->precedence + 1))
			return false;
		emit_call(p, f, true, NULL);
	}
}

struct expression *expression_new(struct expression_scope *s, struct str text, size_t at, struct fault *f)
{
	struct expression *x = mem_zero(1, sizeof *x);
	struct expression_parser p = {.scope = s, .x = x, .text = text, .at = at, .fault = f};
	bool good = parse_binary(&p, 0);

	if (good && p.at < text.n)
		good = refuse(&p,
		    text.p[p.at] == '=' ? "'=' is not an operator; use == to compare"
					: "expected an operator (+ - * / // % == != < <= > >=)",
		    p.at);
	if (!good) {
		expression_free(x);
		return NULL;
	}
	x->stack = mem_zero(p.highest, sizeof *x->stack);
	return x;
}

void expression_free(struct expression *x)
{
	size_t i;

	if (!x)
		return;
	for (i = 0; i < x->n; i++) {
		struct expression_instruction *c = &x->code[i];

		bufs_free(&c->operands.room[0], &c->operands.room[1], &c->operands.room[2]);
		regex_free(c->operands.regex);
		free((char *)(uintptr_t)c->constant.text.p);
	}
	mem_free(x->code, x->stack);
	free(x);
}

/* --- the scope --- */

size_t expression_scope_name(struct expression_scope *s, struct str name)
{
	size_t i;

	for (i = 0; i < s->n_names; i++) {
		if (str_eq(s->names[i].name, name))
			return i;
	}
	s->names = mem_grow(s->names, &s->names_cap, s->n_names + 1, sizeof *s->names);
	s->names[s->n_names] = (struct expression_name){.name = {str_dup(name), name.n}, .member = event_member(name)};
	return s->n_names++;
}

void expression_scope_free(struct expression_scope *s)
{
	size_t i;

	for (i = 0; i < s->n_fields; i++) {
		field_free(&s->fields[i].field);
		buf_free(&s->fields[i].room);
	}
	for (i = 0; i < s->n_names; i++)
		free((char *)(uintptr_t)s->names[i].name.p);
	mem_free(s->fields, s->names);
	*s = (struct expression_scope){0};
}

/* --- evaluating: fields --- */

/* Computes `end` or `short` from the assigned members. */
static struct result late_value(struct expression_scope *s, struct expression_field *f, struct event *e)
{
	struct event changed;
	struct value v;
	size_t i;

	event_walk(e);
	changed = *e;
	for (i = 0; i < s->n_names; i++) {
		const struct expression_name *name = &s->names[i];
		struct result r = result_of_member(name->member, &name->value);

		if (name->record != s->record || (name->member > EVENT_DUR && name->member != EVENT_NAME))
			continue;
		if (r.type == RESULT_FAILED) {
			r.i = (int128)i + 1;
			return r;
		}
		changed.has &= ~(1u << name->member);
		changed.m[name->member].p = NULL;
		if (r.type == RESULT_ABSENT)
			continue;
		if (name->member == EVENT_NAME) {
			f->room.n = 0;
			result_write(&f->room, &r);
			event_set(&changed, EVENT_NAME, buf_str(&f->room));
		} else {
			*(name->member == EVENT_TS ? &changed.ts : &changed.dur) = (int64_t)r.i;
			event_set(&changed, name->member, STR("0")); /* marks it as present; its text is not used */
		}
	}
	field_get(&f->field, &changed, 0, &v);
	return result_of(&v);
}

static struct result field_value(struct expression_scope *s, struct expression_field *f, struct event *e)
{
	struct value v;

	if (f->late)
		return late_value(s, f, e);
	if (f->record != s->record) {
		field_get(&f->field, e, 0, &v);
		f->value = result_of(&v);
		f->record = s->record;
	}
	return f->value;
}

/* --- evaluating: instructions --- */

static inline bool is_missing(const struct result *r)
{
	return r->type == RESULT_ABSENT || r->type == RESULT_FAILED;
}

/* Calls an operation. An operand that is missing is the result. */
static struct result call(struct expression_instruction *c, struct result *a, struct result *b)
{
	if (a->type == RESULT_FAILED || (a->type == RESULT_ABSENT && (!b || b->type != RESULT_FAILED)))
		return *a;
	if (b && is_missing(b))
		return *b;
	c->operands.a = a;
	c->operands.b = b;
	return c->numbers ? run_on_numbers(c->run, &c->operands) : c->run(&c->operands);
}

struct result expression_value(struct expression *x, struct expression_scope *s, struct event *e)
{
	struct result *top = x->stack; /* the first free place on the stack */
	size_t at = 0;

	while (at < x->n) {
		struct expression_instruction *c = &x->code[at++];

		switch (c->type) {
		case OP_CONSTANT:
			*top++ = c->constant;
			break;
		case OP_FIELD:
			*top++ = field_value(s, &s->fields[c->index], e);
			break;
		case OP_NAME:
			*top++ = s->names[c->index].value;
			break;
		case OP_CALL:
			top -= c->binary;
			top[-1] = call(c, &top[-1], c->binary ? top : NULL);
			break;
		case OP_IF:
			if (is_missing(&top[-1]) || !to_number(&top[-1])) {
				at = c->end;
				break;
			}
			top--;
			if (top->type == RESULT_INT ? top->i == 0 : !(top->d < 0 || top->d > 0))
				at = c->other;
			break;
		case OP_JUMP:
			at = c->end;
			break;
		case OP_DEFAULT:
			if (top[-1].type == RESULT_ABSENT)
				top--;
			else
				at = c->end;
			break;
		}
	}
	return top[-1];
}

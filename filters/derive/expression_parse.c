/* expression_parse: compiles the text of an expression; operators have the same precedence as in C. */
#include "expression_private.h"

#include "base/char_class.h"
#include "record/name_match.h"

#include <stdlib.h>

enum {
	DEPTH_MOST = 200,     /* maximum levels of parentheses, including those of functions */
	ANY_NUMBER = 1 << 30, /* no limit on the number of arguments */
};

/* Longer operators come first, since the parser takes the first operator that matches. */
static const struct {
	struct str text;
	enum expression_op op;
	int precedence;
} operators[] = {
    {{"//", 2}, OP_QUOTIENT, 4},
    {{"==", 2}, OP_EQ, 1},
    {{"!=", 2}, OP_NE, 1},
    {{"<=", 2}, OP_LE, 2},
    {{">=", 2}, OP_GE, 2},
    {{"<", 1}, OP_LT, 2},
    {{">", 1}, OP_GT, 2},
    {{"+", 1}, OP_ADD, 3},
    {{"-", 1}, OP_SUBTRACT, 3},
    {{"*", 1}, OP_MULTIPLY, 4},
    {{"/", 1}, OP_DIVIDE, 4},
    {{"%", 1}, OP_REST, 4},
};
enum { N_OPERATORS = sizeof operators / sizeof *operators };

static const struct function {
	struct str name;
	/* A unary operator, or a binary operator that is applied again for each further argument. */
	enum expression_op op;
	size_t least, most; /* minimum and maximum number of arguments */
} functions[] = {
    {{"abs", 3}, OP_ABS, 1, 1},
    {{"capture", 7}, OP_CAPTURE, 2, 2},
    {{"compact", 7}, OP_COMPACT, 1, 1},
    {{"default", 7}, OP_DEFAULT, 2, ANY_NUMBER},
    {{"fixed", 5}, OP_FIXED, 2, 2},
    {{"floor", 5}, OP_FLOOR, 1, 1},
    {{"if", 2}, OP_IF, 2, 3},
    {{"item", 4}, OP_ITEM, 2, 2},
    {{"join", 4}, OP_JOIN, 2, 2},
    {{"json", 4}, OP_JSON, 1, 1},
    {{"len", 3}, OP_LEN, 1, 1},
    {{"max", 3}, OP_MAX, 2, ANY_NUMBER},
    {{"min", 3}, OP_MIN, 2, ANY_NUMBER},
    {{"num", 3}, OP_NUM, 1, 1},
    {{"pad", 3}, OP_PAD, 2, 2},
    {{"repeat", 6}, OP_REPEAT, 2, 2},
    {{"round", 5}, OP_ROUND, 1, 1},
    {{"str", 3}, OP_STR, 1, 1},
    {{"sub", 3}, OP_SUB, 3, 3},
    {{"sum", 3}, OP_SUM, 1, 1},
};
enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

/* --- emitting instructions --- */

static bool has_room(enum expression_op op)
{
	return op == OP_ADD || (op >= OP_EQ && op <= OP_SUB) || (op >= OP_LEN && op <= OP_NUM);
}

/* Adds an instruction that changes the height of the stack by `change`; returns its index. */
size_t expression_emit(struct expression_parser *p, enum expression_op op, size_t index, int change)
{
	struct expression *x = p->x;

	x->code = mem_grow(x->code, &x->cap, x->n + 1, sizeof *x->code);
	x->code[x->n] = (struct expression_instruction){.op = op, .index = (uint32_t)index};
	if (has_room(op))
		x->code[x->n].room = mem_zero(EXPRESSION_ROOMS, sizeof *x->code[x->n].room);
	p->height = (size_t)((ptrdiff_t)p->height + change);
	p->highest = p->height > p->highest ? p->height : p->highest;
	return x->n++;
}

void expression_emit_constant(struct expression_parser *p, struct result value)
{
	struct expression *x = p->x;

	x->constants = mem_grow(x->constants, &x->constants_cap, x->n_constants + 1, sizeof *x->constants);
	if (value.type == RESULT_TEXT)
		value.text.p = str_dup(value.text);
	x->constants[x->n_constants] = value;
	expression_emit(p, OP_CONSTANT, x->n_constants++, 1);
}

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
	return accept(p, c) || expression_refuse(p, what, p->at);
}

static bool parse_if(struct expression_parser *p)
{
	size_t test, jump;

	if (!parse_binary(p, 0))
		return false;
	test = expression_emit(p, OP_IF, 0, -1);
	p->conditional++;
	if (!expect(p, ',', "expected ',' and a second argument: if(CONDITION,VALUE,OTHER)") || !parse_binary(p, 0))
		return false;
	jump = expression_emit(p, OP_JUMP, 0, -1);
	p->x->code[test].index = (uint32_t)p->x->n;
	if (!accept(p, ','))
		expression_emit_constant(p, (struct result){.type = RESULT_ABSENT});
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
	size_t at;

	p->conditional++;
	for (;;) {
		if (!parse_binary(p, 0))
			return false;
		if (!accept(p, ','))
			break;
		at = expression_emit(p, OP_DEFAULT, 0, -1);
		p->x->code[at].end = last;
		last = (uint32_t)at;
	}
	p->conditional--;
	if (last == UINT32_MAX)
		return expression_refuse(p, "expected ',' and a second argument: default(VALUE,OTHER)", p->at);
	for (; last != UINT32_MAX; last = next) {
		next = p->x->code[last].end;
		p->x->code[last].end = (uint32_t)p->x->n;
	}
	return true;
}

/* Parses the arguments of capture() and sub(). The second argument is a regular expression, which is compiled here. */
static bool parse_regex_function(struct expression_parser *p, enum expression_op op)
{
	size_t regex, at;

	if (!parse_binary(p, 0) || !expect(p, ',', "expected ',' and a regular expression in single quotes"))
		return false;
	skip_blanks(p);
	at = p->at;
	regex = p->x->n_regexes; /* the first argument may have had others */
	if (!expression_parse_regex(p))
		return false;
	if (op == OP_SUB) {
		if (!expect(p, ',', "expected ',' and a replacement") || !parse_binary(p, 0))
			return false;
	} else if (p->x->regexes[regex].re_nsub != 1) {
		return expression_refuse(p, "expected a regular expression with exactly one (group)", at);
	}
	expression_emit(p, op, regex, op == OP_SUB ? -1 : 0);
	return true;
}

static bool parse_arguments(struct expression_parser *p, const struct function *f)
{
	size_t n;

	if (f->op == OP_IF)
		return parse_if(p);
	if (f->op == OP_DEFAULT)
		return parse_default(p);
	if (f->op == OP_CAPTURE || f->op == OP_SUB)
		return parse_regex_function(p, f->op);
	if (!parse_binary(p, 0))
		return false;
	for (n = 1; n < f->most && accept(p, ','); n++) {
		if (!parse_binary(p, 0))
			return false;
		expression_emit(p, f->op, 0, -1);
	}
	if (n < f->least)
		return expression_refuse(p, "expected ',' and a second argument", p->at);
	if (f->most == 1)
		expression_emit(p, f->op, 0, 0);
	return true;
}

/* Parses from the '(' at p->at to its ')'. `f` is the function, NULL for parentheses without a function. */
static bool parse_brackets(struct expression_parser *p, const struct function *f)
{
	const size_t first = p->at++;
	bool good;

	if (++p->depth > DEPTH_MOST)
		return expression_refuse(p, "too many nested parentheses: at most 200", first);
	good = f ? parse_arguments(p, f) : parse_binary(p, 0);
	p->depth--;
	return good && expect(p, ')', "expected an operator or ')'");
}

static bool parse_name(struct expression_parser *p)
{
	const struct str name = str_head(expression_rest(p), expression_name_length(expression_rest(p)));
	const size_t first = p->at;
	size_t i;

	p->at += name.n;
	skip_blanks(p);
	if (p->at == p->text.n || p->text.p[p->at] != '(') {
		p->at = first;
		return expression_parse_field(p);
	}
	for (i = 0; i < N_FUNCTIONS; i++) {
		if (str_eq(name, functions[i].name))
			return parse_brackets(p, &functions[i]);
	}
	return expression_refuse(p,
	    "unknown function; the functions are abs capture compact default fixed floor if item join json len max min "
	    "num pad repeat round str sub sum",
	    first);
}

static bool parse_value(struct expression_parser *p)
{
	const char c = p->at < p->text.n ? p->text.p[p->at] : '\0';

	if (is_digit(c))
		return expression_parse_number(p, false);
	if (c == '\'')
		return expression_parse_text(p);
	if (c == '"')
		return expression_parse_field(p);
	if (c == '(')
		return parse_brackets(p, NULL);
	if (expression_name_length(expression_rest(p)))
		return parse_name(p);
	return expression_refuse(p, "expected a field, a number, a text in single quotes or '('", p->at);
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
	if (!(number ? expression_parse_number(p, true) : parse_value(p)))
		return false;
	for (; signs; signs--)
		expression_emit(p, OP_NEGATE, 0, 0);
	return true;
}

/* Returns the index of the operator at the beginning of s; N_OPERATORS if there is no operator. */
static size_t find_operator(struct str s)
{
	size_t i;

	for (i = 0; i < N_OPERATORS && !str_starts(s, operators[i].text); i++)
		;
	return i;
}

/* Parses operands and operators of at least this precedence. */
static bool parse_binary(struct expression_parser *p, int least)
{
	size_t i;

	if (!parse_operand(p))
		return false;
	for (;;) {
		skip_blanks(p);
		i = find_operator(expression_rest(p));
		if (i == N_OPERATORS || operators[i].precedence < least)
			return true;
		p->at += operators[i].text.n;
		if (!parse_binary(p, operators[i].precedence + 1))
			return false;
		expression_emit(p, operators[i].op, 0, -1);
	}
}

static bool parse_all(struct expression_parser *p)
{
	if (!parse_binary(p, 0))
		return false;
	if (p->at == p->text.n)
		return true;
	if (p->text.p[p->at] == '=')
		return expression_refuse(p, "'=' is not an operator; use == to compare", p->at);
	return expression_refuse(p, "expected an operator (+ - * / // % == != < <= > >=)", p->at);
}

struct expression *expression_new(struct expression_scope *s, struct str text, size_t at, struct fault *f)
{
	struct expression *x = mem_zero(1, sizeof *x);
	struct expression_parser p = {.scope = s, .x = x, .text = text, .at = at, .fault = f};

	if (!parse_all(&p)) {
		expression_free(x);
		return NULL;
	}
	x->stack = mem_zero(p.highest, sizeof *x->stack);
	return x;
}

void expression_free(struct expression *x)
{
	size_t i, room;

	if (!x)
		return;
	for (i = 0; i < x->n; i++) {
		for (room = 0; x->code[i].room && room < EXPRESSION_ROOMS; room++)
			buf_free(&x->code[i].room[room]);
		free(x->code[i].room);
	}
	for (i = 0; i < x->n_constants; i++) {
		if (x->constants[i].type == RESULT_TEXT)
			free((char *)(uintptr_t)x->constants[i].text.p);
	}
	for (i = 0; i < x->n_regexes; i++)
		regfree(&x->regexes[i]);
	free(x->regexes);
	free(x->code);
	free(x->constants);
	free(x->stack);
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
		free(s->fields[i].spec);
	}
	for (i = 0; i < s->n_names; i++)
		free((char *)(uintptr_t)s->names[i].name.p);
	free(s->fields);
	free(s->names);
	*s = (struct expression_scope){0};
}

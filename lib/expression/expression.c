#include "expression/expression.h"

#include "expression/arithmetic.h"
#include "base/char_class.h"
#include "base/num_parse.h"
#include "base/units.h"
#include "json/check.h"
#include "json/iter.h"
#include "json/string.h"
#include "expression/member_fit.h"
#include "record/name_match.h"
#include "expression/text_functions.h"

#include <regex.h>
#include <stdlib.h>

/* Instructions use a stack of values: each instruction takes its operands from the top and puts its result there. */
enum expression_op {
	OP_CONSTANT,   /* push constants[index] */
	OP_FIELD,      /* push the value of fields[index] */
	OP_LATE_FIELD, /* push the value of fields[index], which depends on assigned members */
	OP_NAME,       /* push the value of names[index] */
	OP_MEMBER,     /* two operands: an object, and the key of the member to get from it */
	OP_ADD,        /* OP_ADD to OP_SUB: two operands */
	OP_SUBTRACT,
	OP_MULTIPLY,
	OP_DIVIDE,
	OP_QUOTIENT,
	OP_REST,
	OP_MIN,
	OP_MAX,
	OP_EQ,
	OP_NE,
	OP_LT,
	OP_LE,
	OP_GT,
	OP_GE,
	OP_FIXED,
	OP_ITEM,
	OP_JOIN,
	OP_PAD,
	OP_REPEAT,
	OP_SUB,    /* operands: a text and the replacement; regexes[index] is the regular expression */
	OP_NEGATE, /* OP_NEGATE to OP_NUM: one operand */
	OP_ABS,
	OP_ROUND,
	OP_FLOOR,
	OP_LEN,
	OP_CAPTURE, /* regexes[index] is the regular expression */
	OP_COMPACT,
	OP_JSON,
	OP_SUM,
	OP_STR,
	OP_NUM,
	/*
	 * pop the condition: if it is 0, jump to `index`; if it is ABSENT or FAILED, leave it on the stack and jump to
	 * `end`
	 */
	OP_IF,
	OP_JUMP,    /* jump to instruction `end` */
	OP_DEFAULT, /* pop the top if it is ABSENT, otherwise jump to instruction `end` */
};

struct expression_instruction {
	enum expression_op op;
	uint32_t index, end;
	/* TEXT_ROOMS scratch texts for OP_ADD, comparisons and text functions; NULL for other instructions */
	struct buf *room;
};

struct expression {
	struct expression_instruction *code;
	struct result *constants, *stack;
	regex_t *regexes; /* the regular expressions of capture() and sub() */
	size_t n, n_constants, n_regexes;
	/* private */
	size_t cap, constants_cap, regexes_cap;
};

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

static bool has_room(enum expression_op op)
{
	return op == OP_ADD || (op >= OP_EQ && op <= OP_SUB) || (op >= OP_LEN && op <= OP_NUM);
}

/* Adds an instruction that changes the height of the stack by `change`; returns its index. */
static size_t emit(struct expression_parser *p, enum expression_op op, size_t index, int change)
{
	struct expression *x = p->x;

	x->code = mem_grow(x->code, &x->cap, x->n + 1, sizeof *x->code);
	x->code[x->n] = (struct expression_instruction){.op = op, .index = (uint32_t)index};
	if (has_room(op))
		x->code[x->n].room = mem_zero(TEXT_ROOMS, sizeof *x->code[x->n].room);
	p->height = (size_t)((ptrdiff_t)p->height + change);
	p->highest = p->height > p->highest ? p->height : p->highest;
	return x->n++;
}

/* Adds the instruction that pushes a constant. A text is copied. */
static void emit_constant(struct expression_parser *p, struct result value)
{
	struct expression *x = p->x;

	x->constants = mem_grow(x->constants, &x->constants_cap, x->n_constants + 1, sizeof *x->constants);
	if (value.type == RESULT_TEXT)
		value.text.p = str_dup(value.text);
	x->constants[x->n_constants] = value;
	emit(p, OP_CONSTANT, x->n_constants++, 1);
}

/* --- numbers and texts --- */

static bool begins_name(char c)
{
	return is_letter(c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_of_name(char c)
{
	return begins_name(c) || is_digit(c);
}

/* Returns the length of the name at the beginning of s: letters, digits and _. */
static size_t name_length(struct str s)
{
	size_t n = 0;

	while (n < s.n && is_of_name(s.p[n]))
		n++;
	return n;
}

/* Returns the length of the number at the beginning of s, with its unit: 5, 1.5ms, 1e-3. */
static size_t number_length(struct str s)
{
	size_t n = name_length(s);

	if (n < s.n && s.p[n] == '.')
		n += 1 + name_length(str_from(s, n + 1));
	if (n < s.n && (s.p[n] == '-' || s.p[n] == '+') && (s.p[n - 1] == 'e' || s.p[n - 1] == 'E'))
		n += 1 + name_length(str_from(s, n + 1));
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

/*
 * expression_operand.c: each function parses an operand that begins at p->at. It returns false and sets *p->fault when
 * the operand is invalid.
 */
static bool parse_number_operand(struct expression_parser *p, bool negative)
{
	const struct str text = str_head(rest_of(p), number_length(rest_of(p)));
	struct buf signed_text = {0};
	struct result value;
	const char *wrong;

	if (negative)
		buf_char(&signed_text, '-');
	buf_add(&signed_text, text.p, text.n);
	wrong = parse_number((struct str){signed_text.p, signed_text.n}, &value);
	buf_free(&signed_text);
	if (wrong)
		return refuse(p, wrong, p->at);
	emit_constant(p, value);
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
	good = json_check((struct str){json.p, json.n}, &ignored);
	if (good) {
		json_unescape(text, (struct str){json.p + 1, json.n - 2});
		p->at += n + 1;
	} else {
		refuse(p,
		    "invalid text in quotes: the escapes are those of JSON and \\', and control characters must be "
		    "escaped",
		    p->at);
	}
	buf_free(&json);
	return good;
}

/* a text in single quotes */
static bool parse_text(struct expression_parser *p)
{
	struct buf text = {0};
	const bool good = read_text(p, &text);

	if (good)
		emit_constant(p, result_text((struct str){text.p ? text.p : "", text.n}));
	buf_free(&text);
	return good;
}

static bool parse_regex(struct expression_parser *p)
{
	struct expression *x = p->x;
	const size_t first = p->at;
	struct buf text = {0};
	struct fault f;
	bool good;

	if (p->at == p->text.n || p->text.p[p->at] != '\'')
		return refuse(p, "expected a regular expression in single quotes", p->at);
	good = read_text(p, &text);
	buf_char(&text, '\0');
	x->regexes = mem_grow(x->regexes, &x->regexes_cap, x->n_regexes + 1, sizeof *x->regexes);
	if (good && !name_match_compile(&x->regexes[x->n_regexes], text.p, 0, &f))
		good = refuse(p, f.what, first);
	x->n_regexes += good;
	buf_free(&text);
	return good;
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
	const size_t quoted = field_quoted(reference), n = quoted ? quoted : name_length(reference);

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
		emit(p, OP_NAME, name, 1);
	while (name != SIZE_MAX && steps.n) {
		steps = first_part(steps, &part);
		key.n = 0;
		json_quote(&key, (struct str){part.p, part.n});
		emit_constant(p, result_text((struct str){key.p + 1, key.n - 2}));
		emit(p, OP_MEMBER, 0, -1);
	}
	buf_free(&part);
	buf_free(&key);
	return name != SIZE_MAX;
}

static bool parse_field(struct expression_parser *p)
{
	struct str reference;
	struct field field;
	size_t n, name;
	char *spec;
	bool late;

	if (!measure_reference(p, &n))
		return false;
	reference = str_head(rest_of(p), n);
	spec = str_dup(reference);
	if (!field_compile(&field, spec, p->fault)) {
		free(spec);
		return refuse(p, p->fault->what, p->at + p->fault->at.byte);
	}
	p->at += n;
	name = field.quoted && field.n_steps > 1 ? SIZE_MAX : find_assigned(p->scope, field.name);
	if (name != SIZE_MAX) {
		emit(p, OP_NAME, name, 1);
	} else if (field.n_steps == 1 || !parse_member_of_name(p, reference)) {
		late = is_late(p->scope, &field);
		emit(p, late ? OP_LATE_FIELD : OP_FIELD, add_field(p, field, spec, late), 1);
		return true;
	}
	field_free(&field);
	free(spec);
	return true;
}

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
	test = emit(p, OP_IF, 0, -1);
	p->conditional++;
	if (!expect(p, ',', "expected ',' and a second argument: if(CONDITION,VALUE,OTHER)") || !parse_binary(p, 0))
		return false;
	jump = emit(p, OP_JUMP, 0, -1);
	p->x->code[test].index = (uint32_t)p->x->n;
	if (!accept(p, ','))
		emit_constant(p, (struct result){.type = RESULT_ABSENT});
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
		at = emit(p, OP_DEFAULT, 0, -1);
		p->x->code[at].end = last;
		last = (uint32_t)at;
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
static bool parse_regex_function(struct expression_parser *p, enum expression_op op)
{
	size_t regex, at;

	if (!parse_binary(p, 0) || !expect(p, ',', "expected ',' and a regular expression in single quotes"))
		return false;
	skip_blanks(p);
	at = p->at;
	regex = p->x->n_regexes; /* the first argument may have had others */
	if (!parse_regex(p))
		return false;
	if (op == OP_SUB) {
		if (!expect(p, ',', "expected ',' and a replacement") || !parse_binary(p, 0))
			return false;
	} else if (p->x->regexes[regex].re_nsub != 1) {
		return refuse(p, "expected a regular expression with exactly one (group)", at);
	}
	emit(p, op, regex, op == OP_SUB ? -1 : 0);
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
		emit(p, f->op, 0, -1);
	}
	if (n < f->least)
		return refuse(p, "expected ',' and a second argument", p->at);
	if (f->most == 1)
		emit(p, f->op, 0, 0);
	return true;
}

/* Parses from the '(' at p->at to its ')'. `f` is the function, NULL for parentheses without a function. */
static bool parse_brackets(struct expression_parser *p, const struct function *f)
{
	const size_t first = p->at++;
	bool good;

	if (++p->depth > DEPTH_MOST)
		return refuse(p, "too many nested parentheses: at most 200", first);
	good = f ? parse_arguments(p, f) : parse_binary(p, 0);
	p->depth--;
	return good && expect(p, ')', "expected an operator or ')'");
}

static bool parse_name(struct expression_parser *p)
{
	const struct str name = str_head(rest_of(p), name_length(rest_of(p)));
	const size_t first = p->at;
	size_t i;

	p->at += name.n;
	skip_blanks(p);
	if (p->at == p->text.n || p->text.p[p->at] != '(') {
		p->at = first;
		return parse_field(p);
	}
	for (i = 0; i < N_FUNCTIONS; i++) {
		if (str_eq(name, functions[i].name))
			return parse_brackets(p, &functions[i]);
	}
	return refuse(p,
	    "unknown function; the functions are abs capture compact default fixed floor if item join json len max min "
	    "num pad repeat round str sub sum",
	    first);
}

static bool parse_value(struct expression_parser *p)
{
	const char c = p->at < p->text.n ? p->text.p[p->at] : '\0';

	if (is_digit(c))
		return parse_number_operand(p, false);
	if (c == '\'')
		return parse_text(p);
	if (c == '"')
		return parse_field(p);
	if (c == '(')
		return parse_brackets(p, NULL);
	if (name_length(rest_of(p)))
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
	if (!(number ? parse_number_operand(p, true) : parse_value(p)))
		return false;
	for (; signs; signs--)
		emit(p, OP_NEGATE, 0, 0);
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
		i = find_operator(rest_of(p));
		if (i == N_OPERATORS || operators[i].precedence < least)
			return true;
		p->at += operators[i].text.n;
		if (!parse_binary(p, operators[i].precedence + 1))
			return false;
		emit(p, operators[i].op, 0, -1);
	}
}

static bool parse_all(struct expression_parser *p)
{
	if (!parse_binary(p, 0))
		return false;
	if (p->at == p->text.n)
		return true;
	if (p->text.p[p->at] == '=')
		return refuse(p, "'=' is not an operator; use == to compare", p->at);
	return refuse(p, "expected an operator (+ - * / // % == != < <= > >=)", p->at);
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
		for (room = 0; x->code[i].room && room < TEXT_ROOMS; room++)
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

static inline bool is_missing(const struct result *r)
{
	return r->type == RESULT_ABSENT || r->type == RESULT_FAILED;
}

/* --- evaluating: fields --- */

static struct result field_value(struct expression_scope *s, struct expression_field *f, struct event *e)
{
	struct value v;

	if (f->record != s->record) {
		field_get(&f->field, e, 0, &v);
		f->value = result_of(&v);
		f->record = s->record;
	}
	return f->value;
}

/* Sets the member ts, dur or name of e to a value that fits this member. */
static void set_member(struct event *e, enum event_member m, const struct result *r, struct buf *room)
{
	e->has &= ~(1u << m);
	e->m[m].p = NULL;
	if (r->type == RESULT_ABSENT)
		return;
	if (m == EVENT_NAME) {
		room->n = 0;
		result_write(room, r);
		event_set(e, m, (struct str){room->p, room->n});
	} else {
		*(m == EVENT_TS ? &e->ts : &e->dur) = (int64_t)r->i;
		event_set(e, m, STR("0")); /* marks the member as present; its text is not used */
	}
}

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
		struct result r = member_fit(name->member, &name->value);

		if (name->record != s->record || (name->member > EVENT_DUR && name->member != EVENT_NAME))
			continue;
		if (r.type == RESULT_FAILED) {
			r.i = (int128)i + 1;
			return r;
		}
		set_member(&changed, name->member, &r, &f->room);
	}
	field_get(&f->field, &changed, 0, &v);
	return result_of(&v);
}

/* Returns the value of the last member of an object with this key. The key is JSON text without its quotes. */
static struct result member_of(const struct result *r, struct str key)
{
	if (r->type == RESULT_FAILED)
		return *r;
	if (r->type != RESULT_OTHER || r->json.p[0] != '{')
		return (struct result){.type = RESULT_ABSENT};
	return result_json(iter_find(r->json, key));
}

/* --- comparisons and texts --- */

/*
 * Compares two texts: sets *order to <0, 0 or >0. true and false are compared as the texts "true" and "false". Returns
 * false when a value is neither a text nor true nor false.
 */
static bool compare_texts(const struct result *a, const struct result *b, struct buf *room, int *order)
{
	const struct result *const both[] = {a, b};
	struct str texts[2];
	size_t i;

	for (i = 0; i < 2; i++) {
		if (both[i]->type == RESULT_TEXT)
			texts[i] = result_characters(both[i], &room[i]);
		else if (both[i]->type == RESULT_OTHER && (both[i]->json.p[0] == 't' || both[i]->json.p[0] == 'f'))
			texts[i] = both[i]->json;
		else
			return false;
	}
	*order = str_cmp(texts[0], texts[1]);
	return true;
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
		return (struct result){.type = RESULT_ABSENT};
	number = result_json(text);
	return result_as_number(&number);
}

static struct result decide(enum expression_op op, int order)
{
	const bool holds[] = {order == 0, order != 0, order<0, order <= 0, order> 0, order >= 0};

	return result_int(holds[op - OP_EQ]);
}

static struct result compare_operands(
    enum expression_op op, const struct result *a, const struct result *b, struct buf *room)
{
	struct result x, y;
	int order;

	if (a->type == RESULT_TEXT || b->type == RESULT_TEXT) {
		if (compare_texts(a, b, room, &order))
			return decide(op, order);
	} else if (a->type == RESULT_INT && b->type == RESULT_INT) {
		return decide(op, arithmetic_compare(a, b));
	}
	x = number_in(a, &room[0]);
	y = number_in(b, &room[1]);
	if (x.type == RESULT_FAILED || y.type == RESULT_FAILED) {
		const struct result *failed = x.type == RESULT_FAILED ? &x : &y;

		return result_failed(failed->failure == FAILURE_NUMBER ? FAILURE_COMPARE : failed->failure);
	}
	if (x.type == RESULT_ABSENT || y.type == RESULT_ABSENT)
		return result_int(op == OP_NE); /* one value is a number, the other is a text that contains no number */
	return decide(op, arithmetic_compare(&x, &y));
}

/* Adds two numbers, or joins two texts. */
static struct result add(const struct result *a, const struct result *b, struct buf *room)
{
	struct str text;

	if (a->type != RESULT_TEXT || b->type != RESULT_TEXT)
		return arithmetic_add(a, b);
	text = result_characters(a, &room[1]);
	room[0].n = 0;
	buf_add(&room[0], text.p, text.n);
	text = result_characters(b, &room[1]);
	if (room[0].n + text.n > TEXT_MOST)
		return result_failed(FAILURE_TEXT);
	buf_add(&room[0], text.p, text.n);
	return result_text((struct str){room[0].p, room[0].n});
}

static struct result length(const struct result *r, struct buf *room)
{
	struct str key, value;
	struct iter w;
	size_t n = 0;

	if (r->type == RESULT_TEXT)
		return result_int((int128)result_count_characters(result_characters(r, room)));
	if (r->type != RESULT_OTHER || (r->json.p[0] != '[' && r->json.p[0] != '{'))
		return result_failed(FAILURE_LENGTH);
	for (iter_init(&w, r->json); iter_next(&w, &key, &value) > 0;)
		n++;
	return result_int((int128)n);
}

static struct result number(const struct result *r, struct buf *room)
{
	struct result x = number_in(r, room);

	x.json.p = NULL; /* written as a computed number: 1.50 becomes 1.5 */
	return x;
}

static struct result text_of(const struct result *r, struct buf *room)
{
	return r->type == RESULT_TEXT ? *r : result_text(result_as_text(r, room));
}

/* --- instructions --- */

static struct result binary(
    const struct expression *x, const struct expression_instruction *c, const struct result *a, const struct result *b)
{
	if (a->type == RESULT_FAILED || b->type == RESULT_FAILED)
		return a->type == RESULT_FAILED ? *a : *b;
	if (a->type == RESULT_ABSENT || b->type == RESULT_ABSENT)
		return (struct result){.type = RESULT_ABSENT};
	switch (c->op) {
	case OP_ADD:
		return add(a, b, c->room);
	case OP_SUBTRACT:
		return arithmetic_subtract(a, b);
	case OP_MULTIPLY:
		return arithmetic_multiply(a, b);
	case OP_DIVIDE:
		return arithmetic_divide(a, b);
	case OP_QUOTIENT:
		return arithmetic_quotient(a, b);
	case OP_REST:
		return arithmetic_rest(a, b);
	case OP_MIN:
		return arithmetic_min(a, b);
	case OP_MAX:
		return arithmetic_max(a, b);
	case OP_FIXED:
		return text_fixed(a, b, c->room);
	case OP_ITEM:
		return text_item(a, b);
	case OP_JOIN:
		return text_join(a, b, c->room);
	case OP_PAD:
		return text_pad(a, b, c->room);
	case OP_REPEAT:
		return text_repeat(a, b, c->room);
	case OP_SUB:
		return text_substitute(&x->regexes[c->index], a, b, c->room);
	default:
		return compare_operands(c->op, a, b, c->room);
	}
}

static struct result unary(const struct expression *x, const struct expression_instruction *c, const struct result *a)
{
	if (is_missing(a))
		return *a;
	switch (c->op) {
	case OP_NEGATE:
		return arithmetic_negate(a);
	case OP_ABS:
		return arithmetic_abs(a);
	case OP_ROUND:
		return arithmetic_round(a);
	case OP_FLOOR:
		return arithmetic_floor(a);
	case OP_LEN:
		return length(a, c->room);
	case OP_CAPTURE:
		return text_capture(&x->regexes[c->index], a, c->room);
	case OP_COMPACT:
		return text_compact(a, c->room);
	case OP_JSON:
		return text_parse_json(a, c->room);
	case OP_SUM:
		return text_sum(a);
	case OP_STR:
		return text_of(a, c->room);
	default:
		return number(a, c->room);
	}
}

/*
 * Evaluates the condition of the OP_IF at index `at`; returns the index of the next instruction. Sets *taken if the
 * condition must be popped.
 */
static size_t branch(const struct expression_instruction *c, size_t at, struct result *condition, bool *taken)
{
	const struct result number = is_missing(condition) ? *condition : result_as_number(condition);

	*taken = !is_missing(&number);
	if (!*taken) {
		*condition = number;
		return c->end;
	}
	return (number.type == RESULT_INT ? number.i != 0 : number.d < 0 || number.d > 0) ? at + 1 : c->index;
}

struct result expression_value(struct expression *x, struct expression_scope *s, struct event *e)
{
	struct result *top = x->stack; /* the first free place on the stack */
	size_t at = 0;
	bool taken;

	while (at < x->n) {
		const struct expression_instruction *c = &x->code[at++];

		switch (c->op) {
		case OP_CONSTANT:
			*top++ = x->constants[c->index];
			break;
		case OP_FIELD:
			*top++ = field_value(s, &s->fields[c->index], e);
			break;
		case OP_LATE_FIELD:
			*top++ = late_value(s, &s->fields[c->index], e);
			break;
		case OP_NAME:
			*top++ = s->names[c->index].value;
			break;
		case OP_MEMBER:
			top--;
			top[-1] = member_of(&top[-1], top->text);
			break;
		case OP_IF:
			at = branch(c, at - 1, &top[-1], &taken);
			top -= taken;
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
		default:
			if (c->op >= OP_NEGATE) {
				top[-1] = unary(x, c, &top[-1]);
			} else {
				top--;
				top[-1] = binary(x, c, &top[-1], top);
			}
			break;
		}
	}
	return top[-1];
}

/* expression_private: the instructions of an expression, made by expression_parse and run by expression_eval. */
#ifndef EXPRESSION_PRIVATE_H
#define EXPRESSION_PRIVATE_H

#include "expression.h"

#include <regex.h>

/* Maximum bytes of a text that expressions make. A build for fuzzing has a low limit, so that every run is fast. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { TEXT_MOST = 64 << 10 };
#else
enum { TEXT_MOST = 64 << 20 };
#endif

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
	OP_FIXED, /* OP_FIXED to OP_SUB are in text_functions.c */
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
	OP_CAPTURE, /* in text_functions.c; regexes[index] is the regular expression */
	OP_COMPACT, /* OP_COMPACT to OP_SUM are in text_functions.c */
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

enum { EXPRESSION_ROOMS = 3 }; /* number of scratch texts of an instruction */

struct expression_instruction {
	enum expression_op op;
	uint32_t index, end;
	/* EXPRESSION_ROOMS scratch texts for OP_ADD, comparisons and text functions; NULL for other instructions */
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

/* --- for the files of the compiler --- */

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
static inline bool expression_refuse(struct expression_parser *p, const char *what, size_t at)
{
	return fault_refuse(p->fault, what, at);
}

static inline struct str expression_rest(const struct expression_parser *p)
{
	return str_from(p->text, p->at);
}

/* Adds an instruction that changes the height of the stack by `change`; returns its index. */
size_t expression_emit(struct expression_parser *p, enum expression_op op, size_t index, int change);

/* Adds the instruction that pushes a constant. A text is copied. */
void expression_emit_constant(struct expression_parser *p, struct result value);

/*
 * expression_operand.c: each function parses an operand that begins at p->at. It returns false and sets *p->fault when
 * the operand is invalid.
 */
bool expression_parse_number(struct expression_parser *p, bool negative); /* negative: a '-' precedes the number */
bool expression_parse_text(struct expression_parser *p);                  /* a text in single quotes */
bool expression_parse_regex(struct expression_parser *p); /* a text in single quotes; compiles it into x->regexes */
bool expression_parse_field(struct expression_parser *p);

/*
 * text_functions.c: returns the result of OP_FIXED to OP_SUB, or OP_CAPTURE to OP_SUM. `a` and `b` are the operands;
 * for OP_CAPTURE to OP_SUM, `b` is NULL. They must be neither ABSENT nor FAILED. A text in the result is valid until
 * the instruction runs again.
 */
struct result text_function(
    const struct expression *x, const struct expression_instruction *c, const struct result *a, const struct result *b);

/* Returns the length of the name at the beginning of s: letters, digits and _. */
size_t expression_name_length(struct str s);

#endif

/* result: the values that expressions compute with: exact integers, doubles, texts, and other JSON values. */
#ifndef RESULT_H
#define RESULT_H

#include "base/int_math.h"
#include "base/mem.h"
#include "json/value.h"
#include "record/event.h"

#include <regex.h>

enum result_type {
	RESULT_ABSENT,
	RESULT_INT,    /* the value is `i` */
	RESULT_REAL,   /* the value is `d`, which is finite: any number that is not an INT */
	RESULT_TEXT,   /* a string */
	RESULT_OTHER,  /* true, false, an object, an array, a number too large for a double */
	RESULT_FAILED, /* `failure` is the reason */
};

/* The reasons why a value cannot be computed. In messages, the text follows "NAME: ". */
#define RESULT_FAILURES(X)                                                                                             \
	X(RANGE, "a number is too large for a double")                                                                 \
	X(ZERO, "division by zero")                                                                                    \
	X(NUMBER, "arithmetic with a value that is not a number")                                                      \
	X(COMPARE, "comparison of a value that is neither a number nor a text")                                        \
	X(TEXT, "a text is longer than 64 MiB")                                                                        \
	X(LENGTH, "len() needs a text, an array or an object")                                                         \
	X(ARRAY, "item(), join() and sum() need an array")                                                             \
	X(ORDINAL, "expected an integer that fits in 64 bits as the second argument")                                  \
	X(FIXED, "fixed() needs 0 to 15 decimals and a result of at most 46 digits")                                   \
	X(MEMBER_INT, "expected an integer that fits in 64 bits")                                                      \
	X(MEMBER_ID, "expected a text or an integer that fits in 64 bits")                                             \
	X(MEMBER_TEXT, "expected a text")                                                                              \
	X(MEMBER_OBJECT, "expected an object")
#define RESULT_FAILURE(id, text) FAILURE_##id,
enum result_failure { RESULT_FAILURES(RESULT_FAILURE) FAILURE_N };

/* Views are valid until the next record, or until the instruction that made them runs again. */
struct result {
	enum result_type type;
	enum result_failure failure;
	double d;
	int128 i; /* the integer; for FAILED: 1 + index of the name to which the result was assigned, 0 before that */
	struct str json; /* the value as written in the record; p is NULL for a computed value */
	struct str text; /* the characters of a computed TEXT */
};

/*
 * The operands of an operator or a function, neither ABSENT nor FAILED, and the memory that belongs to it. A text in
 * its result is valid until the operation runs again.
 */
enum { OPERATION_ROOMS = 3 };
struct operands {
	struct result *a, *b; /* b is NULL if there is only one operand */
	regex_t *regex;       /* the regular expression of capture() and sub(), otherwise NULL */
	unsigned orders;      /* for a comparison: the orders for which it is true, as bits */
	struct buf room[OPERATION_ROOMS];
};
typedef struct result operation(struct operands *o);

const char *result_failure_text(enum result_failure f);

static inline struct result result_absent(void)
{
	return (struct result){.type = RESULT_ABSENT};
}

static inline struct result result_int(int128 i)
{
	return (struct result){.type = RESULT_INT, .i = i};
}

static inline struct result result_text(struct str text)
{
	return (struct result){.type = RESULT_TEXT, .text = text};
}

static inline struct result result_failed(enum result_failure f)
{
	return (struct result){.type = RESULT_FAILED, .failure = f};
}

/* Returns a REAL, or FAILED when d is not finite. */
struct result result_real(double d);

/*
 * Returns the value of a JSON text; null is ABSENT. A number is INT if it is written without fraction and exponent and
 * fits in 128 bits, or if its value is an integer that fits in 64 bits (5.0, 1e3). Any other number is rounded to the
 * nearest double.
 */
struct result result_of(const struct value *v);
struct result result_json(struct str json);

/* Returns r as INT, REAL or FAILED: true is 1, false is 0. */
struct result result_as_number(const struct result *r);

static inline bool result_is_number(const struct result *r)
{
	return r->type == RESULT_INT || r->type == RESULT_REAL;
}

/* Sets *i to a number that is an integer and fits in 64 bits; returns false for any other value. */
bool result_integer(const struct result *r, int64_t *i);

/* Returns the characters of a TEXT; `room` is overwritten when they have to be decoded. */
struct str result_characters(const struct result *r, struct buf *room);

/*
 * Returns the value as text: the characters of a TEXT, the JSON text of any other value; r is neither ABSENT nor
 * FAILED. `room` is overwritten when the text is not a part of the record.
 */
struct str result_as_text(const struct result *r, struct buf *room);

/*
 * Returns the value that is written for a member: a double without a fraction becomes INT. Returns FAILED when the
 * value has the wrong type for the member or does not fit in 64 bits. Any value fits a member that is not a standard
 * member (EVENT_N); ABSENT and FAILED are returned unchanged.
 */
struct result result_of_member(enum event_member m, const struct result *r);

/* Appends the value as JSON; r is neither ABSENT nor FAILED. */
void result_write(struct buf *b, const struct result *r);

#endif

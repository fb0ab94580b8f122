/* result: the values that expressions compute with: exact integers, doubles, texts, and other JSON values. */
#ifndef RESULT_H
#define RESULT_H

#include "base/int_math.h"
#include "base/mem.h"
#include "json/value.h"

enum result_type {
	RESULT_ABSENT,
	RESULT_INT,    /* i */
	RESULT_REAL,   /* d, finite */
	RESULT_TEXT,   /* a string */
	RESULT_OTHER,  /* true, false, an object, an array, a number too large for INT and REAL */
	RESULT_FAILED, /* failure */
};

/* Why a record cannot be changed. `text` completes "NAME: ...". */
#define RESULT_FAILURES(X)                                                                                             \
	X(INTEGER, "an integer is beyond 128 bits")                                                                    \
	X(RANGE, "a number is beyond the range of a double")                                                           \
	X(ZERO, "division by zero")                                                                                    \
	X(NUMBER, "arithmetic with a value that is not a number")                                                      \
	X(COMPARE, "comparison of a value that is neither a number nor a text")                                        \
	X(TEXT, "a text is longer than 64 MiB")                                                                        \
	X(LENGTH, "len() of a value that is not a text, an array or an object")                                        \
	X(MEMBER_INT, "the value of this member must be an integer within 64 bits")                                    \
	X(MEMBER_ID, "the value of this member must be a text or an integer within 64 bits")                           \
	X(MEMBER_TEXT, "the value of this member must be a text")                                                      \
	X(MEMBER_OBJECT, "the value of this member must be an object")
#define RESULT_FAILURE(id, text) FAILURE_##id,
enum result_failure { RESULT_FAILURES(RESULT_FAILURE) FAILURE_N };

/* Views are valid until the next record, or until the instruction that made them runs again. */
struct result {
	enum result_type type;
	enum result_failure failure;
	double d;
	int128 i;
	struct str json; /* the value as it is written in the record; p is NULL when it was computed */
	struct str text; /* the characters of a TEXT that was computed */
};

const char *result_failure_text(enum result_failure f);

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
 * Returns an integer or a double from the text of a JSON number: an integer when it has no fraction and no exponent, or
 * when its value is an integer within int64 (5.0, 1e3). A number beyond 128 bits and beyond a double is OTHER.
 */
struct result result_number(struct str text);

/* Returns the value of a JSON text; null is ABSENT. */
struct result result_of(const struct value *v);
struct result result_json(struct str json);

/* Returns r as INT, REAL or FAILED: true is 1, false is 0. */
struct result result_as_number(const struct result *r);

static inline bool result_is_number(const struct result *r)
{
	return r->type == RESULT_INT || r->type == RESULT_REAL;
}

/* Returns the characters of a TEXT; `room` is overwritten when they have to be decoded. */
struct str result_characters(const struct result *r, struct buf *room);

/* Appends the value as JSON; r is neither ABSENT nor FAILED. */
void result_write(struct buf *b, const struct result *r);

#endif

/* value: determines the type of a JSON value from its text, and parses numbers. */
#ifndef VALUE_H
#define VALUE_H

#include "base/char_class.h"
#include "base/str.h"

enum value_type {
	VALUE_NONE, /* absent */
	/* an integer within int64, without fraction or exponent: `i` is its value, `d` the nearest double */
	VALUE_INT,
	VALUE_REAL,   /* any other finite number: `d` is its value */
	VALUE_STRING, /* `text` includes the quotes */
	VALUE_OTHER,  /* true, false, null, an object, an array, a number that value_is_huge() */
};

/* `text` is the JSON text, a view; its p is NULL for VALUE_NONE. */
struct value {
	enum value_type type;
	bool wide; /* a VALUE_REAL is an integer of up to 128 bits; `text` has its digits */
	int64_t i;
	double d;
	struct str text;
};

/* Parses the text of a JSON value; an empty text is VALUE_NONE. */
void value_of(struct value *v, struct str json);

/* Makes a value from an integer whose text is known. */
static inline void value_of_int(struct value *v, int64_t i, struct str text)
{
	*v = (struct value){.type = VALUE_INT, .i = i, .d = (double)i, .text = text};
}

/* Sets *v to an integer, or to an integer in a string; returns false for all other values, and for an absent one. */
bool value_integer(struct str json, int64_t *v);

/* Returns whether the value is a number within the range of a double, or of int64. */
static inline bool value_is_number(const struct value *v)
{
	return v->type == VALUE_INT || v->type == VALUE_REAL;
}

/* Returns whether the value is a number that is too large for a double, such as 1e400. It has a text, but no `d`. */
static inline bool value_is_huge(const struct value *v)
{
	return v->type == VALUE_OTHER && (v->text.p[0] == '-' || is_digit(v->text.p[0]));
}

/* Returns the rank of a value in sorted output: 0 for numbers, 1 for strings, 2 for other values, 3 for VALUE_NONE. */
int value_rank(const struct value *v);

/* Compares two values of rank 0 exactly. */
int value_compare_numbers(const struct value *a, const struct value *b);

#endif

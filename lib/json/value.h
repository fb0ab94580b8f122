/* value: determines the type of a JSON value from its text, and parses numbers. */
#ifndef VALUE_H
#define VALUE_H

#include "base/str.h"

enum value_type {
	VALUE_NONE, /* absent */
	/* an integer within int64, without fraction or exponent: `i` is its value, `d` the nearest double */
	VALUE_INT,
	VALUE_REAL,   /* any other finite number: `d` is its value */
	VALUE_STRING, /* `text` includes the quotes */
	VALUE_OTHER,  /* true, false, null, an object, an array */
};

/* `text` is the JSON text, a view; its p is NULL for VALUE_NONE. */
struct value {
	enum value_type type;
	int64_t i;
	double d;
	struct str text;
};

/* Parses the text of a JSON value; an empty text is VALUE_NONE. */
void value_of(struct value *v, struct str json);

/* Makes a value from an integer whose text is known. */
static inline void value_of_int(struct value *v, int64_t i, struct str text)
{
	*v = (struct value){VALUE_INT, i, (double)i, text};
}

/* Sets *v to an integer, or to an integer in a string; returns false for all other values, and for an absent one. */
bool value_integer(struct str json, int64_t *v);

/* Returns the number of a VALUE_INT or VALUE_REAL. */
static inline long double value_number(const struct value *v)
{
	return v->type == VALUE_INT ? (long double)v->i : (long double)v->d;
}

#endif

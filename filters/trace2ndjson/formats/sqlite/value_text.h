/* value_text: writes the values of a column as JSON. */
#ifndef VALUE_TEXT_H
#define VALUE_TEXT_H

#include "base/num_format.h"
#include "database.h"

/* The texts of the last values of a column. Zero-initialise. */
struct value_text {
	/* private */
	int64_t number; /* many columns have the same integer in row after row: its digits are stored */
	size_t n;       /* number of these digits, or 0 */
	char digits[NUM_ROOM];
	char real[NUM_ROOM];
	struct buf text;
};

/* Returns an integer as JSON, valid until the next call. */
static inline struct str value_text_int(struct value_text *t, int64_t v)
{
	if (v != t->number || !t->n) {
		t->n = (size_t)(num_put_i64(t->digits, v) - t->digits);
		t->number = v;
	}
	return (struct str){t->digits, t->n};
}

/*
 * Returns a value that is neither NULL nor an integer as JSON, valid until the next call. A blob is a text of
 * hexadecimal digits.
 */
struct str value_text_other(struct value_text *t, const struct query_value *v);

/* Returns the value of a column of the current row as JSON, valid until the next call; p is NULL for the value NULL. */
struct str value_text_get(struct value_text *t, const struct query *q, int column);

void value_text_free(struct value_text *t);

#endif

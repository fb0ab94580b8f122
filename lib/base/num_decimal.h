/* num_decimal: reads decimal text: into an integer and a power of ten, which it scales exactly, or digit by digit. */
#ifndef NUM_DECIMAL_H
#define NUM_DECIMAL_H

#include "base/char_class.h"
#include "base/int_math.h"
#include "base/str.h"

enum num_result {
	NUM_OK,
	NUM_BAD,   /* not a number by JSON's grammar */
	NUM_RANGE, /* a number outside int64 */
};

/* A parsed JSON number: sign, up to 19 digits as one integer, and the power of ten. */
struct num_decimal {
	bool negative, whole; /* whole: written without a fraction or an exponent */
	uint64_t digits;
	/* Number of digits read, without leading zeros; `digits` holds the first NUM_DECIMAL_ROOM of them. */
	int used;
	int64_t exponent; /* value = digits * 10^exponent, when no digit was dropped */
	unsigned next;    /* the first dropped digit */
	bool more;        /* at least one dropped digit was not 0 */
};

enum { NUM_DECIMAL_ROOM = 19, NUM_EXPONENT_MOST = 100000 }; /* 19 digits always fit in 64 bits */

static inline bool num_is_digit(const char *p, const char *end)
{
	return p < end && is_digit(*p);
}

extern const uint64_t num_ten[20]; /* 10^0 .. 10^19 */

/* Returns the end of the number at the start of s, or NULL when s does not begin with a number. */
const char *num_decimal_read(struct str s, struct num_decimal *d);

/*
 * Converts d * 10^digits to an integer, rounding a half away from zero. Returns NUM_OK, or NUM_RANGE when the result is
 * outside int64.
 */
enum num_result num_decimal_scale(const struct num_decimal *d, int digits, int64_t *v);

/*
 * Returns whether all of s is a number. An absent text is not a number: `end` is NULL if s does not begin with a
 * number.
 */
static inline bool num_decimal_read_all(struct str s, struct num_decimal *d)
{
	const char *end = num_decimal_read(s, d);

	return end && end == s.p + s.n;
}

/*
 * A number of any length: 0.DIGITS * 10^point, where DIGITS are the digits of `whole` followed by those of `fraction`.
 * The first digit is not 0; the number 0 has no digits.
 */
struct num_text {
	bool negative;
	struct str whole, fraction;
	int64_t point;
};

/* Splits a JSON number; the views are parts of its text. */
struct num_text num_text_of(struct str number);

/* Returns the digit i, 0 for the first; '0' after the last digit. */
char num_text_digit(const struct num_text *t, size_t i);

#endif

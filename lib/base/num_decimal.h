/* num_decimal: reads decimal text into digits, or into an integer that is scaled exactly; compares numbers. */
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

/*
 * A number of any length: 0.DIGITS * 10^point, where DIGITS are the digits of `whole` followed by those of `fraction`,
 * which are views of the text. The first digit is not 0; the number 0 has no digits.
 */
struct num_text {
	bool negative, integer; /* integer: written without a fraction or an exponent */
	struct str whole, fraction;
	int64_t point;
};

/* Reads the JSON number at the start of s. Returns its end, or NULL when s does not begin with a number. */
const char *num_text_read(struct str s, struct num_text *t);

/* A number: its sign, up to 19 digits as one integer, and the power of ten. */
struct num_decimal {
	bool negative, whole; /* whole: written without a fraction or an exponent */
	uint64_t digits;
	/* Number of digits read, without leading zeros; `digits` holds the first NUM_DECIMAL_ROOM of them. */
	int64_t used;
	int64_t exponent; /* value = digits * 10^exponent, when no digit was dropped */
	unsigned next;    /* the first dropped digit */
	bool inexact;     /* at least one dropped digit was not 0 */
};

enum { NUM_DECIMAL_ROOM = 19 }; /* 19 digits always fit in 64 bits */

extern const uint64_t num_ten[20]; /* 10^0 .. 10^19 */

/* The same as num_text_read(). */
const char *num_decimal_read(struct str s, struct num_decimal *d);

/* Converts d * 10^digits to an integer, rounding a half away from zero. Returns NUM_OK or NUM_RANGE. */
enum num_result num_decimal_scale(const struct num_decimal *d, int digits, int64_t *v);

/* Compares two JSON numbers by value: returns < 0, 0 or > 0. Exponents of more than 17 digits are treated as equal. */
int num_compare(struct str a, struct str b);

/* Compares an integer with a finite double by value, without rounding. */
int num_compare_double(int128 i, double d);

#endif

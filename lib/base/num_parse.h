/* num_parse: parses JSON numbers into exact fixed-point numbers, integers or doubles, in any locale. */
#ifndef NUM_PARSE_H
#define NUM_PARSE_H

#include "base/num_decimal.h"

/*
 * Multiplies a number by 10^digits and converts it to an integer: "12.345" with 3 digits is 12345. If further digits
 * follow, the result is the nearest integer; a half is rounded away from zero. Accepts all JSON numbers, including
 * those with exponents.
 */
enum num_result num_fixed(struct str s, int digits, int64_t *v);

/* Converts a JSON number to an integer. Returns NUM_BAD if it has a fraction or an exponent. "-0" is 0. */
enum num_result num_int(struct str s, int64_t *v);

/* The same for integers of up to 128 bits; returns false when the text is not an integer in that range. */
bool num_int128(struct str s, int128 *v);

/* Converts a JSON number to a count; returns false when it is not an integer from 0 to INT64_MAX. */
bool num_count(struct str s, uint64_t *n);

/*
 * The same as num_int(), but also accepts integers that are written with a fraction or an exponent, such as 5.0 and
 * 1e3. Returns NUM_BAD if the value is not an integer.
 */
enum num_result num_whole(struct str s, int64_t *v);

/*
 * Converts a JSON number to the nearest double, however many digits it has; a tie goes to the even mantissa. Returns
 * false when the text is not a number or the double would not be finite.
 */
bool num_double(struct str s, double *v);

/*
 * The same as num_int() and, when this is not possible, num_double(). Returns NUM_RANGE for a number that is not an
 * integer within int64: *d is the nearest double, which may be infinite, and *wide says whether num_int128() reads it.
 */
enum num_result num_read(struct str s, int64_t *i, double *d, bool *wide);

/*
 * Returns the value of the n digits at p, 1 <= n <= 8. Eight bytes must be readable, and the caller must have checked
 * that the n bytes are digits. Digits are combined into pairs, pairs into groups of four, and these groups into the
 * result, with one multiplication for each step.
 */
static inline uint64_t num_digits(const char *p, size_t n)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t x;

	memcpy(&x, p, 8);
	x <<= 64 - 8 * n; /* puts zeros before the digits */
	x = (x & 0x0f0f0f0f0f0f0f0f) * 2561 >> 8;
	x = (x & 0x00ff00ff00ff00ff) * 6553601 >> 16;
	return (x & 0x0000ffff0000ffff) * 42949672960001 >> 32;
#else
	uint64_t x = 0;

	for (; n; n--)
		x = x * 10 + (uint64_t)(*p++ - '0');
	return x;
#endif
}

/* Converts eight digits at once; returns false when the eight bytes at p are not all digits. */
static inline bool num_eight(const char *p, uint64_t *v)
{
	uint64_t x;

	memcpy(&x, p, 8);
	/* Each byte must be 0x30..0x39: its high four bits must be 3, and must still be 3 after adding 6. */
	if (((x & 0xf0f0f0f0f0f0f0f0) | ((x + 0x0606060606060606) & 0xf0f0f0f0f0f0f0f0) >> 4) != 0x3333333333333333)
		return false;
	*v = num_digits(p, 8);
	return true;
}

#endif

/* num_parse: parses JSON numbers: exact fixed point, independent of the locale, without strtod. */
#ifndef NUM_PARSE_H
#define NUM_PARSE_H

#include "base/str.h"

enum num_result {
	NUM_OK,
	NUM_BAD,   /* not a number by JSON's grammar */
	NUM_RANGE, /* a number outside int64 */
};

/*
 * Converts decimal text times 10^digits to an integer, exactly: "12.345" with 3 digits is 12345. Further digits are
 * rounded half away from zero. Accepts JSON numbers, exponents included.
 */
enum num_result num_fixed(struct str s, int digits, int64_t *v);

/* Converts a JSON number to an integer; NUM_BAD when it has a fraction or an exponent. "-0" is 0. */
enum num_result num_int(struct str s, int64_t *v);

/* The same by value: 5.0 and 1e3 are integers too. NUM_BAD when it has a fraction that is not 0. */
enum num_result num_whole(struct str s, int64_t *v);

/*
 * Converts a JSON number to a double: correctly rounded for up to 19 digits, otherwise within one unit in the last
 * place. Returns false when it is not a number or not finite.
 */
bool num_double(struct str s, double *v);

/*
 * Returns the number that n digits at p form, n in 1..8; 8 bytes must be readable. Digits are combined to pairs, then
 * to fours, then to eight, each with one multiplication. The caller has checked that they are digits.
 */
static inline uint64_t num_digits(const char *p, size_t n)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t x;

	memcpy(&x, p, 8);
	x <<= 64 - 8 * n; /* shifts zeros in before the digits */
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

/* Converts eight digits at once: false when the eight bytes at p are not all digits. */
static inline bool num_eight(const char *p, uint64_t *v)
{
	uint64_t x;

	memcpy(&x, p, 8);
	/* Each byte must be 0x30..0x39: the high half is 3, and adding 6 does not carry into it. */
	if (((x & 0xf0f0f0f0f0f0f0f0) | ((x + 0x0606060606060606) & 0xf0f0f0f0f0f0f0f0) >> 4) != 0x3333333333333333)
		return false;
	*v = num_digits(p, 8);
	return true;
}

#endif

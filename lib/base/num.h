/* num: numbers and their text: exact fixed point, no locale, no strtod, one format. */
#ifndef NUM_H
#define NUM_H

#include "base/str.h"

__extension__ typedef __int128 num_i128;
__extension__ typedef unsigned __int128 num_u128;

/*
 * The number that n digits at p make, n in 1..8, where 8 bytes can be read: pairs are joined, then fours, then all,
 * each step by one multiplication. That they are digits the caller knows.
 */
static inline uint64_t num_digits(const char *p, size_t n)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t x;

	memcpy(&x, p, 8);
	x <<= 64 - 8 * n; /* zeros before them */
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

/* Eight digits at once: false when the eight bytes at p are not all digits. */
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

/* Sums and differences that stop at the ends of int64: a time and a length, two times. */
static inline int64_t num_add(int64_t a, int64_t b)
{
	int64_t v;

	return __builtin_add_overflow(a, b, &v) ? (b < 0 ? INT64_MIN : INT64_MAX) : v;
}

static inline int64_t num_sub(int64_t a, int64_t b)
{
	int64_t v;

	return __builtin_sub_overflow(a, b, &v) ? (b < 0 ? INT64_MAX : INT64_MIN) : v;
}

enum { NUM_ROOM = 48 }; /* bytes that any num_put_*() may write */

enum num_result {
	NUM_OK,
	NUM_BAD,   /* not a number by JSON's grammar */
	NUM_RANGE, /* a number beyond int64 */
};

/*
 * Decimal text times 10^digits as an integer, exactly, digit by digit: "12.345" with 3 digits is
 * 12345. Digits beyond are rounded half away from zero. Takes JSON's grammar, exponents included.
 */
enum num_result num_fixed(struct str s, int digits, int64_t *v);

/* JSON's number as an integer; NUM_BAD when it has a fraction or an exponent. "-0" is 0. */
enum num_result num_int(struct str s, int64_t *v);

/* The same by value: 5.0 and 1e3 are whole numbers too. NUM_BAD when it has a fraction that is not 0. */
enum num_result num_whole(struct str s, int64_t *v);

/*
 * JSON's number as a double: correctly rounded up to 19 digits, else within one unit in the last
 * place. False when it is not a number or not finite.
 */
bool num_double(struct str s, double *v);

/* Each writes at p, without NUL, and returns the end. */
char *num_put_u64(char *p, uint64_t v);
char *num_put_i64(char *p, int64_t v);
char *num_put_i128(char *p, num_i128 v);
/* The fewest digits (at most 17) that read back as v; no exponent within 1e-5 .. 1e17. v is finite. */
char *num_put_double(char *p, double v);
/*
 * v with exactly `decimals` digits after the point, rounded half away from zero; as num_put_double() where
 * that would need more than NUM_ROOM bytes.
 */
char *num_put_decimals(char *p, double v, int decimals);

/*
 * JSON's number divided by 10^shift, digit by digit: "1234500" with shift 6 is 1.2345. `decimals`
 * digits after the point, rounded half away from zero, or as many as there are (-1). NULL, with
 * nothing written, when it would need more than NUM_ROOM bytes or has more digits than that.
 */
char *num_put_scaled(char *p, struct str number, int shift, int decimals);

/*
 * A unit of time (base ns) or of size (base B). Its factor is the base units it stands for.
 */
struct num_unit {
	const char *name;
	bool size; /* of bytes, not of time */
	int64_t factor;
};
/* The unit of that name or NULL; num_units() walks them all, from 0 to NULL, for messages. */
const struct num_unit *num_unit(struct str name);
const struct num_unit *num_units(size_t i);

/*
 * A decimal number with an optional unit at its end, in base units: "1.5ms" is 1500000, "64MiB" is
 * 67108864, "7" is 7; fractions are rounded half away from zero. *unit is NULL when there was none.
 * NUM_BAD also when text that is not a unit follows.
 */
enum num_result num_quantity(struct str s, int64_t *v, const struct num_unit **unit);

#endif

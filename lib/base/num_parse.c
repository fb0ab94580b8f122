#include "base/num_parse.h"

#include <math.h>
#include <stdio.h>

enum { MIDDLE_DIGITS = 800 }; /* enough for the midpoint of two neighbouring doubles, which has up to 768 digits */

/*
 * Handles the usual case without the general parser: a number without a sign or an exponent, and with at most 19 digits
 * after scaling. Returns false in other cases.
 */
static inline bool quick_fixed(struct str s, int digits, int64_t *v)
{
	const char *p = s.p, *end;
	uint64_t n = 0, eight;
	int decimals = 0;

	if (!s.n || s.n > 20 || (*p == '0' && s.n > 1 && p[1] != '.'))
		return false;
	end = s.p + s.n;
	for (; end - p >= 8 && num_eight(p, &eight); p += 8)
		n = n * 100000000 + eight;
	for (; p < end && is_digit(*p); p++)
		n = n * 10 + (uint64_t)(*p - '0');
	/* 19 digits still fit in an unsigned 64-bit integer; the comparison at the end checks the range of int64. */
	if (p == s.p || p - s.p + digits > 19)
		return false;
	if (p < end && *p == '.' && p + 1 < end) {
		for (p++; p < end && is_digit(*p); p++, decimals++)
			n = n * 10 + (uint64_t)(*p - '0');
	}
	if (p != end || decimals > digits)
		return false;
	n *= num_ten[digits - decimals];
	*v = (int64_t)n;
	return n <= INT64_MAX;
}

/* Returns whether all of s is a number; num_decimal_read() returns NULL for an absent text, too. */
static bool read_all(struct str s, struct num_decimal *d)
{
	const char *end = num_decimal_read(s, d);

	return end && end == s.p + s.n;
}

enum num_result num_fixed(struct str s, int digits, int64_t *v)
{
	struct num_decimal d;

	if (quick_fixed(s, digits, v))
		return NUM_OK;
	if (!read_all(s, &d))
		return NUM_BAD;
	return num_decimal_scale(&d, digits, v);
}

enum num_result num_int(struct str s, int64_t *v)
{
	struct num_decimal d;

	if (quick_fixed(s, 0, v))
		return NUM_OK;
	if (!read_all(s, &d) || !d.whole)
		return NUM_BAD;
	return num_decimal_scale(&d, 0, v);
}

bool num_int128(struct str s, int128 *v)
{
	const bool minus = s.n && s.p[0] == '-';
	const uint128 limit = ((uint128)1 << 127) - !minus;
	const char *p = s.p + minus, *end = s.p + s.n;
	uint128 size = 0;

	if (p == end)
		return false;
	for (; p < end && is_digit(*p); p++) {
		if (size > limit / 10 || size * 10 > limit - (unsigned)(*p - '0'))
			return false;
		size = size * 10 + (unsigned)(*p - '0');
	}
	*v = minus && size ? -(int128)(size - 1) - 1 : (int128)size;
	return p == end;
}

bool num_count(struct str s, uint64_t *n)
{
	int64_t v;

	if (num_int(s, &v) != NUM_OK || v < 0)
		return false;
	*n = (uint64_t)v;
	return true;
}

enum num_result num_whole(struct str s, int64_t *v)
{
	struct num_decimal d;

	if (quick_fixed(s, 0, v))
		return NUM_OK;
	if (!read_all(s, &d))
		return NUM_BAD;
	for (; d.exponent < 0 && d.digits && d.digits % 10 == 0; d.exponent++)
		d.digits /= 10;
	if (d.digits && (d.exponent < 0 || (d.exponent == 0 && d.inexact)))
		return NUM_BAD;
	return num_decimal_scale(&d, 0, v);
}

/* 10^27 is the largest power of ten that a 64-bit mantissa holds exactly. */
static long double power10l_of(int64_t e)
{
	static const long double exact[28] = {1e0L, 1e1L, 1e2L, 1e3L, 1e4L, 1e5L, 1e6L, 1e7L, 1e8L, 1e9L, 1e10L, 1e11L,
	    1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L,
	    1e27L};

	return e <= 27 ? exact[e] : powl(10.0L, (long double)e);
}

/*
 * `low` and `high` are neighbouring doubles >= 0; `high` may be infinity. Returns the one that is nearer to the number
 * `s` without its sign; if it is halfway between them, returns the one with the even mantissa.
 */
static double nearer(struct str s, double low, double high)
{
	const long double middle = (low + (isinf(high) ? 0x1p1024L : (long double)high)) / 2;
	char text[MIDDLE_DIGITS + 16];
	uint64_t bits;
	int order, n;

	memcpy(&bits, &low, sizeof bits);
	n = snprintf(text, sizeof text, "%.*Le", MIDDLE_DIGITS, middle);
	order = num_compare(s, (struct str){text, (size_t)n});
	return order < 0 || (order == 0 && bits % 2 == 0) ? low : high;
}

/* Returns the magnitude of the number s, or infinity if it is outside the range of double. */
static double to_double(struct str s, const struct num_decimal *d)
{
	/* only the last few bits of q may be wrong, and dropped digits may add up to 10^-18 of it */
	const long double above = d->used > NUM_DECIMAL_ROOM ? 0x1p-59L : 0x1p-61L;
	long double q = (long double)d->digits;
	double low, high;

	if (!d->digits || d->exponent < -400)
		return 0;
	if (d->exponent > 400)
		return HUGE_VAL;
	q = d->exponent < 0 ? q / power10l_of(-d->exponent) : q * power10l_of(d->exponent);
	/* The error matters only if q is so near to the midpoint of two doubles that it decides which is the result. */
	low = (double)(q - q * 0x1p-61L);
	high = (double)(q + q * above);
	return low == high ? low : nearer(str_from(s, d->negative), low, high);
}

bool num_double(struct str s, double *v)
{
	struct num_decimal d;

	if (!read_all(s, &d))
		return false;
	*v = d.negative ? -to_double(s, &d) : to_double(s, &d);
	return isfinite(*v);
}

enum num_result num_read(struct str s, int64_t *i, double *d, bool *wide)
{
	struct num_decimal decimal;
	int128 v;

	if (quick_fixed(s, 0, i))
		return NUM_OK;
	if (!read_all(s, &decimal))
		return NUM_BAD;
	if (decimal.whole && num_decimal_scale(&decimal, 0, i) == NUM_OK)
		return NUM_OK;
	*d = decimal.negative ? -to_double(s, &decimal) : to_double(s, &decimal);
	*wide = decimal.whole && num_int128(s, &v);
	return NUM_RANGE;
}

#include "base/num_parse.h"

#include "base/num_parse_private.h"

#include <float.h>
#include <math.h>

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
	for (; num_is_digit(p, end); p++)
		n = n * 10 + (uint64_t)(*p - '0');
	/* 19 digits still fit in an unsigned 64-bit integer; the comparison at the end checks the range of int64. */
	if (p == s.p || p - s.p + digits > 19)
		return false;
	if (p < end && *p == '.' && p + 1 < end) {
		for (p++; num_is_digit(p, end); p++, decimals++)
			n = n * 10 + (uint64_t)(*p - '0');
	}
	if (p != end || decimals > digits)
		return false;
	n *= num_ten[digits - decimals];
	*v = (int64_t)n;
	return n <= INT64_MAX;
}

enum num_result num_fixed(struct str s, int digits, int64_t *v)
{
	struct num_decimal d;

	if (quick_fixed(s, digits, v))
		return NUM_OK;
	if (!num_decimal_read_all(s, &d))
		return NUM_BAD;
	return num_decimal_scale(&d, digits, v);
}

enum num_result num_int(struct str s, int64_t *v)
{
	struct num_decimal d;

	if (quick_fixed(s, 0, v))
		return NUM_OK;
	if (!num_decimal_read_all(s, &d) || !d.whole)
		return NUM_BAD;
	return num_decimal_scale(&d, 0, v);
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
	if (!num_decimal_read_all(s, &d))
		return NUM_BAD;
	for (; d.exponent < 0 && d.digits && d.digits % 10 == 0; d.exponent++)
		d.digits /= 10;
	if (d.digits && (d.exponent < 0 || (d.exponent == 0 && d.more)))
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

/* A large integer, lowest word first. Comparing any finite double with a number of 19 digits needs 1600 bits. */
struct big {
	uint32_t word[64];
	int n;
};

static void big_times(struct big *b, uint32_t factor)
{
	uint64_t carry = 0;
	int i;

	for (i = 0; i < b->n; i++, carry >>= 32) {
		carry += (uint64_t)b->word[i] * factor;
		b->word[i] = (uint32_t)carry;
	}
	if (carry)
		b->word[b->n++] = (uint32_t)carry;
}

/* Returns v * 5^five * 2^two. */
static struct big big_of(uint64_t v, int64_t five, int64_t two)
{
	struct big b = {.word = {(uint32_t)v, (uint32_t)(v >> 32)}, .n = 2};

	for (; five > 0; five--)
		big_times(&b, 5);
	for (; two > 0; two -= two > 31 ? 31 : two)
		big_times(&b, (uint32_t)1 << (two > 31 ? 31 : two));
	while (b.n && !b.word[b.n - 1])
		b.n--;
	return b;
}

static int big_compare(const struct big *a, const struct big *b)
{
	int i = a->n - 1;

	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	while (i >= 0 && a->word[i] == b->word[i])
		i--;
	return i < 0 ? 0 : a->word[i] < b->word[i] ? -1 : 1;
}

/*
 * `low` and `high` are neighbouring doubles >= 0. Returns the one that is nearer to d; if d is halfway between them,
 * returns the one with the even mantissa.
 */
static double nearer(const struct num_decimal *d, double low, double high)
{
	int64_t exponent = d->exponent, two;
	struct big left, right;
	uint64_t mantissa;
	int e, order;

	mantissa = (uint64_t)ldexp(frexp(low, &e), DBL_MANT_DIG);
	e -= DBL_MANT_DIG;
	if (e < DBL_MIN_EXP - DBL_MANT_DIG) { /* subnormal */
		mantissa >>= DBL_MIN_EXP - DBL_MANT_DIG - e;
		e = DBL_MIN_EXP - DBL_MANT_DIG;
	}
	/* compares d with the midpoint of low and high: digits * 10^exponent with (2 * mantissa + 1) * 2^(e - 1) */
	two = exponent - (e - 1);
	left = big_of(d->digits, exponent, two);
	right = big_of(2 * mantissa + 1, -exponent, -two);
	order = big_compare(&left, &right);
	return order < 0 || (order == 0 && mantissa % 2 == 0) ? low : high;
}

/* Returns the magnitude of d, or infinity if it is outside the range of double. */
static double to_double(const struct num_decimal *d)
{
	long double q = (long double)d->digits;
	double low, high;

	if (!d->digits || d->exponent < -400)
		return 0;
	if (d->exponent > 400)
		return HUGE_VAL;
	q = d->exponent < 0 ? q / power10l_of(-d->exponent) : q * power10l_of(d->exponent);
	/*
	 * Only the last few bits of q may be wrong. This matters only if q is so near to the midpoint of two doubles
	 * that the error decides which of them is the result.
	 */
	low = (double)(q - q * 0x1p-61L);
	high = (double)(q + q * 0x1p-61L);
	return low == high ? low : nearer(d, low, high);
}

bool num_double(struct str s, double *v)
{
	struct num_decimal d;

	if (!num_decimal_read_all(s, &d))
		return false;
	*v = to_double(&d);
	if (d.negative)
		*v = -*v;
	return isfinite(*v);
}

#include "arithmetic.h"

#include <float.h>
#include <math.h>

enum { LONG_BITS = 64, HUGE_BITS = 128 };
#define INT128_LEAST (-(int128)(((uint128)1 << 127) - 1) - 1)
#define INT128_POWER 0x1p127 /* the smallest double above all integers of 128 bits */

static double to_double(const struct result *r)
{
	return r->type == RESULT_INT ? (double)r->i : r->d;
}

static bool is_small(int128 i)
{
	return (int64_t)i == i;
}

static uint128 magnitude(int128 i)
{
	return i < 0 ? 0 - (uint128)i : (uint128)i;
}

static bool multiply(int128 a, int128 b, int128 *product)
{
	const uint128 x = magnitude(a), y = magnitude(b), limit = ((uint128)1 << 127) - ((a < 0) == (b < 0));

	if (is_small(a) && is_small(b)) {
		*product = a * b;
		return true;
	}
	if (x && y > limit / x)
		return false;
	*product = (int128)((a < 0) == (b < 0) ? x * y : 0 - x * y);
	return true;
}

/*
 * Converts both values to the numbers *x and *y, and returns true when both are integers. When it returns false, either
 * *result is FAILED because a value is not a number, or at least one of *x and *y is a double.
 */
static inline bool both_integers(
    const struct result *a, const struct result *b, struct result *x, struct result *y, struct result *result)
{
	*x = a->type == RESULT_INT ? *a : result_as_number(a);
	*y = b->type == RESULT_INT ? *b : result_as_number(b);
	result->type = RESULT_ABSENT;
	if (x->type == RESULT_FAILED)
		*result = *x;
	else if (y->type == RESULT_FAILED)
		*result = *y;
	return x->type == RESULT_INT && y->type == RESULT_INT;
}

struct result arithmetic_add(const struct result *a, const struct result *b)
{
	struct result x, y, result;
	int128 sum;

	if (both_integers(a, b, &x, &y, &result))
		return __builtin_add_overflow(x.i, y.i, &sum) ? result_failed(FAILURE_INTEGER) : result_int(sum);
	return result.type == RESULT_FAILED ? result : result_real(to_double(&x) + to_double(&y));
}

struct result arithmetic_subtract(const struct result *a, const struct result *b)
{
	struct result x, y, result;
	int128 difference;

	if (both_integers(a, b, &x, &y, &result))
		return __builtin_sub_overflow(x.i, y.i, &difference) ? result_failed(FAILURE_INTEGER)
								     : result_int(difference);
	return result.type == RESULT_FAILED ? result : result_real(to_double(&x) - to_double(&y));
}

struct result arithmetic_multiply(const struct result *a, const struct result *b)
{
	struct result x, y, result;
	int128 product;

	if (both_integers(a, b, &x, &y, &result))
		return multiply(x.i, y.i, &product) ? result_int(product) : result_failed(FAILURE_INTEGER);
	return result.type == RESULT_FAILED ? result : result_real(to_double(&x) * to_double(&y));
}

/* --- division --- */

/*
 * Returns the double nearest to q * 2^exponent, or to a slightly larger value if `more` is set; q >= 2^63.
 */
static double rounded(uint128 q, bool more, int exponent)
{
	const uint64_t high = (uint64_t)(q >> LONG_BITS);
	const int bits = high ? HUGE_BITS - __builtin_clzll(high) : LONG_BITS - __builtin_clzll((uint64_t)q);
	const int drop = bits - DBL_MANT_DIG;
	const uint128 half = (uint128)1 << (drop - 1), rest = q & (2 * half - 1);
	uint64_t mantissa = (uint64_t)(q >> drop);

	mantissa += rest > half || (rest == half && (more || mantissa % 2));
	return ldexp((double)mantissa, exponent + drop);
}

double arithmetic_ratio(int128 a, int128 b)
{
	const uint128 x = magnitude(a), y = magnitude(b), exact = (uint128)1 << DBL_MANT_DIG;
	uint128 q, rest;
	int exponent = 0;
	double d;

	if (x <= exact && y <= exact)
		return (double)a / (double)b;
	/* Appends binary digits to the quotient until it has 64 digits, which is more than a double can hold. */
	q = x / y;
	rest = x % y;
	while (x && q < (uint128)1 << (LONG_BITS - 1)) {
		/* rest < y <= 2^127, so doubling does not overflow */
		rest *= 2;
		q = 2 * q + (rest >= y);
		rest -= rest >= y ? y : 0;
		exponent--;
	}
	d = x ? rounded(q, rest != 0, exponent) : 0;
	return (a < 0) == (b < 0) ? d : -d;
}

/*
 * The same as both_integers(), for a dividend and a divisor. If the divisor is 0, sets *result to FAILED and returns
 * false.
 */
static inline bool both_divisible(
    const struct result *a, const struct result *b, struct result *x, struct result *y, struct result *result)
{
	const bool integers = both_integers(a, b, x, y, result);

	if (result->type != RESULT_FAILED && (integers ? y->i == 0 : fpclassify(to_double(y)) == FP_ZERO))
		*result = result_failed(FAILURE_ZERO);
	return integers && result->type != RESULT_FAILED;
}

/*
 * quotient_of() and rest_of() divide integers for which both_divisible() returned true. A divisor of -1 is special,
 * because the quotient of the minimum integer and -1 does not fit in an integer.
 */
static inline struct result quotient_of(const struct result *x, const struct result *y)
{
	if (y->i == -1)
		return arithmetic_negate(x);
	return result_int(is_small(x->i) && is_small(y->i) ? (int64_t)x->i / (int64_t)y->i : x->i / y->i);
}

static inline int128 rest_of(int128 x, int128 y)
{
	if (y == -1)
		return 0;
	return is_small(x) && is_small(y) ? (int64_t)x % (int64_t)y : x % y;
}

struct result arithmetic_divide(const struct result *a, const struct result *b)
{
	struct result x, y, result;

	if (both_divisible(a, b, &x, &y, &result))
		return rest_of(x.i, y.i) ? result_real(arithmetic_ratio(x.i, y.i)) : quotient_of(&x, &y);
	return result.type == RESULT_FAILED ? result : result_real(to_double(&x) / to_double(&y));
}

/* Converts a double without a fraction to an integer if it fits in 128 bits. */
static struct result whole(double d)
{
	return fabs(d) < INT128_POWER ? result_int((int128)d) : result_real(d);
}

struct result arithmetic_quotient(const struct result *a, const struct result *b)
{
	struct result x, y, result;

	if (both_divisible(a, b, &x, &y, &result))
		return quotient_of(&x, &y);
	return result.type == RESULT_FAILED ? result : whole(trunc(to_double(&x) / to_double(&y)));
}

struct result arithmetic_rest(const struct result *a, const struct result *b)
{
	struct result x, y, result;

	if (both_divisible(a, b, &x, &y, &result))
		return result_int(rest_of(x.i, y.i));
	return result.type == RESULT_FAILED ? result : result_real(fmod(to_double(&x), to_double(&y)));
}

/* --- comparison --- */

/* Compares an integer with a double without rounding the integer. */
static int compare_mixed(int128 i, double d)
{
	int128 truncated;

	if (fabs(d) >= INT128_POWER)
		return d > 0 ? -1 : 1;
	truncated = (int128)d;
	if (i != truncated)
		return i < truncated ? -1 : 1;
	d -= trunc(d);
	return (d < 0) - (d > 0);
}

int arithmetic_compare(const struct result *a, const struct result *b)
{
	if (a->type == RESULT_INT && b->type == RESULT_INT)
		return (a->i > b->i) - (a->i < b->i);
	if (a->type == RESULT_INT)
		return compare_mixed(a->i, b->d);
	if (b->type == RESULT_INT)
		return -compare_mixed(b->i, a->d);
	return (a->d > b->d) - (a->d < b->d);
}

/* Returns the number without its text in the record, so that it is written like a computed number. */
static struct result number_of(struct result r)
{
	r.json.p = NULL;
	return r;
}

struct result arithmetic_min(const struct result *a, const struct result *b)
{
	struct result x, y, result;

	both_integers(a, b, &x, &y, &result);
	return result.type == RESULT_FAILED ? result : number_of(arithmetic_compare(&x, &y) <= 0 ? x : y);
}

struct result arithmetic_max(const struct result *a, const struct result *b)
{
	struct result x, y, result;

	both_integers(a, b, &x, &y, &result);
	return result.type == RESULT_FAILED ? result : number_of(arithmetic_compare(&x, &y) >= 0 ? x : y);
}

/* --- one value --- */

struct result arithmetic_negate(const struct result *a)
{
	const struct result x = result_as_number(a);

	if (x.type == RESULT_INT)
		return x.i == INT128_LEAST ? result_failed(FAILURE_INTEGER) : result_int(-x.i);
	return x.type == RESULT_REAL ? result_real(-x.d) : x;
}

struct result arithmetic_abs(const struct result *a)
{
	const struct result x = result_as_number(a);
	const bool negative = x.type == RESULT_INT ? x.i < 0 : x.type == RESULT_REAL && x.d < 0;

	return negative ? arithmetic_negate(&x) : number_of(x);
}

struct result arithmetic_round(const struct result *a)
{
	const struct result x = result_as_number(a);

	return x.type == RESULT_REAL ? whole(round(x.d)) : number_of(x);
}

struct result arithmetic_floor(const struct result *a)
{
	const struct result x = result_as_number(a);

	return x.type == RESULT_REAL ? whole(floor(x.d)) : number_of(x);
}

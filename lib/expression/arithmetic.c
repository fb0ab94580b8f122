#include "expression/arithmetic.h"

#include "stats/number.h"

#include <float.h>
#include <math.h>

#define INT128_SIZE ((uint128)1 << 127)
#define INT128_LEAST (-(int128)(INT128_SIZE - 1) - 1)
#define DOUBLE_INT ((int128)1 << DBL_MANT_DIG) /* all integers up to this one are doubles */
#define INT128_POWER 0x1p127                   /* the smallest double above all integers of 128 bits */

static double to_double(const struct result *r)
{
	return r->type == RESULT_INT ? (double)r->i : r->d;
}

/* Returns whether to_double() gives exactly this number. */
static bool is_double(const struct result *r)
{
	return r->type == RESULT_REAL || (r->i >= -DOUBLE_INT && r->i <= DOUBLE_INT);
}

static struct number number_in(const struct result *r)
{
	return r->type == RESULT_INT ? number_of_int(r->i) : number_of_real(r->d);
}

static void to_exact(struct exact_number *x, const struct result *r)
{
	const struct number n = number_in(r);

	number_exact(&n, x);
}

/*
 * Returns the sum, difference, product or quotient of two numbers, rounded once to the nearest double. The large frame
 * of this function would make its callers slower if it was inline.
 */
__attribute__((noinline)) static struct result rounded(char op, const struct result *a, const struct result *b)
{
	const double d = to_double(a), e = to_double(b);
	struct exact_number x, y, product;

	if (is_double(a) && is_double(b))
		return result_real(op == '+' ? d + e : op == '-' ? d - e : op == '*' ? d * e : d / e);
	to_exact(&x, a);
	to_exact(&y, b);
	switch (op) {
	case '+':
		exact_add(&x, &y);
		return result_real(exact_double(&x));
	case '-':
		exact_subtract(&x, &y);
		return result_real(exact_double(&x));
	case '*':
		exact_multiply(&product, &x, &y);
		return result_real(exact_double(&product));
	default:
		return result_real(exact_ratio(&x, &y));
	}
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
	const uint128 x = magnitude(a), y = magnitude(b), limit = INT128_SIZE - ((a < 0) == (b < 0));

	if (is_small(a) && is_small(b)) {
		*product = a * b;
		return true;
	}
	if (x && y > limit / x)
		return false;
	*product = (int128)((a < 0) == (b < 0) ? x * y : 0 - x * y);
	return true;
}

static inline bool are_integers(const struct operands *o)
{
	return o->a->type == RESULT_INT && o->b->type == RESULT_INT;
}

struct result arithmetic_add(struct operands *o)
{
	int128 sum;

	if (are_integers(o) && !__builtin_add_overflow(o->a->i, o->b->i, &sum))
		return result_int(sum);
	return rounded('+', o->a, o->b);
}

struct result arithmetic_subtract(struct operands *o)
{
	int128 difference;

	if (are_integers(o) && !__builtin_sub_overflow(o->a->i, o->b->i, &difference))
		return result_int(difference);
	return rounded('-', o->a, o->b);
}

struct result arithmetic_multiply(struct operands *o)
{
	int128 product;

	if (are_integers(o) && multiply(o->a->i, o->b->i, &product))
		return result_int(product);
	return rounded('*', o->a, o->b);
}

/* --- division --- */

static inline bool is_zero(const struct result *r)
{
	return r->type == RESULT_INT ? r->i == 0 : fpclassify(r->d) == FP_ZERO;
}

static struct result negated(const struct result *x)
{
	if (x->type == RESULT_REAL)
		return result_real(-x->d);
	return x->i == INT128_LEAST ? result_real(INT128_POWER) : result_int(-x->i);
}

/*
 * quotient_of() and rest_of() divide integers by one that is not 0. A divisor of -1 is special, because the quotient of
 * the minimum integer and -1 does not fit in an integer.
 */
static inline struct result quotient_of(const struct result *x, const struct result *y)
{
	if (y->i == -1)
		return negated(x);
	return result_int(is_small(x->i) && is_small(y->i) ? (int64_t)x->i / (int64_t)y->i : x->i / y->i);
}

static inline int128 rest_of(int128 x, int128 y)
{
	if (y == -1)
		return 0;
	return is_small(x) && is_small(y) ? (int64_t)x % (int64_t)y : x % y;
}

/* The same as rounded('/'), but faster for integers of 64 bits, such as a time divided by 1000. */
static struct result ratio_of(const struct result *x, const struct result *y)
{
	const uint128 dividend = magnitude(x->i) << 64, divisor = magnitude(y->i);
	uint128 quotient;
	double d;

	if (!is_small(x->i) || !is_small(y->i) || (is_double(x) && is_double(y)))
		return rounded('/', x, y);
	quotient = dividend / divisor; /* with 64 binary digits after the point */
	if (quotient < (uint128)1 << (DBL_MANT_DIG + 2))
		return rounded('/', x, y);
	/* The last digit is set if it or any later digit is set, so that only this conversion rounds. */
	d = ldexp((double)(quotient | (quotient * divisor != dividend)), -64);
	return result_real((x->i < 0) == (y->i < 0) ? d : -d);
}

struct result arithmetic_divide(struct operands *o)
{
	if (is_zero(o->b))
		return result_failed(FAILURE_ZERO);
	if (!are_integers(o))
		return rounded('/', o->a, o->b);
	return rest_of(o->a->i, o->b->i) ? ratio_of(o->a, o->b) : quotient_of(o->a, o->b);
}

/* The magnitude of a number: size * 2^exponent. */
struct scaled_size {
	uint128 size;
	int exponent;
};

static struct scaled_size scaled_size_of(const struct result *r)
{
	int exponent;
	double part;

	if (r->type == RESULT_INT)
		return (struct scaled_size){magnitude(r->i), 0};
	part = frexp(fabs(r->d), &exponent);
	return (struct scaled_size){(uint128)ldexp(part, DBL_MANT_DIG), exponent - DBL_MANT_DIG};
}

/*
 * Returns the exact remainder when at least one number is a double: an INT, or a REAL if a number is a fraction. The
 * remainder of a fraction is smaller and a multiple of the same power of two, so it is a double.
 */
static struct result exact_rest(const struct result *a, const struct result *b)
{
	struct scaled_size x, y;
	bool negative;

	if (is_double(a) && is_double(b))
		return result_real(fmod(to_double(a), to_double(b)));
	x = scaled_size_of(a);
	y = scaled_size_of(b);
	negative = a->type == RESULT_INT ? a->i < 0 : a->d < 0;
	for (; y.exponent > x.exponent && y.size < INT128_SIZE; y.exponent--)
		y.size *= 2;
	if (y.exponent <= x.exponent) { /* otherwise b is larger than a */
		x.size %= y.size;
		for (; x.exponent > y.exponent; x.exponent--)
			x.size = x.size * 2 - (x.size * 2 >= y.size ? y.size : 0);
	}
	if (x.exponent == 0)
		return result_int((int128)(negative ? 0 - x.size : x.size));
	return result_real(ldexp(negative ? -(double)x.size : (double)x.size, x.exponent));
}

/* Returns the quotient of two numbers, of which at least one is a double, truncated before it is rounded. */
static struct result truncated(const struct result *a, const struct result *b)
{
	const double quotient = to_double(a) / to_double(b), whole = trunc(quotient);
	struct exact_number x, y;
	struct result rest;

	/* A rounded quotient that is not an integer is between the same two integers as the exact quotient. */
	if (is_double(a) && is_double(b) && (quotient < whole || quotient > whole))
		return result_real(whole);
	rest = exact_rest(a, b);
	to_exact(&x, a);
	to_exact(&y, &rest);
	exact_subtract(&x, &y);
	to_exact(&y, b);
	return result_real(exact_ratio(&x, &y));
}

struct result arithmetic_quotient(struct operands *o)
{
	if (is_zero(o->b))
		return result_failed(FAILURE_ZERO);
	return are_integers(o) ? quotient_of(o->a, o->b) : truncated(o->a, o->b);
}

struct result arithmetic_rest(struct operands *o)
{
	struct result rest;

	if (is_zero(o->b))
		return result_failed(FAILURE_ZERO);
	if (are_integers(o))
		return result_int(rest_of(o->a->i, o->b->i));
	rest = exact_rest(o->a, o->b);
	return result_real(to_double(&rest));
}

/* --- comparison --- */

int arithmetic_compare(const struct result *a, const struct result *b)
{
	const struct number x = number_in(a), y = number_in(b);

	return number_compare(&x, &y);
}

/* Returns the number without its text in the record, so that it is written like a computed number. */
static struct result computed(struct result r)
{
	r.json.p = NULL;
	return r;
}

struct result arithmetic_min(struct operands *o)
{
	return computed(arithmetic_compare(o->a, o->b) <= 0 ? *o->a : *o->b);
}

struct result arithmetic_max(struct operands *o)
{
	return computed(arithmetic_compare(o->a, o->b) >= 0 ? *o->a : *o->b);
}

/* --- one value --- */

struct result arithmetic_negate(struct operands *o)
{
	return negated(o->a);
}

struct result arithmetic_abs(struct operands *o)
{
	return (o->a->type == RESULT_INT ? o->a->i < 0 : o->a->d < 0) ? negated(o->a) : computed(*o->a);
}

struct result arithmetic_round(struct operands *o)
{
	return o->a->type == RESULT_REAL ? result_real(round(o->a->d)) : computed(*o->a);
}

struct result arithmetic_floor(struct operands *o)
{
	return o->a->type == RESULT_REAL ? result_real(floor(o->a->d)) : computed(*o->a);
}

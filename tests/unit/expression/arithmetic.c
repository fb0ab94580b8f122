/* arithmetic: the limits of 128 bits, results rounded once to the nearest double, and exact comparisons. */
#include "expression/arithmetic.h"

#include "samples.h"
#include "stats/exact_number.h"
#include "test.h"

#define MOST ((int128)(((uint128)1 << 127) - 1))
#define LEAST (-MOST - 1)

static int128 random_int(void)
{
	const unsigned bits = (unsigned)random_below(128);
	uint128 v = 0;
	int i;

	for (i = 0; i < 8; i++)
		v = v << 16 | random_below(1 << 16);
	v &= ((uint128)1 << bits) - 1;
	return random_below(2) ? -(int128)v : (int128)v;
}

static bool is_int(struct result r, int128 i)
{
	return r.type == RESULT_INT && r.i == i;
}

static bool is_real(struct result r, double d)
{
	return r.type == RESULT_REAL && r.d >= d && r.d <= d;
}

static bool is_failed(struct result r, enum result_failure f)
{
	return r.type == RESULT_FAILED && r.failure == f;
}

static struct result apply_to(operation *op, struct result a, struct result b)
{
	struct operands operands = {.a = &a, .b = &b};

	/* cppcheck-suppress returnDanglingLifetime ; the result does not refer to its operands */
	return op(&operands);
}

static struct result apply(operation *op, int128 a, int128 b)
{
	return apply_to(op, result_int(a), result_int(b));
}

static void limits(void)
{
	CHECK(is_int(apply(arithmetic_add, MOST - 1, 1), MOST));
	CHECK(is_real(apply(arithmetic_add, MOST, 1), 0x1p127));
	CHECK(is_real(apply(arithmetic_add, LEAST, LEAST), -0x1p128));
	CHECK(is_real(apply(arithmetic_subtract, LEAST, 1), -0x1p127));
	CHECK(is_int(apply(arithmetic_multiply, LEAST / 2, 2), LEAST));
	CHECK(is_int(apply(arithmetic_multiply, LEAST, 1), LEAST));
	CHECK(is_real(apply(arithmetic_multiply, LEAST, -1), 0x1p127));
	CHECK(is_real(apply(arithmetic_multiply, LEAST / 2, -2), 0x1p127));
	CHECK(is_real(apply(arithmetic_multiply, MOST, MOST), 0x1p254));
	CHECK(is_real(apply(arithmetic_quotient, LEAST, -1), 0x1p127));
	CHECK(is_real(apply(arithmetic_divide, LEAST, -1), 0x1p127));
	CHECK(is_int(apply(arithmetic_rest, LEAST, -1), 0));
	CHECK(is_int(apply(arithmetic_quotient, LEAST, LEAST), 1));
	CHECK(is_failed(apply(arithmetic_rest, 5, 0), FAILURE_ZERO));
}

/*
 * Products and sums that fit in 128 bits: dividing or subtracting gives the first operand again. For quotients:
 * quotient * b + remainder == a.
 */
static void identities(void)
{
	int i;

	for (i = 0; i < 20000; i++) {
		const int128 a = random_int(), b = random_int();
		const struct result product = apply(arithmetic_multiply, a, b), sum = apply(arithmetic_add, a, b);

		if (b != 0 && product.type == RESULT_INT)
			CHECK(is_int(apply(arithmetic_divide, product.i, b), a));
		if (b != 0 && product.type != RESULT_INT)
			CHECK((a < 0 ? -(a / 2) : a / 2) >= MOST / 2 / (b < 0 ? -b : b));
		if (sum.type == RESULT_INT)
			CHECK(is_int(apply(arithmetic_subtract, sum.i, b), a));
		if (b != 0)
			CHECK(apply(arithmetic_quotient, a, b).i * b + apply(arithmetic_rest, a, b).i == a);
	}
}

static double ratio(int128 a, int128 b)
{
	const struct result r = apply(arithmetic_divide, a, b);

	return r.type == RESULT_INT ? (double)r.i : r.d;
}

/* Quotients of random integers of all lengths, and known ones, are the nearest doubles. */
static void ratios(void)
{
	struct exact_number x, y;
	int i;

	for (i = 0; i < 20000; i++) {
		const int128 a = random_int(), b = random_int();

		if (b == 0)
			continue;
		CHECK_DOUBLE(ratio(-a, b), -ratio(a, b));
		exact_int(&x, a);
		exact_int(&y, b);
		CHECK_DOUBLE(ratio(a, b), exact_ratio(&x, &y));
	}
	CHECK_DOUBLE(ratio(((int128)1 << 54) + 3, 2), 0x1p53 + 2);
	CHECK_DOUBLE(ratio(1, MOST), 0x1p-127);
	/* a little more than halfway between two doubles */
	CHECK_DOUBLE(ratio(((((int128)1 << 53) + 1) << 60) + 1, (int128)1 << 60), 0x1p53 + 2);
}

/* An integer that is not a double, and a double: the exact result is rounded once. */
static void mixed(void)
{
	const struct result big = result_int(((int128)1 << 53) + 1), most = result_int(MOST), half = result_real(0.5);
	const struct result tiny = result_real(0x1p-1074), tenth = result_real(0.1), one = result_int(1);
	const struct result huge = result_real(0x1p1023), least = result_int(LEAST), power = result_real(0x1p127);
	int i;

	CHECK(is_real(apply_to(arithmetic_add, big, half), 0x1p53 + 2));
	CHECK(is_real(apply_to(arithmetic_subtract, big, half), 0x1p53));
	CHECK(is_real(apply_to(arithmetic_multiply, big, tiny), ldexp(0x1p53, -1074)));
	CHECK(is_real(apply_to(arithmetic_quotient, one, tenth), 9));
	CHECK(is_real(apply_to(arithmetic_rest, big, half), 0));
	CHECK(is_real(apply_to(arithmetic_rest, most, tiny), 0));
	CHECK(is_real(apply_to(arithmetic_rest, most, huge), 0x1p127));
	CHECK(is_real(apply_to(arithmetic_rest, least, power), 0));
	CHECK(is_real(apply_to(arithmetic_quotient, most, power), 0));
	CHECK(is_real(apply_to(arithmetic_quotient, most, half), 0x1p128));
	CHECK(is_failed(apply_to(arithmetic_quotient, most, tiny), FAILURE_RANGE));
	CHECK(is_failed(apply_to(arithmetic_quotient, huge, half), FAILURE_RANGE));
	/* the remainder of an integer and a double that is an integer is the one of two integers */
	for (i = 0; i < 20000; i++) {
		const int128 a = random_int(), b = (int64_t)random_int() >> 12;
		const struct result x = result_int(a), y = result_real((double)b);
		const struct result back = result_real((double)a), z = result_int(((int128)1 << 60) + (b | 1));

		if (b != 0)
			CHECK(is_real(apply_to(arithmetic_rest, x, y), (double)(a % b)));
		if (b != 0)
			CHECK(is_real(apply_to(arithmetic_quotient, x, y), (double)(a / b)));
		CHECK(is_real(apply_to(arithmetic_rest, back, z), (double)((int128)back.d % z.i)));
	}
}

static void comparisons(void)
{
	const struct result big = result_int(((int128)1 << 53) + 1), real = result_real(0x1p53),
			    most = result_int(MOST);
	const struct result beyond = result_real(0x1p127), half = result_real(-0.5), zero = result_int(0);

	CHECK(arithmetic_compare(&big, &real) > 0);
	CHECK(arithmetic_compare(&real, &big) < 0);
	CHECK(arithmetic_compare(&most, &beyond) < 0);
	CHECK(arithmetic_compare(&half, &zero) < 0);
	CHECK(arithmetic_compare(&zero, &half) > 0);
	CHECK(arithmetic_compare(&beyond, &beyond) == 0);
}

static bool is_read(struct str text, enum result_type type, int128 i, double d)
{
	const struct result r = result_json(text);

	return r.type == type && (type != RESULT_INT || r.i == i) && (type != RESULT_REAL || is_real(r, d));
}

static void numbers(void)
{
	CHECK(is_read(STR("170141183460469231731687303715884105727"), RESULT_INT, MOST, 0));
	CHECK(is_read(STR("-170141183460469231731687303715884105728"), RESULT_INT, LEAST, 0));
	CHECK(is_read(STR("170141183460469231731687303715884105728"), RESULT_REAL, 0, 0x1p127));
	CHECK(is_read(STR("-170141183460469231731687303715884105729"), RESULT_REAL, 0, -0x1p127));
	CHECK(is_read(STR("-0"), RESULT_INT, 0, 0));
	CHECK(is_read(STR("1.5e1"), RESULT_INT, 15, 0));
	CHECK(is_read(STR("1.5"), RESULT_REAL, 0, 1.5));
	CHECK(is_read(STR("1e400"), RESULT_OTHER, 0, 0));
}

void unit_test(void)
{
	limits();
	identities();
	ratios();
	mixed();
	comparisons();
	numbers();
}

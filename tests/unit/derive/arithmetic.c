/* arithmetic: the limits of 128 bits, quotients rounded to the nearest double, and exact comparisons. */
#include "derive/arithmetic.h"

#include "samples.h"
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

static bool is_failed(struct result r, enum result_failure f)
{
	return r.type == RESULT_FAILED && r.failure == f;
}

typedef struct result operation(const struct result *a, const struct result *b);

static struct result apply(operation *op, int128 a, int128 b)
{
	const struct result x = result_int(a), y = result_int(b);

	/* cppcheck-suppress returnDanglingLifetime ; the result does not refer to its operands */
	return op(&x, &y);
}

static void limits(void)
{
	CHECK(is_int(apply(arithmetic_add, MOST - 1, 1), MOST));
	CHECK(is_failed(apply(arithmetic_add, MOST, 1), FAILURE_INTEGER));
	CHECK(is_failed(apply(arithmetic_add, LEAST, -1), FAILURE_INTEGER));
	CHECK(is_failed(apply(arithmetic_subtract, LEAST, 1), FAILURE_INTEGER));
	CHECK(is_int(apply(arithmetic_multiply, LEAST / 2, 2), LEAST));
	CHECK(is_int(apply(arithmetic_multiply, LEAST, 1), LEAST));
	CHECK(is_failed(apply(arithmetic_multiply, LEAST, -1), FAILURE_INTEGER));
	CHECK(is_failed(apply(arithmetic_multiply, LEAST / 2, -2), FAILURE_INTEGER));
	CHECK(is_failed(apply(arithmetic_multiply, MOST, MOST), FAILURE_INTEGER));
	CHECK(is_failed(apply(arithmetic_quotient, LEAST, -1), FAILURE_INTEGER));
	CHECK(is_failed(apply(arithmetic_divide, LEAST, -1), FAILURE_INTEGER));
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

/* The ratio of two random integers is close to the ratio computed in double; known ratios are rounded correctly. */
static void ratios(void)
{
	int i;

	for (i = 0; i < 20000; i++) {
		const int128 a = random_int(), b = random_int();

		if (b == 0)
			continue;
		CHECK_DOUBLE(arithmetic_ratio(-a, b), -arithmetic_ratio(a, b));
		CHECK(fabs(arithmetic_ratio(a, b) / ((double)a / (double)b) - 1) < 1e-15 || a == 0);
		CHECK_DOUBLE(arithmetic_ratio(a, 1), (double)a);
	}
	CHECK_DOUBLE(arithmetic_ratio(((int128)1 << 53) + 1, 1), 0x1p53);
	CHECK_DOUBLE(arithmetic_ratio(((int128)1 << 53) + 3, 1), 0x1p53 + 4);
	CHECK_DOUBLE(arithmetic_ratio(((int128)1 << 54) + 3, 2), 0x1p53 + 2);
	CHECK_DOUBLE(arithmetic_ratio(1, MOST), 0x1p-127);
	CHECK_DOUBLE(arithmetic_ratio(LEAST, LEAST), 1);
	CHECK_DOUBLE(arithmetic_ratio(0, MOST), 0);
	/* a little more than halfway between two doubles */
	CHECK_DOUBLE(arithmetic_ratio(((((int128)1 << 53) + 1) << 60) + 1, (int128)1 << 60), 0x1p53 + 2);
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

static void numbers(void)
{
	CHECK(is_int(result_number(STR("170141183460469231731687303715884105727")), MOST));
	CHECK(is_int(result_number(STR("-170141183460469231731687303715884105728")), LEAST));
	CHECK_INT(result_number(STR("170141183460469231731687303715884105728")).type, RESULT_OTHER);
	CHECK_INT(result_number(STR("-170141183460469231731687303715884105729")).type, RESULT_OTHER);
	CHECK(is_int(result_number(STR("-0")), 0));
	CHECK(is_int(result_number(STR("1.5e1")), 15));
	CHECK_INT(result_number(STR("1.5")).type, RESULT_REAL);
	CHECK_INT(result_number(STR("1e400")).type, RESULT_OTHER);
}

void unit_test(void)
{
	limits();
	identities();
	ratios();
	comparisons();
	numbers();
}

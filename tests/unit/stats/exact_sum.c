#include "stats/exact_sum.h"
#include "random_values.h"
#include "test.h"

#include <float.h>

static const char *text_of(const struct exact_number *x)
{
	static struct buf b;

	b.n = 0;
	exact_put(&b, x);
	buf_char(&b, '\0');
	return b.p;
}

static struct exact_number sum_of(const double *values, size_t n)
{
	struct exact_sum s = {0};
	struct exact_number x;
	size_t i;

	for (i = 0; i < n; i++)
		exact_sum_add(&s, values[i]);
	exact_sum_get(&s, &x);
	exact_sum_free(&s);
	return x;
}

static void test_sums(void)
{
	static const double cancels[] = {1e308, 1, -1e308, 5e-324, -1, 1e308, 1e308, -1e308, -1e308};
	static const double tie[] = {0x1p53, 1}, over_tie[] = {0x1p53, 1, 5e-324}, below[] = {-0x1p53, -1, -5e-324};
	static const double largest[] = {DBL_MAX, 0x1p969}, infinite[] = {DBL_MAX, 0x1p970};
	struct exact_number x;

	x = sum_of(cancels, 9);
	CHECK_STR(str_of(text_of(&x)), "1p-1074");
	CHECK_DOUBLE(exact_double(&x), 5e-324);
	x = sum_of(tie, 2);
	CHECK_DOUBLE(exact_double(&x), 0x1p53);
	x = sum_of(over_tie, 3);
	CHECK_DOUBLE(exact_double(&x), 0x1p53 + 2);
	x = sum_of(below, 3);
	CHECK_DOUBLE(exact_double(&x), -0x1p53 - 2);
	x = sum_of(largest, 2);
	CHECK_DOUBLE(exact_double(&x), DBL_MAX);
	x = sum_of(infinite, 2);
	CHECK(isinf(exact_double(&x)));
	x = sum_of(cancels, 0);
	CHECK_STR(str_of(text_of(&x)), "0p0");
	CHECK_DOUBLE(exact_double(&x), 0);
}

/* Doubles a sum so often that the chunks are carried, and adds as many negative values. */
static void test_carry(void)
{
	enum { TIMES = 70 };
	struct exact_sum s = {0}, less = {0};
	struct exact_number x;
	int i;

	exact_sum_add_product(&s, DBL_MAX, DBL_MAX);
	exact_sum_add(&s, 3);
	exact_sum_add_product(&less, -DBL_MAX, DBL_MAX);
	for (i = 0; i < TIMES; i++) {
		exact_sum_merge(&s, &s);
		exact_sum_merge(&less, &less);
	}
	exact_sum_merge(&s, &less);
	exact_sum_get(&s, &x);
	CHECK_STR(str_of(text_of(&x)), "3p70");
	exact_sum_free(&s);
	exact_sum_free(&less);
}

static struct exact_number read_number(const char *text)
{
	struct exact_number x;

	CHECK(exact_read(&x, str_of(text), -70, 80));
	return x;
}

static void check_ratio(const char *a, const char *b, double ratio, double root)
{
	const struct exact_number x = read_number(a), y = read_number(b);

	CHECK_DOUBLE(exact_ratio(&x, &y), ratio);
	if (root >= 0)
		CHECK_DOUBLE(exact_root(&x, &y), root);
}

/* Expected values are from python3: fractions.Fraction, and decimal with 400 digits for roots. */
static void test_ratios(void)
{
	check_ratio("0", "7", 0, 0);
	check_ratio("2", "1", 2, 1.4142135623730951);
	check_ratio("-2", "3", -0.66666666666666663, -1);
	check_ratio("2", "-3", -0.66666666666666663, -1);
	check_ratio("36893488147419103232", "3", 1.2297829382473034e+19, 3506826112.3804007);
	check_ratio("18014398509481985", "2", 9007199254740992, 94906265.62425156);
	check_ratio("18014398509481987", "2", 9007199254740994, 94906265.62425156);
	check_ratio("1p-1074", "1", 5e-324, 2.2227587494850775e-162);
	check_ratio("1p-1074", "2", 0, 1.5717277847026288e-162);
	check_ratio("3p-1075", "1", 1e-323, 2.7223123787726303e-162);
	check_ratio("1p-2148", "1", 0, 5e-324);
	check_ratio("340282366920938463463374607431768211457", "340282366920938463463374607431768211456", 1, 1);
	check_ratio("340282366920938463463374607431768211455", "18446744073709551615", 0x1p64, 0x1p32);
	check_ratio("1p1024", "1", HUGE_VAL, 0x1p512);
}

static void test_text(void)
{
	static const char *const same[] = {"0p0", "1p0", "-1p0", "3p-2", "18014398509481985p-51", "-7p1000", "1p-2148",
	    "162259276829213381405976519770117p-102", "1000000001p31", "4294967295p32", "4294967297p1"};
	static const char *const bad[] = {"", "-", "p0", "1p", "1p0.5", "0x1p0", " 1p0", "1p9999999999999999999",
	    "1p-2241", "1p2560", "1e5", "+1p0", "--1p0"};
	struct exact_number x;
	struct buf b = {0};
	size_t i;

	for (i = 0; i < sizeof same / sizeof *same; i++) {
		x = read_number(same[i]);
		CHECK_STR(str_of(text_of(&x)), same[i]);
	}
	for (i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK(!exact_read(&x, str_of(bad[i]), -70, 80));
	x = read_number("-340282366920938463463374607431768211456000000000");
	exact_put_int(&b, &x);
	CHECK_STR(((struct str){b.p, b.n}), "-340282366920938463463374607431768211456000000000");
	buf_free(&b);
}

/* Adds random values in two orders and in parts. The texts are equal, so the sums are. */
static void test_orders(void)
{
	enum { N = 2000 };
	struct exact_sum forward = {0}, backward = {0}, parts[3] = {{0}};
	double values[N];
	uint64_t state = 3, bits;
	struct exact_number x, y;
	struct buf text = {0};
	size_t i;

	for (i = 0; i < N; i++) {
		do {
			bits = random_bits(&state);
			memcpy(&values[i], &bits, sizeof bits);
		} while (!isfinite(values[i]));
	}
	for (i = 0; i < N; i++) {
		exact_sum_add(&forward, values[i]);
		exact_sum_add(&backward, values[N - 1 - i]);
		exact_sum_add(&parts[i % 3], values[i]);
	}
	exact_sum_merge(&parts[2], &parts[0]);
	exact_sum_merge(&parts[1], &parts[2]);
	exact_sum_get(&forward, &x);
	buf_add(&text, text_of(&x), strlen(text_of(&x)));
	exact_sum_get(&backward, &y);
	CHECK_STR(((struct str){text.p, text.n}), text_of(&y));
	exact_sum_get(&parts[1], &y);
	CHECK_STR(((struct str){text.p, text.n}), text_of(&y));
	y = x;
	exact_subtract(&y, &x);
	CHECK_INT(exact_sign(&y), 0);
	for (i = 0; i < 3; i++)
		exact_sum_free(&parts[i]);
	exact_sum_free(&forward);
	exact_sum_free(&backward);
	buf_free(&text);
}

void unit_test(void)
{
	test_sums();
	test_carry();
	test_ratios();
	test_text();
	test_orders();
}

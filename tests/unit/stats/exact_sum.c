#include "stats/exact_sum.h"
#include "json/scan.h"
#include "random_values.h"
#include "test.h"

#include <float.h>
#include <stdlib.h>

static const char *text_of(const struct exact_number *x)
{
	static struct buf b;

	b.n = 0;
	exact_write(&b, NULL, x);
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
	CHECK_STR(str_of(text_of(&x)), "[-34,16384]");
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
	CHECK_STR(str_of(text_of(&x)), "[]");
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
	CHECK_STR(str_of(text_of(&x)), "[2,192]");
	exact_sum_free(&s);
	exact_sum_free(&less);
}

/* Reads a decimal integer, which may be followed by `p` and a power of two of at least -2148. */
static struct exact_number read_number(const char *text)
{
	const bool negative = *text == '-';
	struct exact_number x, y, factor;
	long power;

	exact_int(&x, 0);
	exact_int(&factor, 10);
	for (text += negative; *text >= '0' && *text <= '9'; text++) {
		exact_multiply(&y, &x, &factor);
		exact_int(&x, negative ? '0' - *text : *text - '0');
		exact_add(&x, &y);
	}
	for (power = *text == 'p' ? strtol(text + 1, NULL, 10) : 0; power; power -= power / 3 ? power / 3 : power) {
		exact_real(&factor, ldexp(1, (int)(power / 3 ? power / 3 : power)));
		exact_multiply(&y, &x, &factor);
		x = y;
	}
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

static bool read_text(struct exact_number *x, const char *text)
{
	struct exact_sum s = {0};
	struct buf b = {0};
	bool good;

	buf_add(&b, text, strlen(text));
	scan_pad(&b);
	good = exact_sum_read(&s, (struct str){b.p, b.n}, -70, 80);
	exact_sum_get(&s, x);
	exact_sum_free(&s);
	buf_free(&b);
	return good;
}

static void test_text(void)
{
	static const char *const same[] = {
	    "[]", "[0,1]", "[0,-1]", "[-1,2147483648]", "[0,-4294967295,-1]", "[79,1]", "[-70,1]"};
	static const char *const bad[] = {"", "{}", "1", "\"1\"", "[0.5]", "[-71,1]", "[80,1]", "[79,1,1]",
	    "[0,4294967296]", "[0,-4294967296]", "[0,1e1]", "[0,null]", "[99999999999]", "[1e0]"};
	static const struct {
		const char *text, *same;
	} other[] = {
	    {"[0]", "[]"}, {"[80]", "[]"}, {"[0,-1,1]", "[0,4294967295]"}, {"[5,0,0,7,0]", "[7,7]"}, {"[0,-0]", "[]"}};
	struct exact_number x;
	size_t i;

	for (i = 0; i < sizeof same / sizeof *same; i++) {
		CHECK(read_text(&x, same[i]));
		CHECK_STR(str_of(text_of(&x)), same[i]);
	}
	for (i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK(!read_text(&x, bad[i]));
	for (i = 0; i < sizeof other / sizeof *other; i++) {
		CHECK(read_text(&x, other[i].text));
		CHECK_STR(str_of(text_of(&x)), other[i].same);
	}
	x = read_number("-340282366920938463463374607431768211457");
	CHECK_STR(str_of(text_of(&x)), "[0,-1,0,0,0,-1]");
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

/* num_format: compares the results with those of libc and of arithmetic on digits as text, and reads numbers back. */
#include "test.h"

#include "base/num_format.h"
#include "base/num_parse.h"
#include "random_values.h"
#include "slow_num.h"
#include "base/int_math.h"

#include <float.h>
#include <inttypes.h>

/*
 * Checks that the text of v is read back as v, has no more digits than libc needs, and is in the form that
 * num_put_double() describes.
 */
static void compare_put(double v)
{
	char text[NUM_ROOM + 1], best[64];
	char *end = num_put_double(text, v);
	int precision;
	double back;

	CHECK(end - text <= NUM_ROOM);
	*end = '\0';
	back = strtod(text, NULL);
	for (precision = 1; precision < 17; precision++) {
		snprintf(best, sizeof best, "%.*e", precision - 1, v);
		if (!(strtod(best, NULL) < v || strtod(best, NULL) > v))
			break;
	}
	CHECK_SHOW(!(back < v || back > v), "num_put_double(%.17g) is '%s'", v, text);
	/* whole numbers are written in full, even if fewer digits are enough */
	CHECK(significant(text) <= precision || (fabs(v) < 1e17 && !strchr(text, '.')));
	CHECK(is_number((struct str){text, (size_t)(end - text)}));
	CHECK((memchr(text, 'e', (size_t)(end - text)) != NULL) == (v != 0 && (fabs(v) < 1e-5 || fabs(v) >= 1e17)));
	CHECK(num_double((struct str){text, (size_t)(end - text)}, &back));
	CHECK_DOUBLE(back, v);
}

static void test_doubles(void)
{
	static const double edges[] = {0, 1, -1, 0.1, 1e-5, 9.9999999999999991e-6, 1e17, 99999999999999984.0, 1e16,
	    123456.75, DBL_MAX, -DBL_MAX, DBL_MIN, DBL_MIN / 2, 4.9406564584124654e-324, 1e22, 1e23, 5e-324, 1.0 / 3,
	    2.0 / 3, 9007199254740993.0, 4944.25, 2.675, 0.3, 1e300, 1e-300, 1.7976931348623157e308,
	    2.2250738585072014e-308};
	size_t i;

	for (i = 0; i < sizeof edges / sizeof *edges; i++) {
		compare_put(edges[i]);
		compare_put(nextafter(edges[i], 0));
		compare_put(-edges[i]);
	}
	for (i = 0; i < 30000; i++)
		compare_put(random_double());
	for (i = 0; i < 90; i++) { /* around powers of two and ten */
		compare_put(nextafter(ldexp(1, (int)i - 20), 0));
		compare_put(nextafter(ldexp(1, (int)i - 20), 1e300));
		compare_put(nextafter(pow(10, (double)i / 3 - 6), 0));
	}
	for (i = 0; i < 30000; i++) /* doubles that are written without an exponent */
		compare_put(ldexp(
		    (double)((uint64_t)random_below(1u << 31) << 22 | random_below(1u << 22)), -(int)random_below(70)));
}

/* `want` is the expected text, or "NULL" when num_put_scaled() must return NULL. */
static void check_scaled(const char *number, int shift, int decimals, const char *want)
{
	char text[NUM_ROOM + 1];
	char *end = num_put_scaled(text, str_of(number), shift, decimals);

	CHECK_STR(end ? ((struct str){text, (size_t)(end - text)}) : STR("NULL"), want);
}

/* Compares num_put_scaled() with arithmetic on the digits as text. */
static void compare_scaled(struct str s, int shift, int decimals)
{
	struct decimal d = slow_decimal(s, -shift);
	char want[256], whole[256], got[NUM_ROOM], *p = want, *end;
	long first = 0, last, i, n;
	bool up, zero = true;

	while (first < d.n - 1 && d.digits[first] == '0')
		first++;
	for (last = d.n; last > first && d.digits[last - 1] == '0';)
		last--;
	n = decimals >= 0 ? decimals : last > d.point && last > first ? last - d.point : 0;
	if (d.point > 60 || n > 60)
		return;
	/* the digits with the values 10^60 down to 10^-n, as numbers from 0 to 9; they become characters below */
	for (i = d.point - 61; i < d.point + n; i++)
		*p++ = (char)digit_at(&d, i);
	up = digit_at(&d, d.point + n) >= 5;
	for (i = p - want - 1; up && i >= 0; i--) {
		up = ++want[i] == 10;
		want[i] = up ? 0 : want[i];
	}
	for (i = 0; i < p - want; i++) {
		zero &= !want[i];
		want[i] = (char)(want[i] + '0');
	}
	for (first = 0; first < 60 && want[first] == '0';)
		first++;
	end = num_put_scaled(got, s, shift, decimals);
	n = p - want;
	last = snprintf(whole, sizeof whole, "%s%.*s%s%.*s", d.negative && !zero ? "-" : "", (int)(61 - first),
	    want + first, n > 61 ? "." : "", (int)(n - 61), want + 61);
	if (!end) {
		CHECK(last > NUM_ROOM - 2);
		return;
	}
	CHECK(end - got <= NUM_ROOM);
	CHECK_STR(((struct str){got, (size_t)(end - got)}), whole);
}

static void test_put(void)
{
	static const uint64_t bits[] = {0, 1, 9, 10, 99, 100, 99999999, 100000000, 999999999999999, 9999999999999999,
	    10000000000000000, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX};
	char text[NUM_ROOM], want[64], room[512];
	struct str s;
	uint64_t v;
	int128 big;
	uint128 sum;
	size_t i, j;
	char *end;

	for (i = 0; i < 60000; i++) {
		v = ((uint64_t)random_below((size_t)1 << 31) << 33 ^ (uint64_t)random_below((size_t)1 << 31) << 5) >>
		    random_below(64);
		v = i < sizeof bits / sizeof *bits ? bits[i] : v;
		end = num_put_u64(text, v);
		snprintf(want, sizeof want, "%" PRIu64, v);
		CHECK_STR(((struct str){text, (size_t)(end - text)}), want);
		end = num_put_i64(text, (int64_t)v);
		snprintf(want, sizeof want, "%" PRId64, (int64_t)v);
		CHECK_STR(((struct str){text, (size_t)(end - text)}), want);
		big = (int128)((uint128)v << random_below(65));
		big = random_below(2) ? -big : big;
		end = num_put_i128(text, big);
		CHECK(end - text <= NUM_ROOM);
		/* reads the text back digit by digit */
		for (sum = 0, j = *text == '-'; j < (size_t)(end - text); j++)
			sum = sum * 10 + (unsigned)(text[j] - '0');
		CHECK((*text == '-' ? 0 - sum : sum) == (uint128)big);
		CHECK(text[*text == '-'] != '0' || big == 0);
	}
	end = num_put_i128(text, (int128)((uint128)1 << 127));
	CHECK_STR(((struct str){text, (size_t)(end - text)}), "-170141183460469231731687303715884105728");
	end = num_put_i128(text, (int128)1000000000 * 1000000000);
	CHECK_STR(((struct str){text, (size_t)(end - text)}), "1000000000000000000");
	for (i = 0; i < 60000; i++) {
		s = random_number(room);
		if (is_number(s))
			compare_scaled(s, (int)random_below(20), (int)random_below(12) - 1);
	}
}

static void test_rounding(void)
{
	check_scaled("4944.25", 0, 1, "4944.3");
	check_scaled("2.675", 0, 2, "2.68");
	check_scaled("-2.675", 0, 2, "-2.68");
	check_scaled("1.005", 0, 2, "1.01");
	check_scaled("0.5", 0, 0, "1");
	check_scaled("-0.5", 0, 0, "-1");
	check_scaled("0.4", 0, 0, "0");
	check_scaled("-0.04", 0, 1, "0.0");
	check_scaled("0", 0, 3, "0.000");
	check_scaled("999.95", 0, 1, "1000.0");
	check_scaled("1e-7", 0, 3, "0.000");
	check_scaled("5e-7", 0, 6, "0.000001");
	check_scaled("123456789012.125", 0, 2, "123456789012.13");
	check_scaled("9e18", 0, 1, "9000000000000000000.0");
	check_scaled("1e12", 0, 9, "1000000000000.000000000");
	check_scaled("-1e20", 0, 1, "-100000000000000000000.0");

	check_scaled("1234500", 6, -1, "1.2345");
	check_scaled("1234500", 6, 2, "1.23");
	check_scaled("1235000", 6, 2, "1.24");
	check_scaled("-1235000", 6, 2, "-1.24");
	check_scaled("0", 6, -1, "0");
	check_scaled("-0", 6, 2, "0.00");
	check_scaled("-4", 3, 1, "0.0");
	check_scaled("9999", 3, 1, "10.0");
	check_scaled("1e3", 0, -1, "1000");
	check_scaled("1.5e-3", 0, -1, "0.0015");
	check_scaled("1e40", 0, -1, "10000000000000000000000000000000000000000");
	check_scaled("1e60", 0, -1, "NULL");
	check_scaled("1e999999999", 0, -1, "NULL");
	check_scaled("1e-999999999", 0, 2, "0.00");
	check_scaled("1e-999999999", 0, -1, "NULL");
	check_scaled("1712195495502094520", 9, -1, "1712195495.50209452");
}

/* Numbers that are found to be values are written unchanged; most short numbers are found. */
static void test_is_value(void)
{
	static const char *const values[] = {
	    "0", "7", "-12", "123456789012345", "0.5", "-0.001", "12.25", "1700000000.125"};
	static const char *const others[] = {"-0", "0.0", "1.0", "1.50", "1e3", "0.000001", "-1.5e-7", "1E2",
	    "12345678901234567890123456789012345678901", "0.30000000000000004441"};
	char text[NUM_ROOM + 1], number[64];
	uint64_t state = 9, bits;
	size_t i;
	int n;

	for (i = 0; i < sizeof values / sizeof *values; i++)
		CHECK(num_is_value(str_of(values[i])));
	for (i = 0; i < sizeof others / sizeof *others; i++)
		CHECK(!num_is_value(str_of(others[i])));
	for (i = 0; i < 100000; i++) {
		bits = random_bits(&state);
		n = snprintf(number, sizeof number, "%" PRId64 ".%0*u", (int64_t)bits >> (20 + bits % 43),
		    1 + (int)(bits >> 8) % 9, (unsigned)(bits >> 16) % 1000);
		if (!num_is_value((struct str){number, (size_t)n}))
			continue;
		*num_put_value(text, (struct str){number, (size_t)n}) = '\0';
		CHECK_STR(str_of(text), number);
	}
}

void unit_test(void)
{
	test_is_value();
	test_doubles();
	test_put();
	test_rounding();
}

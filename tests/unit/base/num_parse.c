/* num_parse: compares the results with those of libc and of arithmetic on digits as text. */
#include "test.h"

#include "base/int_math.h"
#include "base/num_parse.h"
#include "slow_num.h"

#include <float.h>
#include <inttypes.h>

/* --- fixed point, computed digit by digit */

static enum num_result slow_fixed(struct str s, int digits, int64_t *v)
{
	struct decimal d;
	int128 sum = 0;
	long i;

	if (!is_number(s))
		return NUM_BAD;
	d = slow_decimal(s, digits);
	for (i = 0; i < d.point && i < 1000; i++) {
		sum = sum * 10 + digit_at(&d, i);
		if (sum > (int128)1 << 100)
			return NUM_RANGE;
	}
	sum += digit_at(&d, d.point) >= 5;
	sum = d.negative ? -sum : sum;
	if (sum > INT64_MAX || sum < INT64_MIN)
		return NUM_RANGE;
	*v = (int64_t)sum;
	return NUM_OK;
}

static bool has_fraction(struct str s)
{
	struct decimal d = slow_decimal(s, 0);
	long i;

	for (i = d.point > 0 ? d.point : 0; i < d.n; i++) {
		if (digit_at(&d, i))
			return true;
	}
	return false;
}

static bool same_number(enum num_result r, int64_t got, enum num_result w, int64_t want)
{
	return r == w && (r != NUM_OK || got == want);
}

static void compare_fixed(struct str s, int digits)
{
	int64_t got = 0, want = 0;
	enum num_result r = num_fixed(s, digits, &got), w = slow_fixed(s, digits, &want);

	CHECK_SHOW(same_number(r, got, w, want), "num_fixed('%.*s', %d) is %jd (%d), expected %jd (%d)", STR_FMT(s),
	    digits, (intmax_t)got, r, (intmax_t)want, w);
}

static void compare_int(struct str s)
{
	int64_t got = 0, want = 0;
	bool whole = is_number(s) && slow_decimal(s, 0).whole;
	enum num_result r = num_int(s, &got), w = whole ? slow_fixed(s, 0, &want) : NUM_BAD;

	CHECK_SHOW(same_number(r, got, w, want), "num_int('%.*s') is %jd (%d), expected %jd (%d)", STR_FMT(s),
	    (intmax_t)got, r, (intmax_t)want, w);
	r = num_whole(s, &got);
	w = slow_fixed(s, 0, &want);
	if (w == NUM_OK && has_fraction(s))
		w = NUM_BAD;
	if (w == NUM_RANGE && has_fraction(s) && r == NUM_BAD)
		return; /* NUM_BAD and NUM_RANGE are both correct */
	CHECK_SHOW(same_number(r, got, w, want), "num_whole('%.*s') is %jd (%d), expected %jd (%d)", STR_FMT(s),
	    (intmax_t)got, r, (intmax_t)want, w);
}

static const char *const numbers[] = {
    "0",
    "-0",
    "1",
    "-1",
    "00",
    "01",
    "-01",
    "-00",
    "",
    "-",
    "+1",
    ".5",
    "-.5",
    "5.",
    "5.e1",
    "1e",
    "1e+",
    "1e-",
    "1e5",
    "1E5",
    "1e+5",
    "1e-5",
    "0e0",
    "0e99999999999999999999",
    "1e99999999999999999999",
    "1e-99999999999999999999",
    "-1e-99999999999999999999",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "9223372036854775807.4999999",
    "9223372036854775807.5",
    "-9223372036854775808.4999",
    "-9223372036854775808.5",
    "9999999999999999999",
    "-9999999999999999999",
    "10000000000000000000",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999999999999999",
    "0.5",
    "-0.5",
    "0.49999",
    "0.4999999999999999999999999999999999",
    "0.5000000000000000000000000001",
    "1.5",
    "2.5",
    "-2.5",
    "1234567890.123456789",
    "1712195495502094.5205",
    "1712195495502094520.0",
    "1712195495502094520.00000",
    "1.71219549550209452e18",
    "171219549550209452000000e-5",
    "17121954955020945200000.01e-5",
    "1234567890123456789.00000000000000000001",
    "0.00000000000000000000000000000000000001",
    "0.00000000000000000000000000000000000001e38",
    "922337203685477.5807",
    "922337203685477.58075",
    "922337203685477580.7",
    "1e18",
    "1e19",
    "9e18",
    "1.0",
    "1.0e0",
    "100e-2",
    "150e-2",
    "0x10",
    "1 ",
    " 1",
    "1_0",
    "--1",
    "1-",
    "1.2.3",
    "1e5.0",
    "inf",
    "nan",
    "1/",
    "1:",
    "/1",
    ":1",
    "12345678",
    "1234567a",
    "12345678.12345678",
    "12345678.1234567:",
    "1234567/",
    "0.12345678",
    "00.5",
    "0.",
    "9223372036.854775807",
    "9223372036.854775808",
    "9007199254740993",
    "7.997",
    "0.001",
    "0.0005",
    "0.00049999999999999999",
};

static void test_integers(void)
{
	char room[512], edge[24];
	struct str s;
	int64_t v = 0;
	size_t i;
	int digits;

	for (i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		compare_int(str_of(numbers[i]));
		for (digits = 0; digits <= 18; digits++)
			compare_fixed(str_of(numbers[i]), digits);
	}
	for (i = 0; i < 300000; i++) {
		s = random_number(room);
		compare_fixed(s, (int)random_below(10));
		compare_int(s);
	}
	/* texts of all lengths, each in its own memory block: no byte after the text may be read */
	for (i = 1; i < 24; i++) {
		memset(edge, '7', sizeof edge);
		s = exact_copy((struct str){edge, i});
		compare_int(s);
		compare_fixed(s, 3);
		free((char *)s.p);
	}
	CHECK_INT(num_fixed(STR("12.345"), 3, &v), NUM_OK);
	CHECK_INT(v, 12345);
	CHECK_INT(num_int(STR("-0"), &v), NUM_OK);
	CHECK_INT(v, 0);
}

static void test_counts(void)
{
	uint64_t n = 7;

	CHECK(!num_count(STR("-1"), &n) && !num_count(STR("1.5"), &n) && !num_count(STR("9223372036854775808"), &n));
	CHECK(!num_count((struct str){0}, &n) && n == 7);
	CHECK(num_count(STR("9223372036854775807"), &n) && n == INT64_MAX);
	CHECK(num_count(STR("0"), &n) && n == 0);
}

static void test_eight(void)
{
	char text[16], want[16];
	uint64_t v = 0;
	size_t i;
	int c;

	for (c = 0; c < 256; c++) {
		for (i = 0; i < 8; i++) {
			memcpy(text, "12345678", 9);
			text[i] = (char)c;
			memcpy(want, text, 9);
			if (num_eight(text, &v) != (c >= '0' && c <= '9'))
				CHECK_INT(c, -1);
			if (c >= '0' && c <= '9')
				CHECK_INT(v, strtoull(want, NULL, 10));
		}
	}
}

/* --- doubles */

static void compare_double(struct str s)
{
	char *z = str_dup(s);
	double got = 0, want = strtod(z, NULL);
	bool good = num_double(s, &got);

	CHECK_INT(good, is_number(s) && isfinite(want));
	if (good && isfinite(want)) {
		CHECK_SHOW(
		    memcmp(&got, &want, sizeof got) == 0, "num_double('%s') is %.17g, expected %.17g", z, got, want);
	}
	free(z);
}

/* Compares the number halfway between a double and the next one, and numbers a little below and above it. */
static void compare_midpoint(double low)
{
	const double high = nextafter(low, low < 0 ? -HUGE_VAL : HUGE_VAL);
	const long double end = low < 0 ? -0x1p1024L : 0x1p1024L;
	char room[1024];
	size_t i;

	snprintf(room, sizeof room, "%.800Le", (low + (isinf(high) ? end : (long double)high)) / 2);
	compare_double(str_of(room));
	strchr(room, 'e')[-1] = '1';
	compare_double(str_of(room));
	strchr(room, 'e')[-1] = '0';
	/* The last digit that is not 0 is a 5; one unit less is below the midpoint. */
	for (i = (size_t)(strchr(room, 'e') - room); room[--i] == '0';)
		;
	room[i]--;
	compare_double(str_of(room));
}

static void test_doubles(void)
{
	static const char *const texts[] = {"9007199254740993", "9007199254740992.5", "9007199254740993.5", "1e308",
	    "1.8e308", "1e309", "-1e309", "1e-323", "1e-324", "1e-400", "2.4703282292062327e-324",
	    "2.4703282292062328e-324", "1.00000000000000011102230246251565", "1e5000", "1e-5000", "0e5000", "0e99999",
	    "0e-99999", "-0", "-0.0", "-0e9", "8.5", "7.2057594037927933e16", "9223372036854775807",
	    "18446744073709551615", "1.7976931348623157e308", "1.797693134862315807e308", "1.797693134862315808e308",
	    "2.2250738585072011e-308", "179769313486231580793e289"};
	char room[512];
	size_t i;
	int n;

	for (i = 0; i < sizeof texts / sizeof *texts; i++)
		compare_double(str_of(texts[i]));
	for (i = 0; i < 300000; i++) {
		/* numbers of 17 to 19 digits, and typical numbers, with any exponent */
		n = snprintf(room, sizeof room, "%.*e",
		    (int)(random_below(2) ? 16 + random_below(3) : random_below(19)), random_double());
		compare_double((struct str){room, (size_t)n});
		/* numbers of up to 19 digits that are halfway between two doubles, or nearly so */
		n = snprintf(room, sizeof room, "%" PRIu64 "%s",
		    ((uint64_t)random_below((size_t)1 << 31) << 28 | random_below(1 << 28)) | 1u << 5,
		    (const char *[]){"", ".0", "e-3", "e7"}[random_below(4)]);
		compare_double((struct str){room, (size_t)n});
		/* the midpoint of two doubles with all its digits, and numbers a little below and above it */
		if (i % 100 == 0)
			compare_midpoint(random_double());
	}
	compare_midpoint(0);
	compare_midpoint(DBL_MIN);
	compare_midpoint(DBL_MAX);
}

/* An absent text is not a number of any type. */
static void test_absent(void)
{
	int64_t whole;
	double real;

	CHECK_INT(num_int((struct str){0}, &whole), NUM_BAD);
	CHECK_INT(num_whole((struct str){0}, &whole), NUM_BAD);
	CHECK(!num_double((struct str){0}, &real));
	CHECK(!num_double(STR(""), &real));
}

void unit_test(void)
{
	test_absent();
	test_integers();
	test_counts();
	test_eight();
	test_doubles();
}

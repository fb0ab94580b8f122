/* num: against arithmetic on the digits as text, against libc, and round trips. */
#include "test.h"

#include "base/num.h"
#include "samples.h"
#include "slow_json.h"

#include <float.h>
#include <inttypes.h>
#include <limits.h>

static struct str random_number(char *room)
{
	static const char *const usual[] = {"0", "-", "00", "1", "9", "5", "99", "4999", "5000", "922337203685477580"};
	size_t i, n = 1 + random_below(26);
	char *p = room;

	if (random_below(4) == 0)
		*p++ = '-';
	if (random_below(3) == 0)
		p = stpcpy(p, usual[random_below(sizeof usual / sizeof *usual)]);
	for (i = 0; i < n; i++)
		*p++ = random_below(8) ? (char)('0' + random_below(10)) : "09.5"[random_below(4)];
	if (random_below(3) == 0)
		p += sprintf(p, "%c%s%zu", "eE"[random_below(2)], (const char *[]){"", "+", "-"}[random_below(3)],
		    random_below(random_below(4) ? 30 : 400));
	if (random_below(40) == 0)
		room[random_below((size_t)(p - room))] = random_byte();
	return (struct str){room, (size_t)(p - room)};
}

/* --- fixed point, by the digits */

static bool is_number(struct str s)
{
	return s.n && (*s.p == '-' || (*s.p >= '0' && *s.p <= '9')) && s.p[s.n - 1] > ' ' && slow_json(s);
}

/* All digits of |s| * 10^shift, and where its point is; a number by JSON's grammar. */
struct decimal {
	char digits[128];
	long n, point;
	bool negative, whole;
};

static struct decimal slow_decimal(struct str s, long shift)
{
	struct decimal d = {.whole = true, .negative = *s.p == '-'};
	char *exponent;
	long e = 0;
	size_t i;

	d.point = LONG_MIN;
	for (i = d.negative; i < s.n && s.p[i] != 'e' && s.p[i] != 'E'; i++) {
		if (s.p[i] == '.')
			d.point = d.n;
		else
			d.digits[d.n++] = s.p[i];
	}
	d.whole = d.point == LONG_MIN && i == s.n;
	if (d.point == LONG_MIN)
		d.point = d.n;
	if (i < s.n) {
		exponent = str_dup(str_from(s, i + 1));
		e = strtol(exponent, NULL, 10);
		free(exponent);
	}
	d.point += shift + (e > 1000000 ? 1000000 : e < -1000000 ? -1000000 : e);
	return d;
}

static int digit_at(const struct decimal *d, long i)
{
	return i >= 0 && i < d->n ? d->digits[i] - '0' : 0;
}

static enum num_result slow_fixed(struct str s, int digits, int64_t *v)
{
	struct decimal d;
	num_i128 sum = 0;
	long i;

	if (!is_number(s))
		return NUM_BAD;
	d = slow_decimal(s, digits);
	for (i = 0; i < d.point && i < 1000; i++) {
		sum = sum * 10 + digit_at(&d, i);
		if (sum > (num_i128)1 << 100)
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

static void compare_fixed(struct str s, int digits)
{
	int64_t got = 0, want = 0;
	enum num_result r = num_fixed(s, digits, &got), w = slow_fixed(s, digits, &want);

	if (r != w || (r == NUM_OK && got != want))
		printf("num_fixed('%.*s', %d)\n", (int)s.n, s.p, digits);
	CHECK_INT(r, w);
	if (r == NUM_OK)
		CHECK_INT(got, want);
}

static void compare_int(struct str s)
{
	int64_t got = 0, want = 0;
	bool whole = is_number(s) && slow_decimal(s, 0).whole;
	enum num_result r = num_int(s, &got), w = whole ? slow_fixed(s, 0, &want) : NUM_BAD;

	if (r != w || (r == NUM_OK && got != want))
		printf("num_int('%.*s')\n", (int)s.n, s.p);
	CHECK_INT(r, w);
	if (r == NUM_OK)
		CHECK_INT(got, want);
	r = num_whole(s, &got);
	w = slow_fixed(s, 0, &want);
	if (w == NUM_OK && has_fraction(s))
		w = NUM_BAD;
	if (w == NUM_RANGE && has_fraction(s) && r == NUM_BAD)
		return; /* it may say either */
	if (r != w || (r == NUM_OK && got != want))
		printf("num_whole('%.*s')\n", (int)s.n, s.p);
	CHECK_INT(r, w);
	if (r == NUM_OK)
		CHECK_INT(got, want);
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
	/* all lengths, in memory of its own: not a byte behind is looked at */
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

static int significant(const char *z)
{
	int n = 0, zeros = 0;

	for (; *z && *z != 'e'; z++) {
		if (*z < '0' || *z > '9' || (!n && *z == '0'))
			continue;
		zeros = *z == '0' ? zeros + 1 : 0;
		n++;
	}
	return n - zeros;
}

static void compare_double(struct str s)
{
	char *z = str_dup(s);
	double got = 0, want = strtod(z, NULL);
	bool good = num_double(s, &got);

	CHECK_INT(good, is_number(s) && isfinite(want));
	if (good && isfinite(want)) {
		if (significant(z) > 19 && (got < want || got > want))
			want = nextafter(want, got);
		if (memcmp(&got, &want, sizeof got) != 0)
			printf("num_double('%s')\n", z);
		CHECK_DOUBLE(got, want);
		CHECK_INT(signbit(got), signbit(want));
	}
	free(z);
}

static double random_double(void)
{
	uint64_t bits;
	double v;

	do {
		bits = (uint64_t)random_below((size_t)1 << 31) << 33 ^ (uint64_t)random_below((size_t)1 << 31) << 11 ^
		       random_below(2048);
		if (random_below(2)) /* an exponent as it occurs */
			bits = (bits & 0x800fffffffffffff) | (uint64_t)(1023 - 40 + random_below(110)) << 52;
		memcpy(&v, &bits, sizeof v);
	} while (!isfinite(v));
	return v;
}

/* Reads back as it was, in as few digits as libc needs, and in the promised form. */
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
	if (back < v || back > v)
		printf("num_put_double(%.17g) is '%s'\n", v, text);
	CHECK_DOUBLE(back, v);
	/* whole numbers stand as they are, however few digits would do */
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
	static const char *const texts[] = {"9007199254740993", "9007199254740992.5", "9007199254740993.5", "1e308",
	    "1.8e308", "1e309", "-1e309", "1e-323", "1e-324", "1e-400", "2.4703282292062327e-324",
	    "2.4703282292062328e-324", "1.00000000000000011102230246251565", "1e5000", "1e-5000", "0e5000", "0e99999",
	    "0e-99999", "-0", "-0.0", "-0e9", "8.5", "7.2057594037927933e16", "9223372036854775807",
	    "18446744073709551615", "1.7976931348623157e308", "1.797693134862315807e308", "1.797693134862315808e308",
	    "2.2250738585072011e-308", "179769313486231580793e289"};
	char room[512];
	size_t i;
	int n;

	for (i = 0; i < sizeof edges / sizeof *edges; i++) {
		compare_put(edges[i]);
		compare_put(nextafter(edges[i], 0));
		compare_put(-edges[i]);
	}
	for (i = 0; i < sizeof texts / sizeof *texts; i++)
		compare_double(str_of(texts[i]));
	for (i = 0; i < 100000; i++)
		compare_put(random_double());
	for (i = 0; i < 300000; i++) {
		/* 17 to 19 digits, and as they occur; any exponent */
		n = snprintf(room, sizeof room, "%.*e",
		    (int)(random_below(2) ? 16 + random_below(3) : random_below(19)), random_double());
		compare_double((struct str){room, (size_t)n});
		/* halfway between two doubles and next to it, whole numbers of up to 19 digits */
		n = snprintf(room, sizeof room, "%" PRIu64 "%s",
		    ((uint64_t)random_below((size_t)1 << 31) << 28 | random_below(1 << 28)) | 1u << 5,
		    (const char *[]){"", ".0", "e-3", "e7"}[random_below(4)]);
		compare_double((struct str){room, (size_t)n});
	}
}

/* --- writing */

static void check_decimals(double v, int decimals, const char *want)
{
	char text[NUM_ROOM];
	char *end = num_put_decimals(text, v, decimals);

	CHECK_STR(((struct str){text, (size_t)(end - text)}), want);
}

/* "-" or "whole number" or "NULL" */
static void check_scaled(const char *number, int shift, int decimals, const char *want)
{
	char text[NUM_ROOM + 1];
	char *end = num_put_scaled(text, str_of(number), shift, decimals);

	CHECK_STR(end ? ((struct str){text, (size_t)(end - text)}) : STR("NULL"), want);
}

/* num_put_scaled() on the digits as text. */
static void compare_scaled(struct str s, int shift, int decimals)
{
	struct decimal d = slow_decimal(s, -shift);
	char want[256], whole[256], got[NUM_ROOM], *p = want, *end;
	long first = 0, last, i, n;
	bool up, zero = true;

	while (first < d.n - 1 && d.digits[first] == '0')
		first++;
	for (last = d.n; last > first && d.digits[last - 1] == '0'; )
		last--;
	n = decimals >= 0 ? decimals : last > d.point && last > first ? last - d.point : 0;
	if (d.point > 60 || n > 60)
		return;
	/* digits from 10^60 down to 10^-n, as numbers first */
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
	for (first = 0; first < 60 && want[first] == '0'; )
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
	num_i128 big;
	num_u128 sum;
	size_t i, j;
	char *end;

	for (i = 0; i < 200000; i++) {
		v = ((uint64_t)random_below((size_t)1 << 31) << 33 ^ (uint64_t)random_below((size_t)1 << 31) << 5) >>
		    random_below(64);
		v = i < sizeof bits / sizeof *bits ? bits[i] : v;
		end = num_put_u64(text, v);
		snprintf(want, sizeof want, "%" PRIu64, v);
		CHECK_STR(((struct str){text, (size_t)(end - text)}), want);
		end = num_put_i64(text, (int64_t)v);
		snprintf(want, sizeof want, "%" PRId64, (int64_t)v);
		CHECK_STR(((struct str){text, (size_t)(end - text)}), want);
		big = (num_i128)((num_u128)v << random_below(65));
		big = random_below(2) ? -big : big;
		end = num_put_i128(text, big);
		CHECK(end - text <= NUM_ROOM);
		/* read back digit by digit */
		for (sum = 0, j = *text == '-'; j < (size_t)(end - text); j++)
			sum = sum * 10 + (unsigned)(text[j] - '0');
		CHECK((*text == '-' ? 0 - sum : sum) == (num_u128)big);
		CHECK(text[*text == '-'] != '0' || big == 0);
	}
	end = num_put_i128(text, (num_i128)((num_u128)1 << 127));
	CHECK_STR(((struct str){text, (size_t)(end - text)}), "-170141183460469231731687303715884105728");
	end = num_put_i128(text, (num_i128)1000000000 * 1000000000);
	CHECK_STR(((struct str){text, (size_t)(end - text)}), "1000000000000000000");
	for (i = 0; i < 200000; i++) {
		s = random_number(room);
		if (is_number(s))
			compare_scaled(s, (int)random_below(20), (int)random_below(12) - 1);
	}
}

static void test_rounding(void)
{
	check_decimals(4944.25, 1, "4944.3");
	check_decimals(2.675, 2, "2.68");
	check_decimals(-2.675, 2, "-2.68");
	check_decimals(1.005, 2, "1.01");
	check_decimals(0.5, 0, "1");
	check_decimals(-0.5, 0, "-1");
	check_decimals(0.4, 0, "0");
	check_decimals(-0.04, 1, "0.0");
	check_decimals(0, 3, "0.000");
	check_decimals(999.95, 1, "1000.0");
	check_decimals(1e-7, 3, "0.000");
	check_decimals(5e-7, 6, "0.000001");
	check_decimals(123456789012.125, 2, "123456789012.13");
	check_decimals(9e18, 1, "9000000000000000000.0");
	check_decimals(1e12, 9, "1000000000000.000000000");
	check_decimals(-1e20, 1, "-100000000000000000000.0");

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

static void check_quantity(const char *text, enum num_result want, int64_t value, const char *unit_name)
{
	const struct num_unit *unit;
	int64_t v = 0;

	CHECK_INT(num_quantity(str_of(text), &v, &unit), want);
	if (want != NUM_OK)
		return;
	CHECK_INT(v, value);
	CHECK_STR(unit ? str_of(unit->name) : STR(""), unit_name);
}

static void test_quantities(void)
{
	const struct num_unit *unit;
	size_t i;

	check_quantity("1.5ms", NUM_OK, 1500000, "ms");
	check_quantity("64MiB", NUM_OK, 67108864, "MiB");
	check_quantity("7", NUM_OK, 7, "");
	check_quantity("10s", NUM_OK, 10000000000, "s");
	check_quantity("0.5GiB", NUM_OK, 1 << 29, "GiB");
	check_quantity("1.5KiB", NUM_OK, 1536, "KiB");
	check_quantity("0.7KiB", NUM_OK, 717, "KiB");
	check_quantity("0.7777kB", NUM_OK, 778, "kB");
	check_quantity("1e3us", NUM_OK, 1000000, "us");
	check_quantity("1e-3s", NUM_OK, 1000000, "s");
	check_quantity("-2us", NUM_OK, -2000, "us");
	check_quantity("9223372036854775807ns", NUM_OK, INT64_MAX, "ns");
	check_quantity("9223372036.854775807s", NUM_OK, INT64_MAX, "s");
	check_quantity("9223372036.854775808s", NUM_RANGE, 0, "");
	check_quantity("8589934591GiB", NUM_OK, (int64_t)8589934591 << 30, "GiB");
	check_quantity("8589934592GiB", NUM_RANGE, 0, "");
	check_quantity("9007199254740991KiB", NUM_OK, (int64_t)9007199254740991 << 10, "KiB");
	check_quantity("9007199254740992KiB", NUM_RANGE, 0, "");
	check_quantity("-9007199254740992KiB", NUM_OK, INT64_MIN, "KiB");
	check_quantity("", NUM_BAD, 0, "");
	check_quantity("ms", NUM_BAD, 0, "");
	check_quantity("1 ms", NUM_BAD, 0, "");
	check_quantity("1MS", NUM_BAD, 0, "");
	check_quantity("1m", NUM_BAD, 0, "");
	check_quantity("1msx", NUM_BAD, 0, "");
	check_quantity("1.ms", NUM_BAD, 0, "");
	check_quantity("01ms", NUM_BAD, 0, "");
	check_quantity(".5ms", NUM_BAD, 0, "");
	check_quantity("1e", NUM_BAD, 0, "");
	for (i = 0; (unit = num_units(i)); i++)
		CHECK(num_unit(str_of(unit->name)) == unit);
	CHECK_INT(i, 11);
	CHECK(!num_unit(STR("")));
	CHECK(!num_unit(STR("n")));
}

/* What is not there is no number, of any type. */
static void test_absent(void)
{
	int64_t whole;
	double real;

	CHECK_INT(num_int((struct str){0}, &whole), NUM_BAD);
	CHECK_INT(num_whole((struct str){0}, &whole), NUM_BAD);
	CHECK(!num_double((struct str){0}, &real));
	CHECK(!num_double(STR(""), &real));
}

/* Times and lengths stop at the ends. */
static void ends(void)
{
	CHECK_INT(num_add(-5, 7), 2);
	CHECK_INT(num_add(INT64_MAX, 1), INT64_MAX);
	CHECK_INT(num_add(INT64_MIN, -1), INT64_MIN);
	CHECK_INT(num_sub(7, -5), 12);
	CHECK_INT(num_sub(INT64_MAX, INT64_MIN), INT64_MAX);
	CHECK_INT(num_sub(INT64_MIN, 1), INT64_MIN);
}

int main(void)
{
	ends();
	test_absent();
	test_integers();
	test_eight();
	test_doubles();
	test_put();
	test_rounding();
	test_quantities();
	return test_end();
}

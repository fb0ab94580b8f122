#include "base/num.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* JSON's number taken apart: sign, all digits up to 19 as one integer, and the power of ten. */
struct decimal {
	bool negative, whole; /* whole: neither fraction nor exponent was written */
	uint64_t digits;
	int used;             /* how many digits `digits` holds, without leading zeros */
	int64_t exponent;     /* value = digits * 10^exponent, when nothing was cut */
	unsigned next;        /* the first digit that had no room */
	bool more;            /* a digit that had no room was not 0 */
};

enum { ROOM = 19, EXPONENT_MOST = 100000 }; /* 19 digits always fit 64 bits */

static bool is_digit(const char *p, const char *end)
{
	return p < end && (unsigned char)(*p - '0') < 10;
}

static void take_digit(struct decimal *d, unsigned digit, bool fraction)
{
	if (d->used < ROOM) {
		d->digits = d->digits * 10 + digit;
		d->used += d->digits != 0;
		d->exponent -= fraction;
		return;
	}
	if (d->used == ROOM)
		d->next = digit;
	d->more |= digit != 0;
	d->used++;
	d->exponent += !fraction;
}

/* The end of the number at the start of s, or NULL when there is none. */
static const char *read_decimal(struct str s, struct decimal *d)
{
	const char *p = s.p, *end = s.p + s.n;
	int64_t e = 0;
	bool minus;

	*d = (struct decimal){.whole = true};
	if (p < end && *p == '-') {
		d->negative = true;
		p++;
	}
	if (!is_digit(p, end))
		return NULL;
	if (*p == '0' && is_digit(p + 1, end))
		return NULL;
	for (; is_digit(p, end); p++)
		take_digit(d, (unsigned)(*p - '0'), false);
	if (p < end && *p == '.') {
		d->whole = false;
		if (!is_digit(++p, end))
			return NULL;
		for (; is_digit(p, end); p++)
			take_digit(d, (unsigned)(*p - '0'), true);
	}
	if (p < end && (*p == 'e' || *p == 'E') &&
	    (is_digit(p + 1, end) || (p + 1 < end && (p[1] == '+' || p[1] == '-') && is_digit(p + 2, end)))) {
		d->whole = false;
		minus = p[1] == '-';
		p += p[1] == '-' || p[1] == '+' ? 2 : 1;
		for (; is_digit(p, end); p++)
			e = e < EXPONENT_MOST ? e * 10 + (*p - '0') : e;
		d->exponent += minus ? -e : e;
	}
	return p;
}

/* Whether all of s is a number; an absent text, whose end is NULL too, is none. */
static bool read_whole(struct str s, struct decimal *d)
{
	const char *end = read_decimal(s, d);

	return end && end == s.p + s.n;
}

static const uint64_t ten[20] = {1ull, 10ull, 100ull, 1000ull, 10000ull, 100000ull, 1000000ull, 10000000ull,
    100000000ull, 1000000000ull, 10000000000ull, 100000000000ull, 1000000000000ull, 10000000000000ull,
    100000000000000ull, 1000000000000000ull, 10000000000000000ull, 100000000000000000ull,
    1000000000000000000ull, 10000000000000000000ull};

static enum num_result apply_sign(const struct decimal *d, num_u128 magnitude, int64_t *v)
{
	if (magnitude > (num_u128)INT64_MAX + d->negative)
		return NUM_RANGE;
	*v = d->negative ? (int64_t)(0 - (uint64_t)magnitude) : (int64_t)magnitude;
	return NUM_OK;
}

static enum num_result scale(const struct decimal *d, int digits, int64_t *v)
{
	int64_t e = d->exponent + digits;
	num_u128 magnitude = d->digits, unit;

	if (d->digits == 0) {
		*v = 0;
		return NUM_OK;
	}
	if (e >= 0) {
		/* With e > 0 a cut digit means a value of over 19 digits; with 0 it is the first decimal. */
		if (e > ROOM || (e > 0 && d->used > ROOM))
			return NUM_RANGE;
		return apply_sign(d, magnitude * ten[e] + (d->used > ROOM && d->next >= 5), v);
	}
	if (e < -ROOM) {
		*v = 0;
		return NUM_OK;
	}
	unit = ten[-e];
	/* Half or more goes away from zero; digits that were cut can only add to less than half a unit. */
	return apply_sign(d, magnitude / unit + (magnitude % unit * 2 >= unit), v);
}

/*
 * The usual case, without the bookkeeping: no sign, no exponent, at most 19 digits once scaled. False when
 * it is another one.
 */
static inline bool quick_fixed(struct str s, int digits, int64_t *v)
{
	const char *p = s.p, *end = s.p + s.n;
	uint64_t n = 0, eight;
	int decimals = 0;

	if (!s.n || s.n > 20 || (*p == '0' && s.n > 1 && p[1] != '.'))
		return false;
	for (; end - p >= 8 && num_eight(p, &eight); p += 8)
		n = n * 100000000 + eight;
	for (; is_digit(p, end); p++)
		n = n * 10 + (uint64_t)(*p - '0');
	/* 19 digits still fit 64 bits unsigned, and are compared at the end. */
	if (p == s.p || p - s.p + digits > 19)
		return false;
	if (p < end && *p == '.' && p + 1 < end) {
		for (p++; is_digit(p, end); p++, decimals++)
			n = n * 10 + (uint64_t)(*p - '0');
	}
	if (p != end || decimals > digits)
		return false;
	n *= ten[digits - decimals];
	*v = (int64_t)n;
	return n <= INT64_MAX;
}

enum num_result num_fixed(struct str s, int digits, int64_t *v)
{
	struct decimal d;

	if (quick_fixed(s, digits, v))
		return NUM_OK;
	if (!read_whole(s, &d))
		return NUM_BAD;
	return scale(&d, digits, v);
}

enum num_result num_int(struct str s, int64_t *v)
{
	struct decimal d;

	if (quick_fixed(s, 0, v))
		return NUM_OK;
	if (!read_whole(s, &d) || !d.whole)
		return NUM_BAD;
	return scale(&d, 0, v);
}

enum num_result num_whole(struct str s, int64_t *v)
{
	struct decimal d;

	if (quick_fixed(s, 0, v))
		return NUM_OK;
	if (!read_whole(s, &d))
		return NUM_BAD;
	for (; d.exponent < 0 && d.digits && d.digits % 10 == 0; d.exponent++)
		d.digits /= 10;
	if (d.digits && (d.exponent < 0 || (d.exponent == 0 && d.more)))
		return NUM_BAD;
	return scale(&d, 0, v);
}

/* 10^27 is the last power that a 64-bit mantissa holds exactly. */
static long double power10l_of(int64_t e)
{
	static const long double exact[28] = {1e0L, 1e1L, 1e2L, 1e3L, 1e4L, 1e5L, 1e6L, 1e7L, 1e8L, 1e9L, 1e10L,
	    1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L,
	    1e26L, 1e27L};

	return e <= 27 ? exact[e] : powl(10.0L, (long double)e);
}

/* A whole number, the lowest word first. Comparing any finite double with 19 digits takes 1600 bits. */
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

/* v * 5^five * 2^two */
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

/* Of two neighbours, low >= 0 and high, the one that is nearer to d; half way the even one. */
static double nearer(const struct decimal *d, double low, double high)
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
	/* digits * 10^exponent against the middle, (2 * mantissa + 1) * 2^(e - 1) */
	two = exponent - (e - 1);
	left = big_of(d->digits, exponent, two);
	right = big_of(2 * mantissa + 1, -exponent, -two);
	order = big_compare(&left, &right);
	return order < 0 || (order == 0 && mantissa % 2 == 0) ? low : high;
}

/* The magnitude; infinite when there is no double for it. */
static double to_double(const struct decimal *d)
{
	long double q = (long double)d->digits;
	double low, high;

	if (!d->digits || d->exponent < -400)
		return 0;
	if (d->exponent > 400)
		return HUGE_VAL;
	q = d->exponent < 0 ? q / power10l_of(-d->exponent) : q * power10l_of(d->exponent);
	/* q is off by a few of its last bits at most, and rounding it again may tip it over the middle. */
	low = (double)(q - q * 0x1p-61L);
	high = (double)(q + q * 0x1p-61L);
	return low == high ? low : nearer(d, low, high);
}

bool num_double(struct str s, double *v)
{
	struct decimal d;

	if (!read_whole(s, &d))
		return false;
	*v = to_double(&d);
	if (d.negative)
		*v = -*v;
	return isfinite(*v);
}

static const char pairs[201] = "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243"
			       "4445464748495051525354555657585960616263646566676869707172737475767778798081828384858687"
			       "888990919293949596979899";

/* How many digits v has: the bits give it but for one. */
static inline unsigned digits_of(uint64_t v)
{
	unsigned guess = ((64 - (unsigned)__builtin_clzll(v | 1)) * 1233) >> 12;

	return guess + (v >= ten[guess] || v == 0);
}

/* Exactly n digits of v, written from the last one back. */
static inline void put_digits(char *p, uint64_t v, unsigned n)
{
	for (; n >= 2; n -= 2, v /= 100)
		memcpy(p + n - 2, pairs + v % 100 * 2, 2);
	if (n)
		*p = (char)('0' + v);
}

char *num_put_u64(char *p, uint64_t v)
{
	unsigned n = digits_of(v);

	/* Divisions by constants of 32 bits are faster, and the eight digits of a part do not wait for the others. */
	if (n > 16) {
		put_digits(p, v / 10000000000000000u, n - 16);
		p += n - 16;
		v %= 10000000000000000u;
		n = 16;
	}
	if (n > 8) {
		put_digits(p, (uint32_t)(v / 100000000), n - 8);
		p += n - 8;
		v %= 100000000;
		n = 8;
	}
	put_digits(p, (uint32_t)v, n);
	return p + n;
}

char *num_put_i64(char *p, int64_t v)
{
	if (v < 0)
		*p++ = '-';
	return num_put_u64(p, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

char *num_put_i128(char *p, num_i128 v)
{
	num_u128 m = v < 0 ? 0 - (num_u128)v : (num_u128)v;
	const uint64_t chunk = 1000000000000000000ull;
	char *end;
	uint64_t low;
	int i;

	if (v < 0)
		*p++ = '-';
	if (m >= (num_u128)chunk * chunk) {
		p = num_put_u64(p, (uint64_t)(m / ((num_u128)chunk * chunk)));
		m %= (num_u128)chunk * chunk;
	} else if (m < chunk) {
		return num_put_u64(p, (uint64_t)m);
	} else {
		p = num_put_u64(p, (uint64_t)(m / chunk));
		m %= chunk;
		low = (uint64_t)m;
		end = p + 18;
		for (i = 17; i >= 0; i--, low /= 10)
			p[i] = (char)('0' + low % 10);
		return end;
	}
	for (end = p + 36, i = 35; i >= 0; i--, m /= 10)
		p[i] = (char)('0' + (int)(m % 10));
	return end;
}

char *num_put_double(char *p, double v)
{
	char text[64], digits[32];
	int precision, n, exponent, i, point;
	double back;

	if (v == 0) {
		*p = '0';
		return p + 1;
	}
	if (fabs(v) < 1e17 && v == trunc(v))
		return num_put_i64(p, (int64_t)v);
	/* 15 digits come back from any double, but from those that lack bits of their own. */
	for (precision = fabs(v) < DBL_MIN ? 1 : 15;; precision++) {
		n = snprintf(text, sizeof text, "%.*e", precision - 1, v);
		if (precision == 17 || (num_double((struct str){text, (size_t)n}, &back) && back == v))
			break;
	}
	/* d.ddde[+-]xx into digits and exponent, zeros at the end dropped */
	if (v < 0)
		*p++ = '-';
	for (i = v < 0, n = 0; text[i] != 'e'; i++) {
		if (text[i] != '.')
			digits[n++] = text[i];
	}
	while (n > 1 && digits[n - 1] == '0')
		n--;
	for (exponent = 0, point = i + 2; text[point]; point++)
		exponent = exponent * 10 + (text[point] - '0');
	exponent = text[i + 1] == '-' ? -exponent : exponent;
	if (exponent < -5 || exponent >= 17) {
		*p++ = digits[0];
		if (n > 1) {
			*p++ = '.';
			memcpy(p, digits + 1, (size_t)n - 1);
			p += n - 1;
		}
		*p++ = 'e';
		return num_put_i64(p, exponent);
	}
	if (exponent < 0) {
		*p++ = '0';
		*p++ = '.';
		for (i = -1; i > exponent; i--)
			*p++ = '0';
		memcpy(p, digits, (size_t)n);
		return p + n;
	}
	for (i = 0; i < n || i <= exponent; i++) {
		if (i == exponent + 1)
			*p++ = '.';
		*p++ = i < n ? digits[i] : '0';
	}
	return p;
}

/* room[0..n) are the digits; the first stands for 10^(point - 1). */
struct digits {
	char room[NUM_ROOM];
	int n, point;
	bool negative;
};

/* Takes a number apart without leading or trailing zeros; false when it has too many digits. */
static bool take_digits(struct digits *d, struct str s)
{
	const char *p = s.p, *end = s.p + s.n;
	char *digits = d->room;
	bool fraction = false, minus;
	int exponent = 0;

	*d = (struct digits){.negative = p < end && *p == '-'};
	for (p += d->negative; p < end && *p != 'e' && *p != 'E'; p++) {
		if (*p == '.') {
			fraction = true;
			continue;
		}
		d->point += !fraction && (d->n || *p != '0');
		d->point -= fraction && !d->n && *p == '0';
		if (!d->n && *p == '0')
			continue;
		if (d->n == NUM_ROOM)
			return false;
		digits[d->n++] = *p;
	}
	while (d->n && digits[d->n - 1] == '0')
		d->n--;
	if (p < end) { /* at the e */
		minus = ++p < end && *p == '-';
		for (p += p < end && (*p == '-' || *p == '+'); p < end && exponent < EXPONENT_MOST; p++)
			exponent = exponent * 10 + (*p - '0');
		d->point += minus ? -exponent : exponent;
	}
	if (!d->n)
		d->point = 0;
	return true;
}

/* Keeps `keep` digits, rounded half away from zero. */
static void round_digits(struct digits *d, int keep)
{
	char *digits = d->room;
	bool up = keep >= 0 && digits[keep] >= '5';

	d->n = keep > 0 ? keep : 0;
	if (!up)
		return;
	while (d->n && digits[d->n - 1] == '9')
		d->n--;
	if (d->n) {
		digits[d->n - 1]++;
	} else {
		digits[0] = '1';
		d->n = 1;
		d->point++;
	}
}

char *num_put_scaled(char *p, struct str number, int shift, int decimals)
{
	struct digits d;
	const char *digits = d.room;
	int i;

	if (!take_digits(&d, number))
		return NULL;
	d.point -= d.n ? shift : 0;
	if (decimals >= 0 && d.point + decimals < d.n)
		round_digits(&d, d.point + decimals);
	if (decimals < 0)
		decimals = d.n > d.point ? d.n - d.point : 0;
	if ((d.point > 0 ? d.point : 1) + decimals + 2 > NUM_ROOM)
		return NULL;
	if (d.negative && d.n)
		*p++ = '-';
	if (d.point <= 0)
		*p++ = '0';
	for (i = 0; i < d.point; i++)
		*p++ = i < d.n ? digits[i] : '0';
	if (decimals)
		*p++ = '.';
	for (i = d.point; i < d.point + decimals; i++)
		*p++ = i >= 0 && i < d.n ? digits[i] : '0';
	return p;
}

char *num_put_decimals(char *p, double v, int decimals)
{
	char text[NUM_ROOM], *end = num_put_double(text, v), *scaled;

	/*
	 * Rounds the decimal text, not the binary value: 4944.25 is what people see, and its half goes
	 * away from zero, while printf would go by what lies beyond the 17th digit.
	 */
	scaled = num_put_scaled(p, (struct str){text, (size_t)(end - text)}, 0, decimals);
	if (scaled)
		return scaled;
	memcpy(p, text, (size_t)(end - text));
	return p + (end - text);
}

static const struct num_unit units[] = {
    {"ns", false, 1},
    {"us", false, 1000},
    {"ms", false, 1000000},
    {"s", false, 1000000000},
    {"B", true, 1},
    {"kB", true, 1000},
    {"MB", true, 1000000},
    {"GB", true, 1000000000},
    {"KiB", true, 1 << 10},
    {"MiB", true, 1 << 20},
    {"GiB", true, 1 << 30},
};

const struct num_unit *num_units(size_t i)
{
	return i < sizeof units / sizeof *units ? &units[i] : NULL;
}

const struct num_unit *num_unit(struct str name)
{
	size_t i;

	for (i = 0; i < sizeof units / sizeof *units; i++) {
		if (str_eq(name, str_of(units[i].name)))
			return &units[i];
	}
	return NULL;
}

enum num_result num_quantity(struct str s, int64_t *v, const struct num_unit **unit)
{
	struct decimal d;
	const char *end = read_decimal(s, &d);
	int64_t factor = 1, whole;
	int digits = 0;
	num_i128 product;

	*unit = NULL;
	if (!end)
		return NUM_BAD;
	if (end < s.p + s.n) {
		*unit = num_unit(str_from(s, (size_t)(end - s.p)));
		if (!*unit)
			return NUM_BAD;
		factor = (*unit)->factor;
	}
	/* Powers of ten scale exactly; of 1024 by a fixed point of nine decimals, or whole. */
	while (factor > 1 && factor % 10 == 0) {
		factor /= 10;
		digits++;
	}
	if (factor == 1)
		return scale(&d, digits, v);
	if (scale(&d, 9, &whole) == NUM_OK)
		product = ((num_i128)whole * factor + (d.negative ? -1 : 1) * 500000000) / 1000000000;
	else if (scale(&d, 0, &whole) == NUM_OK)
		product = (num_i128)whole * factor;
	else
		return NUM_RANGE;
	if (product > INT64_MAX || product < INT64_MIN)
		return NUM_RANGE;
	*v = (int64_t)product;
	return NUM_OK;
}

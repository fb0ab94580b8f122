#include "base/num_format.h"

#include "base/num_parse.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

static const char pairs[201] =
    "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243"
    "4445464748495051525354555657585960616263646566676869707172737475767778798081828384858687"
    "888990919293949596979899";

/* Returns the number of decimal digits of v. The estimate from the number of bits is exact or one too low. */
static inline unsigned digits_of(uint64_t v)
{
	unsigned guess = ((64 - (unsigned)__builtin_clzll(v | 1)) * 1233) >> 12;

	return guess + (v >= num_ten[guess] || v == 0);
}

/* Writes exactly n digits of v, from the last one to the first. */
static inline void put_digits(char *p, uint64_t v, unsigned n)
{
	for (; n >= 2; n -= 2, v /= 100)
		memcpy(p + n - 2, pairs + v % 100 * 2, 2);
	if (n)
		*p = (char)('0' + v);
}

/*
 * Returns eight digits of v < 10^8, with leading zeros: the first digit is in the lowest byte. Each step splits all
 * groups of digits at once: 8 digits into 2 groups of 4, these into 4 groups of 2, these into single digits.
 */
static inline uint64_t eight_digits(uint32_t v)
{
	const uint64_t fours = v / 10000 | (uint64_t)(v % 10000) << 32;
	const uint64_t high = fours * 10486 >> 20 & 0x0000007f0000007f, twos = high | (fours - high * 100) << 16;
	const uint64_t tens = twos * 103 >> 10 & 0x000f000f000f000f;

	return (tens | (twos - tens * 10) << 8) + 0x3030303030303030;
}

/* Writes the last n of the eight digits; it always writes eight bytes. */
static inline char *put_last(char *p, uint64_t digits, unsigned n)
{
	digits >>= 64 - 8 * n;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	digits = __builtin_bswap64(digits);
#endif
	memcpy(p, &digits, sizeof digits);
	return p + n;
}

/* Writes a number of more than eight digits. */
static char *put_long(char *p, uint64_t v)
{
	const uint64_t parts[] = {v / 10000000000000000u, v / 100000000 % 100000000, v % 100000000};
	const unsigned first = !parts[0];
	unsigned i;

	p = put_last(p, eight_digits((uint32_t)parts[first]), digits_of(parts[first]));
	for (i = first + 1; i < 3; i++)
		p = put_last(p, eight_digits((uint32_t)parts[i]), 8);
	return p;
}

char *num_put_u64(char *p, uint64_t v)
{
	if (v < 100000000)
		return put_last(p, eight_digits((uint32_t)v), digits_of(v));
	return put_long(p, v);
}

char *num_put_i64(char *p, int64_t v)
{
	if (v < 0)
		*p++ = '-';
	return num_put_u64(p, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

static char *put_u128(char *p, uint128 v)
{
	const uint64_t chunk = 1000000000000000000ull;

	if (v <= UINT64_MAX)
		return num_put_u64(p, (uint64_t)v);
	p = put_u128(p, v / chunk);
	put_digits(p, (uint64_t)(v % chunk), 18);
	return p + 18;
}

char *num_put_i128(char *p, int128 v)
{
	if (v < 0)
		*p++ = '-';
	return put_u128(p, v < 0 ? 0 - (uint128)v : (uint128)v);
}

/* The decimal digits of a double: d.ddd * 10^exponent, without trailing zeros. */
struct double_digits {
	char text[32];
	int n, exponent;
};

enum { DIGITS_LEAST = 15, DIGITS_MOST = 17 };

/*
 * Finds the fewest digits that are read back as v. If 15 digits or fewer are sufficient, writing v with 15 digits gives
 * the same digits, followed by zeros; therefore the search starts at 15. Subnormal doubles have fewer bits, so for them
 * it starts at 1.
 */
static void find_digits(struct double_digits *d, double v)
{
	char text[64];
	int precision, n, i;
	double back;

	for (precision = v < DBL_MIN ? 1 : DIGITS_LEAST;; precision++) {
		n = snprintf(text, sizeof text, "%.*e", precision - 1, v);
		if (precision == DIGITS_MOST || (num_double((struct str){text, (size_t)n}, &back) && back == v))
			break;
	}
	/* splits d.ddde[+-]xx into digits and exponent */
	for (i = d->n = 0; text[i] != 'e'; i++) {
		if (text[i] != '.')
			d->text[d->n++] = text[i];
	}
	d->exponent = 0;
	for (n = i + 2; text[n]; n++)
		d->exponent = d->exponent * 10 + (text[n] - '0');
	if (text[i + 1] == '-')
		d->exponent = -d->exponent;
}

/* Returns the exponent of the first digit of v, 1e-5 <= v < 2^53. */
static int decimal_exponent(double v)
{
	/* Each of these doubles is equal to or greater than the exact power of ten. */
	static const double powers[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5};
	int e = 0;

	if (v >= 1)
		return (int)digits_of((uint64_t)v) - 1;
	while (v < powers[e])
		e++;
	return -1 - e;
}

/* The same without printf. v must not be an integer, and 1e-5 <= v < 2^53, so that all products fit in 128 bits. */
static void find_digits_exactly(struct double_digits *d, double v)
{
	const int first = decimal_exponent(v);
	uint128 scaled, digits, power, distance;
	uint64_t mantissa;
	int e, shift, precision, exponent;

	mantissa = (uint64_t)ldexp(frexp(v, &e), DBL_MANT_DIG);
	shift = DBL_MANT_DIG - e; /* v = mantissa / 2^shift, where shift is 1..69 */
	/* v is not an integer, so it has at least one digit after the decimal point. */
	for (precision = first < DIGITS_LEAST ? DIGITS_LEAST : first + 1;; precision++) {
		exponent = precision - 1 - first; /* at most 38 */
		power = exponent < 20 ? num_ten[exponent] : (uint128)num_ten[19] * num_ten[exponent - 19];
		scaled = mantissa * power;
		digits = scaled >> shift;
		distance = scaled - (digits << shift);
		if (distance > (uint128)1 << (shift - 1) || (distance == (uint128)1 << (shift - 1) && digits % 2)) {
			digits++;
			distance = (digits << shift) - scaled;
		}
		if (precision == DIGITS_MOST)
			break;
		/*
		 * The digits identify v if they are nearer to v than to the neighbouring doubles, whose distance from v
		 * is `power` in this scale. (The double below a power of two is nearer, but powers of two in this range
		 * have at most 12 digits, so that `distance` is 0.)
		 */
		if (2 * distance < power || (2 * distance == power && mantissa % 2 == 0))
			break;
	}
	d->exponent = first;
	d->n = precision;
	if (digits == num_ten[precision]) {
		digits /= 10;
		d->exponent++;
	}
	put_digits(d->text, (uint64_t)digits, (unsigned)precision);
}

char *num_put_double(char *p, double v)
{
	struct double_digits d;
	int n, i;

	if (v == 0) {
		*p = '0';
		return p + 1;
	}
	if (fabs(v) < 1e17 && v == trunc(v))
		return num_put_i64(p, (int64_t)v);
	if (fabs(v) >= 1e-5 && fabs(v) < 0x1p53)
		find_digits_exactly(&d, fabs(v));
	else
		find_digits(&d, fabs(v));
	if (v < 0)
		*p++ = '-';
	for (n = d.n; n > 1 && d.text[n - 1] == '0';)
		n--;
	if (d.exponent < -5 || d.exponent >= 17) {
		/* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): d has at least one digit */
		*p++ = d.text[0];
		if (n > 1) {
			*p++ = '.';
			memcpy(p, d.text + 1, (size_t)n - 1);
			p += n - 1;
		}
		*p++ = 'e';
		return num_put_i64(p, d.exponent);
	}
	if (d.exponent < 0) {
		*p++ = '0';
		*p++ = '.';
		for (i = -1; i > d.exponent; i--)
			*p++ = '0';
		memcpy(p, d.text, (size_t)n);
		return p + n;
	}
	for (i = 0; i < n || i <= d.exponent; i++) {
		if (i == d.exponent + 1)
			*p++ = '.';
		*p++ = i < n ? d.text[i] : '0';
	}
	return p;
}

char *num_put_value(char *p, struct str number)
{
	int128 i;
	double d;

	if (num_int128(number, &i))
		return num_put_i128(p, i);
	if (!num_double(number, &d))
		return NULL;
	return d == trunc(d) && d >= -0x1p127 && d < 0x1p127 ? num_put_i128(p, (int128)d) : num_put_double(p, d);
}

/* Decimal numbers of up to 15 digits are different doubles, so that no shorter number is read as the same one. */
bool num_is_value(struct str number)
{
	const char *p = number.p, *end = number.p + number.n, *digits = p + (number.n && *p == '-'), *point = NULL;

	for (p = digits; p < end && (is_digit(*p) || (*p == '.' && !point)); p++)
		point = *p == '.' ? p : point;
	if (p < end || p - digits > 15)
		return false;
	if (!point)
		return *digits != '0' || number.n == 1;
	return end[-1] != '0' &&
	       (*digits != '0' || memcmp(point, ".0000", (size_t)(p - point < 5 ? p - point : 5)) != 0);
}

/* A decimal number: its digits are room[0..n), and the place value of room[0] is 10^(point - 1). */
struct digits {
	char room[NUM_ROOM];
	int64_t n, point;
};

/* Rounds to `keep` digits; a half is rounded away from zero. */
static void round_digits(struct digits *d, int64_t keep)
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
	struct digits d = {.n = 0};
	struct num_text text;
	int64_t places, i;

	num_text_read(number, &text);
	if (text.whole.n + text.fraction.n > NUM_ROOM)
		return NULL;
	str_copy(str_copy(d.room, text.whole), text.fraction);
	for (i = 0; i < (int64_t)(text.whole.n + text.fraction.n); i++) {
		if (d.room[i] != '0')
			d.n = i + 1;
	}
	d.point = d.n ? text.point - shift : 0;
	places = decimals >= 0 ? decimals : d.n > d.point ? d.n - d.point : 0;
	if (d.point + places < d.n)
		round_digits(&d, d.point + places);
	if ((d.point > 0 ? d.point : 1) + places + 2 > NUM_ROOM)
		return NULL;
	if (text.negative && d.n)
		*p++ = '-';
	if (d.point <= 0)
		*p++ = '0';
	for (i = 0; i < d.point; i++)
		*p++ = i < d.n ? d.room[i] : '0';
	if (places)
		*p++ = '.';
	for (i = d.point; i < d.point + places; i++)
		*p++ = i >= 0 && i < d.n ? d.room[i] : '0';
	return p;
}

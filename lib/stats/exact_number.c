#include "stats/exact_number.h"

#include "json/write.h"

#include <math.h>

/* Returns the digit with the weight 2^(32 * place). */
static inline uint32_t digit_at(const struct exact_number *x, int place)
{
	return place >= x->low && place < x->low + (int)x->n ? x->digits[place - x->low] : 0;
}

/* Returns the place above the highest digit. */
static inline int end_of(const struct exact_number *x)
{
	return x->low + (int)x->n;
}

/* --- making --- */

/* Sets *x to `n` digits, the lowest of which has the weight 2^(32 * low); `n` is at most EXACT_DIGITS. */
static void set_digits(struct exact_number *x, bool negative, int low, const uint32_t *digits, size_t n)
{
	for (; n && !digits[n - 1]; n--)
		;
	for (; n && !*digits; n--, digits++)
		low++;
	memmove(x->digits, digits, n * sizeof *digits);
	x->n = n;
	x->low = n ? low : 0;
	x->negative = n && negative;
}

void exact_wide(struct exact_number *x, uint64_t high, uint128 low)
{
	const uint32_t digits[] = {(uint32_t)low, (uint32_t)(low >> 32), (uint32_t)(low >> 64), (uint32_t)(low >> 96),
	    (uint32_t)high, (uint32_t)(high >> 32)};

	set_digits(x, false, 0, digits, sizeof digits / sizeof *digits);
}

void exact_int(struct exact_number *x, int128 v)
{
	exact_wide(x, 0, v < 0 ? -(uint128)v : (uint128)v);
	x->negative = v < 0;
}

void exact_real(struct exact_number *x, double v)
{
	int exponent;
	const double part = frexp(fabs(v), &exponent); /* 0, or from 1/2 to 1 */
	const uint64_t size = (uint64_t)ldexp(part, 53);
	const int low = (exponent - 53 + 4096) / 32 - 128; /* rounds down */
	const uint128 shifted = (uint128)size << (exponent - 53 - 32 * low);
	const uint32_t digits[] = {(uint32_t)shifted, (uint32_t)(shifted >> 32), (uint32_t)(shifted >> 64)};

	set_digits(x, v < 0, low, digits, sizeof digits / sizeof *digits);
}

int exact_sign(const struct exact_number *x)
{
	return x->n ? x->negative ? -1 : 1 : 0;
}

bool exact_get_int(const struct exact_number *x, int128 *v)
{
	const uint128 size = (uint128)digit_at(x, 3) << 96 | (uint128)digit_at(x, 2) << 64 |
			     (uint128)digit_at(x, 1) << 32 | digit_at(x, 0);

	if ((x->n && (x->low < 0 || end_of(x) > 4)) || size > ((uint128)1 << 127) - !x->negative)
		return false;
	*v = x->negative ? -(int128)(size - 1) - 1 : (int128)size;
	return true;
}

/* --- sums and products --- */

void exact_set_signed(struct exact_number *x, int low, const int128 *chunks, size_t n)
{
	uint32_t digits[EXACT_DIGITS];
	int128 rest = 0;
	uint64_t up = 1;
	size_t n_digits = 0, i;

	for (i = 0; i < n || (rest != 0 && rest != -1); i++) {
		rest += i < n ? chunks[i] : 0;
		digits[n_digits++] = (uint32_t)rest;
		rest >>= 32;
	}
	for (i = 0; rest && i < n_digits; i++) { /* negative: the complement of the digits, plus 1 */
		up += (uint32_t)~digits[i];
		digits[i] = (uint32_t)up;
		up >>= 32;
	}
	if (rest && up)
		digits[n_digits++] = 1;
	set_digits(x, rest != 0, low, digits, n_digits);
}

static void add_signed(struct exact_number *to, const struct exact_number *x, int sign)
{
	const int low = to->n && to->low < x->low ? to->low : x->low;
	const int end = to->n && end_of(to) > end_of(x) ? end_of(to) : end_of(x);
	int128 chunks[EXACT_DIGITS];
	size_t n = 0;
	int place;

	if (!x->n)
		return;
	for (place = low; place < end; place++) {
		const int64_t a = digit_at(to, place), b = digit_at(x, place);

		chunks[n++] = (to->negative ? -a : a) + (x->negative ? -b : b) * sign;
	}
	exact_set_signed(to, low, chunks, n);
}

void exact_add(struct exact_number *to, const struct exact_number *x)
{
	add_signed(to, x, 1);
}

void exact_subtract(struct exact_number *from, const struct exact_number *x)
{
	add_signed(from, x, -1);
}

void exact_multiply(struct exact_number *product, const struct exact_number *a, const struct exact_number *b)
{
	uint32_t digits[EXACT_DIGITS];
	uint64_t carry;
	size_t i, k;

	memset(digits, 0, (a->n + b->n) * sizeof *digits);
	for (i = 0; i < a->n; i++) {
		carry = 0;
		for (k = 0; k < b->n; k++) {
			carry += (uint64_t)a->digits[i] * b->digits[k] + digits[i + k];
			digits[i + k] = (uint32_t)carry;
			carry >>= 32;
		}
		digits[i + b->n] = (uint32_t)carry;
	}
	set_digits(product, a->negative != b->negative, a->low + b->low, digits, a->n + b->n);
}

/* --- rounding --- */

/* A positive number: v * 2^exponent, and a rest of less than 2^exponent if `inexact` is set. */
struct leading {
	uint128 v;
	int exponent;
	bool inexact;
};

static int bits_of(uint128 v)
{
	const uint64_t high = (uint64_t)(v >> 64), low = (uint64_t)v;

	return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

/* Rounds to the nearest double, a tie to the even one. If `inexact` is set, v must have at least 55 bits. */
static double round_leading(const struct leading *x)
{
	const int bits = bits_of(x->v), top = x->exponent + bits - 1;
	const int precision = top >= -1022 ? 53 : 53 + top + 1022, drop = bits - precision;
	uint128 kept, rest, half;

	if (drop <= 0)
		return ldexp((double)x->v, x->exponent);
	if (drop > 128)
		return 0;
	kept = drop < 128 ? x->v >> drop : 0;
	half = (uint128)1 << (drop - 1);
	rest = x->v & (half * 2 - 1);
	if (rest > half || (rest == half && (x->inexact || kept % 2)))
		kept++;
	return ldexp((double)kept, x->exponent + drop);
}

double exact_double(const struct exact_number *x)
{
	struct leading v = {0, 32 * (end_of(x) - 4), x->n > 4};
	double rounded;
	int i;

	for (i = 1; i <= 4; i++)
		v.v = v.v << 32 | digit_at(x, end_of(x) - i);
	rounded = round_leading(&v);
	return x->negative ? -rounded : rounded;
}

/* Copies the digits shifted left by 0 to 31 bits; returns their number. `to` has room for one digit more. */
static size_t shift_digits(uint32_t *to, const struct exact_number *x, int bits)
{
	uint64_t carry = 0;
	size_t i;

	for (i = 0; i < x->n; i++) {
		carry |= (uint64_t)x->digits[i] << bits;
		to[i] = (uint32_t)carry;
		carry >>= 32;
	}
	to[i] = (uint32_t)carry;
	return x->n + (carry != 0);
}

/*
 * Divides the digits u[0 .. n] by v[0 .. n-1] and leaves the remainder in u; returns the quotient, which must be less
 * than 2^32. The highest bit of v[n - 1] must be set. This is a step of algorithm D of Knuth's "The Art of Computer
 * Programming", volume 2, 4.3.1.
 */
static uint32_t divide_step(uint32_t *u, const uint32_t *v, size_t n)
{
	const uint64_t top = (uint64_t)u[n] << 32 | u[n - 1];
	uint64_t guess = top / v[n - 1], carry = 0;
	int64_t borrow = 0;
	size_t i;

	if (guess > UINT32_MAX)
		guess = UINT32_MAX;
	for (i = 0; i < n; i++) {
		carry += guess * v[i];
		borrow += (int64_t)u[i] - (int64_t)(uint32_t)carry;
		u[i] = (uint32_t)borrow;
		borrow >>= 32;
		carry >>= 32;
	}
	borrow += (int64_t)u[n] - (int64_t)carry;
	u[n] = (uint32_t)borrow;
	while (u[n] & 0x80000000u) { /* the guess was too large, by at most 2 */
		guess--;
		for (carry = 0, i = 0; i <= n; i++) {
			carry += (uint64_t)u[i] + (i < n ? v[i] : 0);
			u[i] = (uint32_t)carry;
			carry >>= 32;
		}
	}
	return (uint32_t)guess;
}

/*
 * Sets the 128 highest bits of q, whose six digits have at least 129 bits; one bit less if the exponent would be odd.
 */
static void set_leading(struct leading *x, const uint32_t q[6], int exponent)
{
	const uint128 high = (uint128)q[5] << 96 | (uint128)q[4] << 64 | (uint128)q[3] << 32 | q[2];
	const uint64_t low = (uint64_t)q[1] << 32 | q[0];
	int drop = bits_of(high) - 64;

	drop += (exponent + drop) & 1;
	x->v = high << (64 - drop) | low >> drop;
	x->inexact |= (low & (((uint64_t)1 << drop) - 1)) != 0;
	x->exponent = exponent + drop;
}

static struct leading divide(const struct exact_number *x, const struct exact_number *y)
{
	uint32_t a[EXACT_DIGITS + 1], v[EXACT_DIGITS + 1], u[EXACT_DIGITS + 6], q[6];
	const int bits = __builtin_clz(y->digits[y->n - 1]);
	const size_t n = y->n, n_a = shift_digits(a, x, bits), n_u = n + 5;
	struct leading quotient = {0, 0, false};
	size_t i;

	shift_digits(v, y, bits);
	/* u has the highest n + 5 digits of the dividend, so that the quotient has between 129 and 161 bits. */
	for (i = 0; i < n_u; i++)
		u[n_u - 1 - i] = i < n_a ? a[n_a - 1 - i] : 0;
	u[n_u] = 0;
	quotient.inexact = n_a > n_u; /* the lowest digit of x is not 0 */
	for (i = 6; i-- > 0;)
		q[i] = divide_step(u + i, v, n);
	for (i = 0; i < n; i++)
		quotient.inexact |= u[i] != 0;
	set_leading(&quotient, q, 32 * (x->low - y->low + (int)n_a - (int)n_u));
	return quotient;
}

/* Gets an integer with a magnitude of at most 2^53 as a double. */
static bool is_small(const struct exact_number *x, double *v)
{
	const uint64_t size = (uint64_t)digit_at(x, 1) << 32 | digit_at(x, 0);

	if (x->low < 0 || end_of(x) > 2 || size > (uint64_t)1 << 53)
		return false;
	*v = x->negative ? -(double)size : (double)size;
	return true;
}

double exact_ratio(const struct exact_number *x, const struct exact_number *y)
{
	struct leading quotient;
	double a, b;

	if (!x->n)
		return 0;
	if (is_small(x, &a) && is_small(y, &b))
		return a / b;
	quotient = divide(x, y);
	a = round_leading(&quotient);
	return x->negative != y->negative ? -a : a;
}

/* Returns the square root, rounded down, of a number with at least 127 bits. */
static uint64_t square_root(uint128 v)
{
	uint128 root = (uint128)sqrt((double)v);

	root = (root + v / root) / 2; /* Newton's step: the error is now at most 1 */
	if (root > UINT64_MAX)
		root = UINT64_MAX;
	while (root * root > v)
		root--;
	while (v - root * root > 2 * root)
		root++;
	return (uint64_t)root;
}

double exact_root(const struct exact_number *x, const struct exact_number *y)
{
	struct leading v;
	uint64_t root;

	if (!x->n)
		return 0;
	v = divide(x, y);
	root = square_root(v.v);
	v = (struct leading){root, v.exponent / 2, v.inexact || (uint128)root * root != v.v};
	return round_leading(&v);
}

void exact_write(struct buf *object, const char *key, const struct exact_number *x)
{
	size_t i;

	json_write_begin(object, key, '[');
	if (x->n)
		json_write_int(object, NULL, x->low);
	for (i = 0; i < x->n; i++)
		json_write_int(object, NULL, x->negative ? -(int64_t)x->digits[i] : x->digits[i]);
	json_write_end(object, ']');
}

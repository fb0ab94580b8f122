#include "base/num_decimal.h"

#include <math.h>

const uint64_t num_ten[20] = {1ull, 10ull, 100ull, 1000ull, 10000ull, 100000ull, 1000000ull, 10000000ull, 100000000ull,
    1000000000ull, 10000000000ull, 100000000000ull, 1000000000000ull, 10000000000000ull, 100000000000000ull,
    1000000000000000ull, 10000000000000000ull, 100000000000000000ull, 1000000000000000000ull, 10000000000000000000ull};

static struct str without_zeros(struct str digits)
{
	while (digits.n && digits.p[0] == '0')
		digits = str_from(digits, 1);
	return digits;
}

enum { EXPONENT_DIGITS = 17 };

/*
 * Returns the value of an exponent. If it has more than EXPONENT_DIGITS digits, returns EXPONENT_DIGITS nines instead.
 * This is enough, since no number in memory has so many digits before or after its point.
 */
static int64_t exponent_of(struct str digits)
{
	int64_t v = 0;
	size_t i;

	digits = without_zeros(digits);
	for (i = 0; i < EXPONENT_DIGITS && i < digits.n; i++)
		v = v * 10 + (digits.n > EXPONENT_DIGITS ? 9 : digits.p[i] - '0');
	return v;
}

const char *num_text_read(struct str s, struct num_text *t)
{
	struct str rest, exponent;
	bool sign;

	*t = (struct num_text){.negative = str_starts(s, STR("-")), .integer = true};
	t->whole = str_first(str_from(s, t->negative), is_digit);
	if (!t->whole.n || (t->whole.n > 1 && t->whole.p[0] == '0'))
		return NULL;
	rest = str_from(s, t->negative + t->whole.n);
	if (rest.n && *rest.p == '.') {
		t->integer = false;
		t->fraction = str_first(str_from(rest, 1), is_digit);
		if (!t->fraction.n)
			return NULL;
		rest = str_from(rest, 1 + t->fraction.n);
	}
	t->whole = without_zeros(t->whole);
	t->point = (int64_t)t->whole.n;
	if (!t->whole.n) {
		t->point = -(int64_t)t->fraction.n;
		t->fraction = without_zeros(t->fraction);
		t->point += (int64_t)t->fraction.n;
	}
	if (rest.n && to_lower(*rest.p) == 'e') {
		sign = rest.n > 1 && (rest.p[1] == '+' || rest.p[1] == '-');
		exponent = str_first(str_from(rest, 1 + sign), is_digit);
		if (exponent.n) {
			t->integer = false;
			t->point += rest.p[1] == '-' ? -exponent_of(exponent) : exponent_of(exponent);
			rest = str_from(rest, 1 + sign + exponent.n);
		}
	}
	return rest.p;
}

/* Returns digit i of 0.DIGITS, counted from 0; '0' after the last one. */
static char digit_at(const struct num_text *t, size_t i)
{
	if (i < t->whole.n)
		return t->whole.p[i];
	i -= t->whole.n;
	return i < t->fraction.n ? t->fraction.p[i] : '0';
}

static void take_digits(struct num_decimal *d, struct str digits)
{
	size_t i;

	for (i = 0; i < digits.n; i++, d->used++) {
		const unsigned digit = (unsigned)(digits.p[i] - '0');

		if (d->used < NUM_DECIMAL_ROOM)
			d->digits = d->digits * 10 + digit;
		else
			d->inexact |= digit != 0;
		if (d->used == NUM_DECIMAL_ROOM)
			d->next = digit;
	}
}

const char *num_decimal_read(struct str s, struct num_decimal *d)
{
	struct num_text t;
	const char *end = num_text_read(s, &t);

	*d = (struct num_decimal){.negative = t.negative, .whole = t.integer};
	take_digits(d, t.whole);
	take_digits(d, t.fraction);
	d->exponent = t.point - (d->used < NUM_DECIMAL_ROOM ? d->used : NUM_DECIMAL_ROOM);
	return end;
}

static enum num_result apply_sign(const struct num_decimal *d, uint128 magnitude, int64_t *v)
{
	if (magnitude > (uint128)INT64_MAX + d->negative)
		return NUM_RANGE;
	*v = d->negative ? (int64_t)(0 - (uint64_t)magnitude) : (int64_t)magnitude;
	return NUM_OK;
}

enum num_result num_decimal_scale(const struct num_decimal *d, int digits, int64_t *v)
{
	int64_t e = d->exponent + digits;
	uint128 magnitude = d->digits, unit;

	if (d->digits == 0) {
		*v = 0;
		return NUM_OK;
	}
	if (e >= 0) {
		/*
		 * If e > 0 and a digit was dropped, the result has over 19 digits, so it is outside int64. If e is 0,
		 * the first dropped digit is the first decimal of the result, which decides the rounding.
		 */
		if (e > NUM_DECIMAL_ROOM || (e > 0 && d->used > NUM_DECIMAL_ROOM))
			return NUM_RANGE;
		return apply_sign(d, magnitude * num_ten[e] + (d->used > NUM_DECIMAL_ROOM && d->next >= 5), v);
	}
	if (e < -NUM_DECIMAL_ROOM) {
		*v = 0;
		return NUM_OK;
	}
	unit = num_ten[-e];
	/*
	 * A remainder of half a unit or more is rounded away from zero. Dropped digits do not matter: they cannot raise
	 * a smaller remainder to half a unit.
	 */
	return apply_sign(d, magnitude / unit + (magnitude % unit * 2 >= unit), v);
}

/* --- comparison --- */

int num_compare(struct str a, struct str b)
{
	struct num_text x, y;
	size_t n, m, i;
	int sign, other;

	num_text_read(a, &x);
	num_text_read(b, &y);
	n = x.whole.n + x.fraction.n;
	m = y.whole.n + y.fraction.n;
	sign = !n ? 0 : x.negative ? -1 : 1;
	other = !m ? 0 : y.negative ? -1 : 1;
	if (sign != other || !sign)
		return (sign > other) - (sign < other);
	if (x.point != y.point)
		return x.point > y.point ? sign : -sign;
	for (i = 0; i < n || i < m; i++) {
		if (digit_at(&x, i) != digit_at(&y, i))
			return digit_at(&x, i) > digit_at(&y, i) ? sign : -sign;
	}
	return 0;
}

int num_compare_double(int128 i, double d)
{
	int128 truncated;

	if (d >= 0x1p127 || d < -0x1p127)
		return d > 0 ? -1 : 1;
	truncated = (int128)d;
	if (i != truncated)
		return i < truncated ? -1 : 1;
	d -= trunc(d);
	return (d < 0) - (d > 0);
}

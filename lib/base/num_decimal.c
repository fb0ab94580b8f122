#include "base/num_decimal.h"

static void take_digit(struct num_decimal *d, unsigned digit, bool fraction)
{
	if (d->used < NUM_DECIMAL_ROOM) {
		d->digits = d->digits * 10 + digit;
		d->used += d->digits != 0;
		d->exponent -= fraction;
		return;
	}
	if (d->used == NUM_DECIMAL_ROOM)
		d->next = digit;
	d->more |= digit != 0;
	d->used++;
	d->exponent += !fraction;
}

const char *num_decimal_read(struct str s, struct num_decimal *d)
{
	const char *p = s.p, *end;
	int64_t e = 0;
	bool minus;

	*d = (struct num_decimal){.whole = true};
	if (!s.n)
		return NULL; /* in an absent text, p is NULL, and adding to it is undefined */
	end = s.p + s.n;
	if (*p == '-') {
		d->negative = true;
		p++;
	}
	if (!num_is_digit(p, end))
		return NULL;
	if (*p == '0' && num_is_digit(p + 1, end))
		return NULL;
	for (; num_is_digit(p, end); p++)
		take_digit(d, (unsigned)(*p - '0'), false);
	if (p < end && *p == '.') {
		d->whole = false;
		if (!num_is_digit(++p, end))
			return NULL;
		for (; num_is_digit(p, end); p++)
			take_digit(d, (unsigned)(*p - '0'), true);
	}
	if (p < end && (*p == 'e' || *p == 'E') &&
	    (num_is_digit(p + 1, end) || (p + 1 < end && (p[1] == '+' || p[1] == '-') && num_is_digit(p + 2, end)))) {
		d->whole = false;
		minus = p[1] == '-';
		p += p[1] == '-' || p[1] == '+' ? 2 : 1;
		for (; num_is_digit(p, end); p++)
			e = e < NUM_EXPONENT_MOST ? e * 10 + (*p - '0') : e;
		d->exponent += minus ? -e : e;
	}
	return p;
}

const uint64_t num_ten[20] = {1ull, 10ull, 100ull, 1000ull, 10000ull, 100000ull, 1000000ull, 10000000ull, 100000000ull,
    1000000000ull, 10000000000ull, 100000000000ull, 1000000000000ull, 10000000000000ull, 100000000000000ull,
    1000000000000000ull, 10000000000000000ull, 100000000000000000ull, 1000000000000000000ull, 10000000000000000000ull};

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

/* --- numbers of any length --- */

enum { EXPONENT_DIGITS = 17 };

static struct str digits_at(const char *p, const char *end)
{
	return str_first((struct str){p, (size_t)(end - p)}, is_digit);
}

static struct str without_zeros(struct str digits)
{
	while (digits.n && digits.p[0] == '0')
		digits = str_from(digits, 1);
	return digits;
}

/*
 * Returns the exponent. If it has more than EXPONENT_DIGITS digits, returns EXPONENT_DIGITS nines instead. This is
 * enough, since no number in memory has so many digits before or after its point.
 */
static int64_t read_exponent(const char *p, const char *end)
{
	bool negative = p < end && *p == '-';
	struct str digits;
	int64_t v = 0;
	size_t i;

	p += p < end && (*p == '-' || *p == '+');
	digits = without_zeros(digits_at(p, end));
	for (i = 0; i < EXPONENT_DIGITS && i < digits.n; i++)
		v = v * 10 + (digits.n > EXPONENT_DIGITS ? 9 : digits.p[i] - '0');
	return negative ? -v : v;
}

struct num_text num_text_of(struct str s)
{
	const char *p = s.p, *end = s.p + s.n;
	struct num_text d = {.negative = p < end && *p == '-'};
	struct str fraction = {end, 0};

	d.whole = digits_at(p + d.negative, end);
	p = d.whole.p + d.whole.n;
	if (p < end && *p == '.') {
		fraction = digits_at(p + 1, end);
		p = fraction.p + fraction.n;
	}
	d.whole = without_zeros(d.whole);
	d.fraction = d.whole.n ? fraction : without_zeros(fraction);
	d.point = d.whole.n ? (int64_t)d.whole.n : -(int64_t)(fraction.n - d.fraction.n);
	if (p < end)
		d.point += read_exponent(p + 1, end);
	return d;
}

char num_text_digit(const struct num_text *d, size_t i)
{
	if (i < d->whole.n)
		return d->whole.p[i];
	i -= d->whole.n;
	return i < d->fraction.n ? d->fraction.p[i] : '0';
}

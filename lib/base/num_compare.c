#include "base/num_compare.h"

#include "base/char_class.h"

#include <math.h>

/*
 * The number 0.DIGITS * 10^point. DIGITS are the digits of `whole` followed by those of `fraction`; zero has no digits.
 */
struct number_digits {
	bool negative;
	struct str whole, fraction; /* without the leading zeros of the number */
	int64_t point;
};

enum { EXPONENT_DIGITS = 17 };

static struct str digits_at(const char *p, const char *end)
{
	const char *first = p;

	while (p < end && is_digit(*p))
		p++;
	return (struct str){first, (size_t)(p - first)};
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

static struct number_digits take_apart(struct str s)
{
	const char *p = s.p, *end = s.p + s.n;
	struct number_digits d = {.negative = p < end && *p == '-'};
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

static char digit(const struct number_digits *d, size_t i)
{
	if (i < d->whole.n)
		return d->whole.p[i];
	i -= d->whole.n;
	return i < d->fraction.n ? d->fraction.p[i] : '0';
}

/* Returns 0 for zero, else 1 or -1. */
static int sign_of(const struct number_digits *d)
{
	size_t i;

	for (i = 0; i < d->whole.n + d->fraction.n; i++) {
		if (digit(d, i) != '0')
			return d->negative ? -1 : 1;
	}
	return 0;
}

int num_compare(struct str a, struct str b)
{
	const struct number_digits x = take_apart(a), y = take_apart(b);
	const int sign = sign_of(&x), other = sign_of(&y);
	const size_t n = x.whole.n + x.fraction.n, m = y.whole.n + y.fraction.n;
	size_t i;

	if (sign != other || !sign)
		return (sign > other) - (sign < other);
	if (x.point != y.point)
		return x.point > y.point ? sign : -sign;
	for (i = 0; i < n || i < m; i++) {
		if (digit(&x, i) != digit(&y, i))
			return digit(&x, i) > digit(&y, i) ? sign : -sign;
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

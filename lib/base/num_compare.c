#include "base/num_compare.h"

#include "base/num_decimal.h"

#include <math.h>

/* Returns 0 for zero, else 1 or -1. */
static int sign_of(const struct num_text *d)
{
	return d->whole.n + d->fraction.n == 0 ? 0 : d->negative ? -1 : 1;
}

int num_compare(struct str a, struct str b)
{
	const struct num_text x = num_text_of(a), y = num_text_of(b);
	const int sign = sign_of(&x), other = sign_of(&y);
	const size_t n = x.whole.n + x.fraction.n, m = y.whole.n + y.fraction.n;
	size_t i;

	if (sign != other || !sign)
		return (sign > other) - (sign < other);
	if (x.point != y.point)
		return x.point > y.point ? sign : -sign;
	for (i = 0; i < n || i < m; i++) {
		if (num_text_digit(&x, i) != num_text_digit(&y, i))
			return num_text_digit(&x, i) > num_text_digit(&y, i) ? sign : -sign;
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

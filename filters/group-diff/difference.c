#include "difference.h"

/* Returns x / y for y > 0 as the nearest integer, halves away from zero. */
static int128 nearest(int128 x, int128 y)
{
	const int128 quotient = x / y, rest = x % y, size = rest < 0 ? -rest : rest;

	return size < y - size ? quotient : quotient + (x < 0 ? -1 : 1);
}

static bool multiply(int128 a, int128 b, int128 *product)
{
	return !__builtin_mul_overflow(a, b, product);
}

/* Sets *difference to b * times_b - a * times_a. */
static bool subtract(int128 b, uint64_t times_b, int128 a, uint64_t times_a, int128 *difference)
{
	int128 left, right;

	return multiply(b, times_b, &left) && multiply(a, times_a, &right) &&
	       !__builtin_sub_overflow(left, right, difference);
}

/* Integers; s_a and s_b are the numbers of steps, or 1 if they are equal. */
static bool divide_integers(const struct difference_side *a, const struct difference_side *b, uint64_t s_a,
    uint64_t s_b, int128 *diff, int128 *by_calls)
{
	int128 more, steps, product;

	*by_calls = 0;
	if (!multiply(s_a, s_b, &steps) || !subtract(b->total.i, s_a, a->total.i, s_b, diff))
		return false;
	*diff = nearest(*diff, steps);
	if (!a->count || !b->count)
		return true;
	if (!subtract(b->count, s_a, a->count, s_b, &more) || !multiply(more, a->total.i, &product) ||
	    !multiply(steps, a->count, &steps))
		return false;
	*by_calls = nearest(product, steps);
	return true;
}

bool difference_of(const struct difference_side *a, const struct difference_side *b, struct difference *d)
{
	const bool equal = a->steps == b->steps, both = a->count && b->count;
	const uint64_t s_a = equal ? 1 : a->steps, s_b = equal ? 1 : b->steps;
	struct number *part = d->part;
	double diff, by_calls;
	int128 exact, exact_by_calls;
	int i;

	for (i = 0; i < DIFFERENCE_PARTS; i++)
		part[i] = number_of_int(0);
	if (a->total.whole && b->total.whole) {
		if (!divide_integers(a, b, s_a, s_b, &exact, &exact_by_calls))
			return false;
		part[DIFFERENCE] = number_of_int(exact);
		part[BY_CALLS] = number_of_int(exact_by_calls);
		part[BY_TIME] = number_of_int(both ? exact - exact_by_calls : 0);
	} else {
		diff = number_double(&b->total) / (double)s_b - number_double(&a->total) / (double)s_a;
		by_calls = ((double)b->count / (double)s_b - (double)a->count / (double)s_a) *
			   (number_double(&a->total) / (double)(a->count ? a->count : 1));
		part[DIFFERENCE] = number_of_real(diff);
		part[BY_CALLS] = number_of_real(both ? by_calls : 0);
		part[BY_TIME] = number_of_real(both ? diff - by_calls : 0);
	}
	if (!both)
		part[a->count ? GONE : NEW] = part[DIFFERENCE];
	return true;
}

struct number difference_mean(const struct number *total, uint64_t by)
{
	return total->whole ? number_of_int(nearest(total->i, by)) : number_of_real(total->d / (double)by);
}

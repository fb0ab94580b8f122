/* rank_test: p is compared with the enumeration of all arrangements, and with values computed by hand. */
#include "group-diff/rank_test.h"
#include "test.h"

enum { MOST = 16 };

/* Returns p of two samples without equal values from all ways to choose n_a of the n_a + n_b values. */
static double enumerated(const double *a, size_t n_a, const double *b, size_t n_b)
{
	double all[MOST], u = 0, statistic, low = 0, high = 0, n = 0;
	size_t i, j, count = n_a + n_b;
	unsigned set;

	for (i = 0; i < count; i++)
		all[i] = i < n_a ? a[i] : b[i - n_a];
	for (i = 0; i < n_a; i++)
		for (j = 0; j < n_b; j++)
			u += a[i] > b[j];
	for (set = 0; set < 1u << count; set++) {
		if ((size_t)__builtin_popcount(set) != n_a)
			continue;
		statistic = 0;
		for (i = 0; i < count; i++)
			for (j = 0; j < count; j++)
				statistic += (set >> i & 1) && !(set >> j & 1) && all[i] > all[j];
		n++;
		low += statistic <= u;
		high += statistic >= u;
	}
	return fmin(1, 2 * fmin(low, high) / n);
}

static void test_enumerated(void)
{
	const double values[] = {5, 1, 9, 3, 12, 7, 30, 2, 11, 4};
	double a[MOST], b[MOST], want;
	size_t n_a, n_b, i, shift;

	for (n_a = 1; n_a <= 5; n_a++) {
		for (n_b = 1; n_b <= 5; n_b++) {
			for (shift = 0; shift < 10; shift++) {
				for (i = 0; i < n_a; i++)
					a[i] = values[(shift + i) % 10];
				for (i = 0; i < n_b; i++)
					b[i] = values[(shift + n_a + i) % 10] * 1.01 + 0.1;
				want = enumerated(a, n_a, b, n_b);
				CHECK(fabs(rank_test(a, n_a, b, n_b) - want) < 1e-12);
			}
		}
	}
}

void unit_test(void)
{
	double ties[] = {1, 2, 2, 3}, others[] = {2, 3, 3, 4}, equal[] = {7, 7, 7}, one[] = {3, 1, 2};

	test_enumerated();
	/* U = 3, the sum of t^3 - t is 48, the variance 16 / 12 * (9 - 48 / 56) */
	CHECK(fabs(rank_test(ties, 4, others, 4) - erfc(4.5 / sqrt(16.0 / 12 * (9 - 48.0 / 56)) / sqrt(2))) < 1e-12);
	CHECK(rank_test(equal, 3, equal, 3) >= 1);
	CHECK(rank_test(one, 3, equal, 0) >= 1);
	CHECK(rank_test_median(one, 3) == 2);
	CHECK(rank_test_median(ties, 4) == 2);
	CHECK(rank_test_median(ties, 0) == 0);
	CHECK(rank_test_possible(5, 5));
	CHECK(rank_test_possible(4, 6));
	CHECK(!rank_test_possible(4, 4));
	CHECK(!rank_test_possible(0, 900));
	CHECK(rank_test_possible(1, 199));
	CHECK(!rank_test_possible(1, 198));
}

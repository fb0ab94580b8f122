#include "rank_test.h"

#include "base/mem.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>

enum { EXACT = 400 }; /* the largest product of the sizes for which arrangements are counted */

bool rank_test_possible(size_t n_a, size_t n_b)
{
	const size_t less = n_a < n_b ? n_a : n_b, more = n_a < n_b ? n_b : n_a;
	double arrangements = 1;
	size_t i;

	for (i = 1; i <= less && arrangements * RANK_TEST_LEVEL < 2; i++)
		arrangements = arrangements * (double)(more + i) / (double)i;
	return arrangements * RANK_TEST_LEVEL >= 2;
}

/* --- the statistic --- */

struct ranking {
	double u;    /* the number of pairs in which the value of a is larger, and half of those with equal values */
	double ties; /* the sum of t^3 - t over all sets of t equal values */
};

/* Both samples are sorted. Each round of the loop takes all values of both that are equal. */
static struct ranking rank(const double *a, size_t n_a, const double *b, size_t n_b)
{
	struct ranking r = {0, 0};
	size_t i = 0, j = 0, next_i, next_j;
	double value, equal;

	while (i < n_a || j < n_b) {
		value = i == n_a || (j < n_b && b[j] < a[i]) ? b[j] : a[i];
		for (next_i = i; next_i < n_a && a[next_i] <= value; next_i++)
			;
		for (next_j = j; next_j < n_b && b[next_j] <= value; next_j++)
			;
		equal = (double)(next_i - i + next_j - j);
		r.u += (double)(next_i - i) * ((double)j + (double)(next_j - j) / 2);
		r.ties += equal * (equal * equal - 1);
		i = next_i;
		j = next_j;
	}
	return r;
}

/* --- the probability --- */

/*
 * Returns the share of all arrangements whose statistic is at most u. The number of arrangements with statistic k is
 * the coefficient of x^k in the product of (1 - x^(n_b + i)) / (1 - x^i) over i = 1 .. n_a.
 */
static double share_up_to(size_t n_a, size_t n_b, size_t u)
{
	const size_t most = n_a * n_b;
	double *counts = mem_zero(most + 1, sizeof *counts), part = 0, all = 0;
	size_t i, k;

	counts[0] = 1;
	for (i = 1; i <= n_a; i++) {
		for (k = most; k >= n_b + i; k--)
			counts[k] -= counts[k - n_b - i];
		for (k = i; k <= most; k++)
			counts[k] += counts[k - i];
	}
	for (k = 0; k <= most; k++) {
		all += counts[k];
		if (k <= u)
			part += counts[k];
	}
	free(counts);
	return part / all;
}

static double normal(const struct ranking *r, double n_a, double n_b)
{
	const double n = n_a + n_b, variance = n_a * n_b / 12 * (n + 1 - r->ties / (n * (n - 1)));
	const double distance = fabs(r->u - n_a * n_b / 2) - 0.5;

	return variance > 0 && distance > 0 ? erfc(distance / sqrt(variance) / sqrt(2)) : 1;
}

double rank_test(double *a, size_t n_a, double *b, size_t n_b)
{
	struct ranking r;
	double other;

	if (!n_a || !n_b)
		return 1;
	qsort(a, n_a, sizeof *a, order_doubles);
	qsort(b, n_b, sizeof *b, order_doubles);
	r = rank(a, n_a, b, n_b);
	if (r.ties > 0 || n_a > EXACT / n_b)
		return normal(&r, (double)n_a, (double)n_b);
	/* The distribution is symmetric: U >= u is as probable as U <= n_a * n_b - u. */
	other = (double)(n_a * n_b) - r.u;
	return fmin(1, 2 * share_up_to(n_a, n_b, (size_t)fmin(r.u, other)));
}

double rank_test_median(double *values, size_t n)
{
	if (!n)
		return 0;
	qsort(values, n, sizeof *values, order_doubles);
	return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

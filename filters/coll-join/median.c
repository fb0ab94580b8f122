#include "median.h"

#include "base/int_math.h"

#include <stdlib.h>

static void swap(int64_t *a, int64_t *b)
{
	const int64_t c = *a;

	*a = *b;
	*b = c;
}

/* Moves the k-th smallest value to list[k], smaller values before it, larger ones after it (Hoare's selection). */
static void select_kth(int64_t *list, size_t n, size_t k)
{
	size_t low = 0, high = n - 1, i, j;
	int64_t pivot;

	while (low < high) {
		pivot = list[low + (high - low) / 2];
		i = low;
		j = high;
		for (;;) {
			while (list[i] < pivot)
				i++;
			while (list[j] > pivot)
				j--;
			if (i >= j)
				break;
			swap(&list[i++], &list[j--]);
		}
		/* list[low .. j] <= pivot <= list[j + 1 .. high] */
		if (k <= j)
			high = j;
		else
			low = j + 1;
	}
}

int64_t median_i64(int64_t *list, size_t n)
{
	int128 sum;
	int64_t below;
	size_t i;

	if (!n)
		return 0;
	select_kth(list, n, n / 2);
	if (n % 2)
		return list[n / 2];
	below = list[0];
	for (i = 1; i < n / 2; i++)
		below = list[i] > below ? list[i] : below;
	sum = (int128)below + list[n / 2];
	return (int64_t)((sum - (sum < 0 && sum % 2 != 0)) / 2);
}

static int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double median_double(double *list, size_t n)
{
	if (!n)
		return 0;
	qsort(list, n, sizeof *list, compare_doubles);
	return n % 2 ? list[n / 2] : (list[n / 2 - 1] + list[n / 2]) / 2;
}

#include "base/select.h"
#include "random_values.h"
#include "test.h"

#include <stdlib.h>

static uint64_t random_u64(void)
{
	static uint64_t state = 1;

	return random_bits(&state) >> 20;
}

static int compare(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Compares with a sorted list, for lists of all lengths with few and with many different values. */
static void try_random(void)
{
	int64_t list[70], sorted[70];
	struct select_pair pair;
	size_t n, i, k, round;

	for (round = 0; round < 40; round++) {
		for (n = 1; n <= 70; n++) {
			for (i = 0; i < n; i++)
				list[i] = sorted[i] = (int64_t)(random_u64() % (round % 2 ? 5 : 100000)) - 3;
			qsort(sorted, n, sizeof *sorted, compare);
			k = (size_t)(random_u64() % n);
			pair = select_pair(list, n, k);
			CHECK(pair.value == sorted[k] && list[k] == sorted[k]);
			CHECK_INT(pair.next, sorted[k + 1 < n ? k + 1 : k]);
			if (n % 2)
				CHECK_INT(select_median(list, n), sorted[n / 2]);
			else
				CHECK(2 * select_median(list, n) <= sorted[n / 2] + sorted[n / 2 - 1] &&
				      2 * select_median(list, n) + 1 >= sorted[n / 2] + sorted[n / 2 - 1]);
		}
	}
}

void unit_test(void)
{
	int64_t odd[] = {5, 1, 3}, even[] = {4, 1, 2, 9}, low[] = {-4, -1}, far[] = {INT64_MAX, INT64_MAX - 2};
	int64_t near[] = {INT64_MIN, INT64_MIN + 1, INT64_MIN, INT64_MIN + 1};

	CHECK_INT(select_median(NULL, 0), 0);
	CHECK_INT(select_median(odd, 3), 3);
	CHECK_INT(select_median(even, 4), 3);
	CHECK_INT(select_median(low, 2), -3); /* -2.5, rounded down */
	CHECK_INT(select_median(far, 2), INT64_MAX - 1);
	CHECK_INT(select_median(near, 4), INT64_MIN);
	try_random();
}

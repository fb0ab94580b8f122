#include "base/select.h"

#include "base/int_math.h"

/*
 * Hoare's selection: moves to list[k] the value that sorting would put there, so no value before it is greater, and
 * none after it is less. The pivots are selected by a pseudo-random generator with a fixed start, so the speed does not
 * depend on the order of the input, and every run with the same input does the same steps.
 */
static void move_to_rank(int64_t *list, size_t n, size_t k)
{
	int64_t low = 0, high = (int64_t)n - 1, i, j, pivot, swap;
	uint64_t random = 1;

	while (low < high) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		pivot = list[low + (int64_t)(random >> 33) % (high - low + 1)];
		for (i = low, j = high; i <= j;) {
			while (list[i] < pivot)
				i++;
			while (list[j] > pivot)
				j--;
			if (i <= j) {
				swap = list[i];
				list[i++] = list[j];
				list[j--] = swap;
			}
		}
		if ((int64_t)k > j && (int64_t)k < i)
			break;
		if ((int64_t)k <= j)
			high = j;
		else
			low = i;
	}
}

struct select_pair select_pair(int64_t *list, size_t n, size_t k)
{
	struct select_pair pair;
	size_t i;

	move_to_rank(list, n, k);
	pair.value = list[k];
	pair.next = list[k + 1 < n ? k + 1 : k];
	for (i = k + 1; i < n; i++)
		pair.next = list[i] < pair.next ? list[i] : pair.next;
	return pair;
}

int64_t select_median(int64_t *list, size_t n)
{
	struct select_pair pair;
	int128 sum;

	if (!n)
		return 0;
	pair = select_pair(list, n, (n - 1) / 2);
	sum = (int128)pair.value + (n % 2 ? pair.value : pair.next);
	return (int64_t)((sum - (sum < 0 && sum % 2 != 0)) / 2);
}

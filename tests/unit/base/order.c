#include "base/order.h"

#include "test.h"

#include <stdlib.h>

/* Orders indexes by descending values; indexes of equal values are ascending. */
static int compare(const void *arg, size_t a, size_t b)
{
	const int *values = arg;

	return values[a] != values[b] ? values[b] - values[a] : (a > b) - (a < b);
}

void unit_test(void)
{
	const int values[] = {3, 9, 3, -1, 4};
	const size_t want[] = {1, 4, 0, 2, 3};
	size_t *order = order_sort(5, compare, values), i;

	for (i = 0; i < 5; i++)
		CHECK_INT(order[i], want[i]);
	free(order);
	order = order_sort(0, compare, values);
	CHECK(order);
	free(order);
}

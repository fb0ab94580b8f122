#include "base/order.h"

#include "test.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Orders indexes by descending values. */
static int compare(const void *arg, size_t a, size_t b)
{
	const int *values = arg;

	return values[b] - values[a];
}

void unit_test(void)
{
	const int values[] = {3, 9, 3, -1, 4};
	const size_t want[] = {1, 4, 0, 2, 3};
	int64_t distinct[] = {2, 0, 1, 0, 2};
	size_t *order = order_sort(5, compare, values), i;

	for (i = 0; i < 5; i++)
		CHECK_INT(order[i], want[i]);
	free(order);
	CHECK(
	    order_doubles(&(double){-1.5}, &(double){-1}) < 0 && order_doubles(&(double){2}, &(double){-INFINITY}) > 0);
	CHECK(order_int64s(&(int64_t){INT64_MIN}, &(int64_t){INT64_MAX}) < 0);
	CHECK(order_uint64s(&(uint64_t){UINT64_MAX}, &(uint64_t){1}) > 0);
	CHECK(order_uint32s(&(uint32_t){UINT32_MAX}, &(uint32_t){1}) > 0);
	CHECK(order_uint32s(&(uint32_t){7}, &(uint32_t){7}) == 0);
	order = order_sort(0, compare, values);
	CHECK(order);
	free(order);
	CHECK_INT(order_distinct(distinct, 5, sizeof *distinct, order_int64s), 3);
	for (i = 0; i < 3; i++)
		CHECK_INT(distinct[i], (int64_t)i);
	CHECK_INT(order_distinct(NULL, 0, 1, order_int64s), 0);
	for (i = 0; i < 5; i++) {
		struct order_range r = {0, 3};

		while (r.low < r.high)
			order_halve(&r, 2 * distinct[order_middle(&r)] < (int64_t)i);
		CHECK_INT(r.low, (i + 1) / 2);
	}
}

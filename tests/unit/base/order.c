#include "base/order.h"

#include "test.h"

#include <math.h>
#include <stdint.h>
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
	CHECK(
	    order_doubles(&(double){-1.5}, &(double){-1}) < 0 && order_doubles(&(double){2}, &(double){-INFINITY}) > 0);
	CHECK(order_int64s(&(int64_t){INT64_MIN}, &(int64_t){INT64_MAX}) < 0);
	CHECK(order_uint64s(&(uint64_t){UINT64_MAX}, &(uint64_t){1}) > 0);
	CHECK(order_uint32s(&(uint32_t){UINT32_MAX}, &(uint32_t){1}) > 0);
	CHECK(order_uint32s(&(uint32_t){7}, &(uint32_t){7}) == 0);
	order = order_sort(0, compare, values);
	CHECK(order);
	free(order);
}

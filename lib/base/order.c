#define _GNU_SOURCE /* for qsort_r(), which was added to POSIX in 2024 */
#include "base/order.h"

#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>

struct comparison {
	int (*compare)(const void *arg, size_t a, size_t b);
	const void *arg;
};

static int compare_numbers(const void *a, const void *b, void *arg)
{
	const struct comparison *c = arg;
	const size_t x = *(const size_t *)a, y = *(const size_t *)b;
	const int order = c->compare(c->arg, x, y);

	return order ? order : (x > y) - (x < y);
}

size_t *order_sort(size_t n, int (*compare)(const void *arg, size_t a, size_t b), const void *arg)
{
	size_t *order = mem_resize(NULL, n, sizeof *order), i;

	for (i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof *order, compare_numbers, &(struct comparison){compare, arg});
	return order;
}

size_t order_distinct(void *list, size_t n, size_t size, int (*compare)(const void *a, const void *b))
{
	char *last = list, *item;
	size_t i;

	if (!n)
		return 0;
	qsort(list, n, size, compare);
	for (i = 1; i < n; i++) {
		item = (char *)list + i * size;
		if (compare(last, item) != 0)
			last = memmove(last + size, item, size);
	}
	return (size_t)(last - (char *)list) / size + 1;
}

#define ORDER(name, type)                                                                                              \
	int name(const void *a, const void *b)                                                                         \
	{                                                                                                              \
		const type x = *(const type *)a, y = *(const type *)b;                                                 \
                                                                                                                       \
		return (x > y) - (x < y);                                                                              \
	}
ORDER(order_doubles, double)
ORDER(order_int64s, int64_t)
ORDER(order_uint64s, uint64_t)
ORDER(order_uint32s, uint32_t)

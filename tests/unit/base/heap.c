/* heap: random items, some with equal keys, are returned in order while others are added and replaced. */
#include "base/heap.h"

#include "test.h"
#include "samples.h"

#include <stdlib.h>

/* An item; its size is not a multiple of 8. */
struct item {
	int key;
	char name[7];
};

static bool before(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return x->key < y->key;
}

static int by_key(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

/* Makes an item whose name contains its key, so that a check sees whether the heap keeps key and name together. */
static struct item make_item(void)
{
	struct item item = {(int)random_below(50), "item  "};

	item.name[5] = (char)('0' + item.key);
	return item;
}

/* Checks that list[0] of the heap is the first of all items. `sorted` has the same items; this function sorts it. */
static void check_first(const struct item *list, struct item *sorted, size_t n)
{
	qsort(sorted, n, sizeof *sorted, by_key);
	CHECK_INT(list[0].key, sorted[0].key);
	CHECK_INT(list[0].name[5], '0' + list[0].key);
}

void unit_test(void)
{
	enum { MOST = 40 };
	struct item list[MOST], sorted[MOST];
	size_t n = 0, i;

	for (i = 0; i < 20000; i++) {
		switch (random_below(3)) {
		case 0:
			if (n == MOST)
				break;
			sorted[n] = list[n] = make_item();
			n++;
			heap_sift_up(list, n, sizeof *list, before);
			break;
		case 1:
			if (!n)
				break;
			sorted[0] = list[0] = make_item();
			heap_sift_down(list, n, sizeof *list, before);
			break;
		default:
			if (!n)
				break;
			n--;
			list[0] = list[n];
			sorted[0] = sorted[n];
			heap_sift_down(list, n, sizeof *list, before);
		}
		if (n)
			check_first(list, sorted, n);
	}
}

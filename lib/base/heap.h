/*
 * heap: a heap in an array, list[0..n): list[0] always precedes all other items. The caller defines the order. The
 * functions are inline so that the compiler knows the size of an item and the comparison.
 */
#ifndef HEAP_H
#define HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Returns whether item a precedes item b. */
typedef bool heap_before(const void *a, const void *b);

__attribute__((always_inline)) static inline void heap_swap(char *a, char *b, size_t size)
{
	char part[128];
	size_t n;

	for (; size; a += n, b += n, size -= n) {
		n = size < sizeof part ? size : sizeof part;
		memcpy(part, a, n);
		memcpy(a, b, n);
		memcpy(b, part, n);
	}
}

/* Moves list[n - 1], an item that was just appended, to its place. `size` is the size of an item. */
__attribute__((always_inline)) static inline void heap_sift_up(void *list, size_t n, size_t size, heap_before *before)
{
	char *items = list;
	size_t i, parent;

	for (i = n - 1; i > 0; i = parent) {
		parent = (i - 1) / 2;
		if (!before(items + i * size, items + parent * size))
			return;
		heap_swap(items + i * size, items + parent * size, size);
	}
}

/*
 * Moves list[0], an item that just replaced the first one, to its place. To remove the first item, first replace it by
 * the last one: list[0] = list[--n].
 */
__attribute__((always_inline)) static inline void heap_sift_down(void *list, size_t n, size_t size, heap_before *before)
{
	char *items = list;
	size_t i, child;

	for (i = 0; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && before(items + (child + 1) * size, items + child * size))
			child++;
		if (!before(items + child * size, items + i * size))
			return;
		heap_swap(items + i * size, items + child * size, size);
	}
}

#endif

#include "merge_heap.h"

#include <stdlib.h>

/* Puts `head` where it belongs, from place i downward. */
static void sift_down(struct merge_heap *h, size_t i, struct head head)
{
	size_t child;

	while ((child = 2 * i + 1) < h->n) {
		if (child + 1 < h->n && merge_heap_before(&h->list[child + 1], &h->list[child]))
			child++;
		if (!merge_heap_before(&h->list[child], &head))
			break;
		h->list[i] = h->list[child];
		i = child;
	}
	h->list[i] = head;
}

void merge_heap_add(struct merge_heap *h, struct head head)
{
	size_t i = h->n;

	h->list = mem_grow(h->list, &h->cap, h->n + 1, sizeof *h->list);
	for (h->n++; i && merge_heap_before(&head, &h->list[(i - 1) / 2]); i = (i - 1) / 2)
		h->list[i] = h->list[(i - 1) / 2];
	h->list[i] = head;
}

void merge_heap_replace(struct merge_heap *h, int64_t ts, int64_t dur)
{
	sift_down(h, 0, (struct head){ts, dur, h->list[0].source});
}

void merge_heap_drop(struct merge_heap *h)
{
	h->n--;
	if (h->n)
		sift_down(h, 0, h->list[h->n]);
}

void merge_heap_free(struct merge_heap *h)
{
	free(h->list);
	*h = (struct merge_heap){0};
}

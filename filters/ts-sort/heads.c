#include "heads.h"

#include <stdlib.h>

/* Puts `head` where it belongs, from place i downward. */
static void sift_down(struct heads *h, size_t i, struct head head)
{
	size_t child;

	while ((child = 2 * i + 1) < h->n) {
		if (child + 1 < h->n && head_before(&h->list[child + 1], &h->list[child]))
			child++;
		if (!head_before(&h->list[child], &head))
			break;
		h->list[i] = h->list[child];
		i = child;
	}
	h->list[i] = head;
}

void heads_add(struct heads *h, struct head head)
{
	size_t i = h->n;

	h->list = mem_grow(h->list, &h->cap, h->n + 1, sizeof *h->list);
	for (h->n++; i && head_before(&head, &h->list[(i - 1) / 2]); i = (i - 1) / 2)
		h->list[i] = h->list[(i - 1) / 2];
	h->list[i] = head;
}

void heads_replace(struct heads *h, int64_t ts, int64_t dur)
{
	sift_down(h, 0, (struct head){ts, dur, h->list[0].source});
}

void heads_drop(struct heads *h)
{
	h->n--;
	if (h->n)
		sift_down(h, 0, h->list[h->n]);
}

void heads_free(struct heads *h)
{
	free(h->list);
	*h = (struct heads){0};
}

#include "gantt_boxes.h"

#include "base/mem.h"

#include <stdlib.h>

enum { COLUMNS = 1000 };

static int compare(const void *a, const void *b)
{
	const struct gantt_box *x = a, *y = b;

	if (x->lane != y->lane)
		return x->lane < y->lane ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to > y->to ? -1 : 1;
	return x->part < y->part ? -1 : x->part > y->part ? 1 : x->text < y->text ? -1 : x->text > y->text;
}

/* By lane, part and column; `column` of a box is computed from its start. */
static int compare_start(const void *a, const void *b)
{
	const struct gantt_box *x = a, *y = b;

	if (x->lane != y->lane)
		return x->lane < y->lane ? -1 : 1;
	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from ? 1 : x->text < y->text ? -1 : x->text > y->text;
}

/* Joins short boxes of the same lane and part in each column. */
static void join(struct gantt_boxes *b, size_t columns)
{
	const double width = b->high > b->low ? (b->high - b->low) / (double)columns : 1;
	struct gantt_box *into, *box;
	size_t i, n = 0;

	qsort(b->list, b->n, sizeof *b->list, compare_start);
	for (i = 0; i < b->n; i++) {
		box = &b->list[i];
		into = n ? &b->list[n - 1] : NULL;
		if (into && into->lane == box->lane && into->part == box->part && box->to - box->from < width &&
		    into->to - into->from < width &&
		    (size_t)((into->from - b->low) / width) == (size_t)((box->from - b->low) / width)) {
			into->to = box->to > into->to ? box->to : into->to;
			into->busy += box->busy;
			into->records += box->records;
		} else {
			b->list[n++] = *box;
		}
	}
	b->n = n;
}

void gantt_boxes_add(struct gantt_boxes *b, const struct gantt_box *box)
{
	if (!b->n) {
		b->low = box->from;
		b->high = box->to;
		b->most = GANTT_BOXES_MOST;
	}
	b->low = box->from < b->low ? box->from : b->low;
	b->high = box->to > b->high ? box->to : b->high;
	if (b->n >= b->most) {
		join(b, COLUMNS);
		b->most = b->n > b->most / 2 ? b->most * 2 : b->most;
	}
	b->list = mem_grow(b->list, &b->cap, b->n + 1, sizeof *b->list);
	b->list[b->n++] = *box;
}

void gantt_boxes_sort(struct gantt_boxes *b, size_t columns)
{
	if (b->n)
		join(b, columns);
	if (b->n)
		qsort(b->list, b->n, sizeof *b->list, compare);
}

void gantt_boxes_free(struct gantt_boxes *b)
{
	free(b->list);
}

/*
 * gantt_boxes: the boxes of a timeline. The time is divided into many narrow columns. If there are many boxes, short
 * boxes of the same lane and colour that begin in the same column are joined, so that memory is bounded.
 */
#ifndef GANTT_BOXES_H
#define GANTT_BOXES_H

#include <stddef.h>
#include <stdint.h>

enum { GANTT_BOXES_MOST = 100000 };

struct gantt_box {
	double from, to; /* ns since the first record */
	double busy;     /* the sum of the durations of its records */
	uint32_t lane, part, text;
	uint32_t records; /* number of records in it */
};

/* Zero-initialise; free it with gantt_boxes_free(). */
struct gantt_boxes {
	struct gantt_box *list; /* after gantt_boxes_sort(): by lane, start, and the longest first */
	size_t n;
	double low, high; /* the first start and the last end */
	/* private */
	size_t cap, most;
};

void gantt_boxes_add(struct gantt_boxes *b, const struct gantt_box *box);

/*
 * Sorts the boxes. Joins boxes shorter than a column with the boxes of the same lane and part that begin in the same
 * column of `columns`.
 */
void gantt_boxes_sort(struct gantt_boxes *b, size_t columns);

void gantt_boxes_free(struct gantt_boxes *b);

#endif

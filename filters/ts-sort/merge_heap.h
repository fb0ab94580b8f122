/* merge_heap: the next record of each of several sorted sources, and which of them comes first. */
#ifndef MERGE_HEAP_H
#define MERGE_HEAP_H

#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

/* What orders records: ts, then the longer dur first; between sources, the one with the smaller number. */
struct head {
	int64_t ts, dur;
	size_t source;
};

static inline bool merge_heap_before(const struct head *a, const struct head *b)
{
	if (a->ts != b->ts)
		return a->ts < b->ts;
	if (a->dur != b->dur)
		return a->dur > b->dur;
	return a->source < b->source;
}

/* A heap. Zero-initialise; list[0] is the first when n > 0. */
struct merge_heap {
	struct head *list;
	size_t n, cap;
};

void merge_heap_add(struct merge_heap *h, struct head head);
/* The source of the first has come to another record, or to its end. */
void merge_heap_replace(struct merge_heap *h, int64_t ts, int64_t dur);
void merge_heap_drop(struct merge_heap *h);
void merge_heap_free(struct merge_heap *h);

#endif

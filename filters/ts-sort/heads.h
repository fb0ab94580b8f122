/* heads: the next record of each of several sorted sources, and which of them comes first. */
#ifndef HEADS_H
#define HEADS_H

#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

/* What orders records: ts, then the longer dur first; between sources, the one with the smaller number. */
struct head {
	int64_t ts, dur;
	size_t source;
};

static inline bool head_before(const struct head *a, const struct head *b)
{
	if (a->ts != b->ts)
		return a->ts < b->ts;
	if (a->dur != b->dur)
		return a->dur > b->dur;
	return a->source < b->source;
}

/* A heap. Zero-initialise; list[0] is the first when n > 0. */
struct heads {
	struct head *list;
	size_t n, cap;
};

void heads_add(struct heads *h, struct head head);
/* The source of the first has come to another record, or to its end. */
void heads_replace(struct heads *h, int64_t ts, int64_t dur);
void heads_drop(struct heads *h);
void heads_free(struct heads *h);

#endif

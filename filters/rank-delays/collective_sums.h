/* collective_sums: sums up collectives by operation, kind of group, type of elements, size of data and of the group. */
#ifndef COLLECTIVE_SUMS_H
#define COLLECTIVE_SUMS_H

#include "rank_table.h"

struct collective_sum;

/* Zero-initialise it. */
struct collective_sums {
	/* private */
	struct map keys, texts, last; /* last: key: the row and a rank */
	struct collective_sum *list;
	uint64_t *last_counts; /* by index in `last` */
	size_t n, cap, last_cap;
	struct buf key;
};

/* Adds a record of a collective of at least two members, with their sums. */
void collective_sums_add(
    struct collective_sums *c, const struct rank_table *t, struct event *e, int64_t dur, int64_t wait);

/* Writes one record for each kind of collective; the one that takes longest comes first. */
void collective_sums_write(struct collective_sums *c, const struct rank_table *t, struct out *out);

void collective_sums_free(struct collective_sums *c);

#endif

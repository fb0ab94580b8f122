/* collective_sums: sums up collectives by operation, kind of group, type of elements, size of data and of the group. */
#ifndef COLLECTIVE_SUMS_H
#define COLLECTIVE_SUMS_H

#include "rank_table.h"

struct collective_sum;

#define COLLECTIVE_MEMBERS(X)                                                                                          \
	X(GROUP, group)                                                                                                \
	X(DESC, desc)                                                                                                  \
	X(RANKS, ranks)                                                                                                \
	X(MATCH, match)                                                                                                \
	X(ALIGNED, aligned)                                                                                            \
	X(BYTES, bytes)                                                                                                \
	X(SIZE, size)                                                                                                  \
	X(DTYPE, dtype)                                                                                                \
	X(LAST, last)                                                                                                  \
	X(LATENCY, latency)                                                                                            \
	X(BUSBW, busbw)                                                                                                \
	X(MISSING, missing)                                                                                            \
	X(MEMBERS, members)

#define COLLECTIVE_ENUM(id, name) COLLECTIVE_##id,
enum collective_member { COLLECTIVE_MEMBERS(COLLECTIVE_ENUM) COLLECTIVE_N };

/* A record of a collective: JSON texts, views of its line; p is NULL for an absent member. */
struct collective_record {
	struct str name, m[COLLECTIVE_N];
};

/* Reads all members in one pass, because a record has many of them, and long ones. */
void collective_record_read(struct collective_record *c, struct event *e);

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
void collective_sums_add(struct collective_sums *c, const struct rank_table *t, const struct collective_record *r,
    int64_t dur, int64_t wait);

/* Writes one record for each kind of collective; the one that takes longest comes first. */
void collective_sums_write(struct collective_sums *c, const struct rank_table *t, struct out *out);

void collective_sums_free(struct collective_sums *c);

#endif

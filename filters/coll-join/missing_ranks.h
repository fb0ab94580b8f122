/* missing_ranks: finds the ranks of a group that have no member in a collective, and the reasons. */
#ifndef MISSING_RANKS_H
#define MISSING_RANKS_H

#include "collective_match.h"

/* missing_ranks_init() sets all members; the arguments must remain valid. */
struct missing_ranks {
	/* private */
	const struct job *job;
	const struct collectives *collectives;
	size_t *ranges;                   /* by group: the place of its first rank in `spans` */
	struct missing_ranks_span *spans; /* by group and rank of it: the positions of its first and last kernel */
};

/* The positions of all collectives must be set. */
void missing_ranks_init(struct missing_ranks *m, const struct job *j, const struct collectives *collectives);

/* Returns the number of ranks of a group, 0 if they are unknown. */
size_t missing_ranks_count(const struct missing_ranks *m, const struct process_group *g);

/* Returns the i-th rank of a group: in ascending order; of a pair, first the sender. */
int64_t missing_ranks_at(const struct missing_ranks *m, const struct process_group *g, size_t i);

bool missing_ranks_has(const struct missing_ranks *m, const struct collective *c, int64_t rank);

/* Returns whether a rank of the group is missing. */
bool missing_ranks_any(const struct missing_ranks *m, const struct collective *c);

/*
 * Returns why the i-th rank of the group is missing: "lost" (no trace of it), "before" (its first kernel of the group
 * is later), "after" (its last one is earlier), or "absent".
 */
const char *missing_ranks_why(const struct missing_ranks *m, const struct collective *c, size_t i);

void missing_ranks_free(struct missing_ranks *m);

#endif

/*
 * collective_match: matches the member kernels of all ranks into collectives: by the most reliable key that all
 * kernels of the group have.
 */
#ifndef COLLECTIVE_MATCH_H
#define COLLECTIVE_MATCH_H

#include "order_match.h"
#include "process_groups.h"

enum collective_key {
	COLLECTIVE_ID,     /* Comms Id */
	COLLECTIVE_SEQ,    /* group and Seq */
	COLLECTIVE_ORDER,  /* place in the order of the group */
	COLLECTIVE_STREAM, /* place in the order of the stream */
	COLLECTIVE_ALONE,  /* a kernel that cannot be matched */
};

/* Why a kernel cannot be matched. */
enum collective_why {
	COLLECTIVE_MATCHED,
	COLLECTIVE_NO_METADATA,
	COLLECTIVE_NO_PEER,
	COLLECTIVE_NO_ORDER,
	COLLECTIVE_ONE_RANK,
	COLLECTIVE_WHYS,
};

extern const char *const collective_key_names[];
extern const char *const collective_why_names[];

/* One communication, or one kernel that cannot be matched. */
struct collective {
	uint32_t first, n; /* its members: collectives.members[first .. first + n), in the order of the ranks */
	uint32_t group;
	uint8_t key, why; /* enum collective_key, enum collective_why */
	bool ambiguous;
	bool untimed;     /* a member has no ts, or is a process without a rank: clocks are not compared */
	int64_t position; /* ascending in the order of the group, for all but COLLECTIVE_ID without Seq */
};

/* Zero-initialise it. */
struct collectives {
	struct collective *list;
	uint32_t *members; /* indexes in job.kernels */
	size_t n;
	/* private */
	size_t cap, n_members;
};

/*
 * Matches all kernels of the job. `order` must be initialised. `one_rank`: the job has records of one rank only, so no
 * kernel can be matched.
 */
void collectives_match(struct collectives *c, struct job *j, const struct process_groups *groups,
    struct order_match *order, bool one_rank);

void collectives_free(struct collectives *c);

#endif

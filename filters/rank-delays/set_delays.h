/*
 * set_delays: by how much sets of ranks delay the others, and how long the ranks wait, from the records of collectives.
 *
 * A set is late for a collective by the time from the last start of the other ranks to its own last start. Within a
 * step, the delays in a process group add up. Across groups they do not: the same delay can appear in each of them. So
 * the lateness of a set in a step is that in the group with most of it.
 */
#ifndef SET_DELAYS_H
#define SET_DELAYS_H

#include "collective_sums.h"
#include "rank_table.h"

/* A process group in which collectives took place. */
struct delay_group {
	struct str name; /* in its first record: owned by set_delays */
	uint32_t set;    /* its set in the table, or RANK_NONE */
	struct str op;   /* the operation of its collectives, or empty if there are several */
	bool crosses;    /* its ranks are of different stages: they wait for each other by design */
	bool some_op;
	int64_t late_wait; /* time of its collectives that lack a rank beyond that of complete ones of equal size */
	int64_t missing;   /* a rank without a trace, or -1 */
};

/* The lateness of a set in a group. */
struct set_delay {
	uint32_t set, group;
	uint64_t collectives, last;
	int64_t sum;
};

/* Zero-initialise it. */
struct set_delays {
	struct collective_sums sums;
	struct delay_group *groups;
	size_t n_groups;
	struct set_delay *list;
	size_t n;
	uint64_t collectives, unaligned; /* numbers of matched collectives, and of those without a common clock */
	uint64_t members, unmatched;     /* numbers of kernels of communication, and of those in no collective */
	uint64_t aligned;                /* number of collectives from which lateness is computed */
	/* private */
	struct map keys, texts, delays;
	int64_t *late; /* by delay and step; after set_delays_complete(), by set and step */
	size_t groups_cap, list_cap, late_cap;
	struct delay_classes {
		struct map keys;
		struct delay_class {
			uint64_t n;
			int64_t latency;
		} * list;
		size_t cap;
	} complete, incomplete;
	struct delay_member *members_list;
	size_t members_cap;
	uint32_t *touched; /* sets of the current collective */
	size_t touched_cap;
	struct delay_mark {
		uint64_t collective;
		uint32_t n;
	} * marks; /* by set */
	struct buf key;
};

/* Reads a record of a collective; other records are ignored. Adds the waiting of its members to their windows. */
void set_delays_add(struct set_delays *d, struct rank_table *t, struct event *e);

/* At the end: sets cost, group, collectives and last of each set in the table, and the means of waiting. */
void set_delays_complete(struct set_delays *d, struct rank_table *t);

/* After that: returns the lateness of a set in a step of the job. */
int64_t set_delays_late(const struct set_delays *d, const struct rank_table *t, size_t set, size_t step);

void set_delays_free(struct set_delays *d);

#endif

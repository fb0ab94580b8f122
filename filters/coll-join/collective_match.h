/*
 * collective_match: finds the groups of ranks that communicate with each other, and matches the member kernels of each
 * group into collectives: by the most reliable key that all kernels of the group have.
 */
#ifndef COLLECTIVE_MATCH_H
#define COLLECTIVE_MATCH_H

#include "job.h"
#include "record/clock_file.h"

/* Kernels that are matched with each other. Each direction of a pair that exchanges messages is a group, too. */
struct process_group {
	enum process_group_kind {
		PROCESS_GROUP_COLLECTIVE,
		PROCESS_GROUP_PAIR,     /* send and recv, from one rank to another */
		PROCESS_GROUP_STREAM,   /* kernels of one stream number, of which nothing more is known */
		PROCESS_GROUP_PEERLESS, /* send and recv without the other rank: they cannot be matched */
		PROCESS_GROUP_NAMELESS, /* kernels without metadata in a job with groups: they cannot be matched */
	} kind;
	uint32_t name;   /* in job.texts, or JOB_NONE */
	uint32_t text;   /* its description, such as dp, in job.texts, or JOB_NONE */
	uint32_t set;    /* its ranks: job_rank_set(), or JOB_NONE if they are unknown */
	uint32_t list;   /* if they are unknown: the list that is cut, in job.texts, or JOB_NONE */
	uint32_t stream; /* of a stream: its number as JSON text, in job.texts; otherwise JOB_NONE */
	int32_t pair[2]; /* of a pair: the ranks of the sender and the receiver; otherwise -1 */
	int64_t block;   /* of a stream: number of the block of ranks, with --block; otherwise 0 */
	int64_t size;    /* number of ranks, 0 if it is unknown */
};

enum collective_key {
	COLLECTIVE_ID,     /* Comms Id */
	COLLECTIVE_SEQ,    /* group and Seq */
	COLLECTIVE_ORDER,  /* place in the order of the group */
	COLLECTIVE_STREAM, /* place in the order of the stream */
	COLLECTIVE_ALONE,  /* a kernel that cannot be matched */
};

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

/* A communication, or a kernel that cannot be matched. */
struct collective {
	uint32_t first, n; /* its members: see collective_member() */
	uint32_t group;    /* index in collectives.groups */
	uint8_t key, why;  /* enum collective_key, enum collective_why */
	bool ambiguous;
	bool untimed;     /* a member has no ts, or is a process without a rank: clocks are not compared */
	int64_t position; /* ascending in the order of the group, for all but COLLECTIVE_ID without Seq */
	int64_t ts;       /* set by collective_writer: its start */
};

/* Zero-initialise it. */
struct collectives {
	struct job *job;
	struct process_group *groups;
	size_t n_groups;
	struct collective *list;
	size_t n;
	bool by_stream;    /* no member kernel of the job has a group */
	uint32_t *members; /* indexes in job.kernels */
	/* private */
	size_t cap, n_members, groups_cap;
	struct map group_keys;
};

/*
 * Finds the groups, sorts them, sets `group` of each kernel, and matches the kernels. Call it after job_sort(). If
 * `block` is not 0, the ranks of a stream are those of a block: 0 to block - 1, block to 2 * block - 1 ... up to the
 * last rank of the job. `clocks`: by rank, the clocks that are known; `trusted`: the user vouches for them.
 */
void collectives_match(
    struct collectives *c, struct job *j, int64_t block, const struct rank_clock *clocks, bool trusted);

/* Returns the i-th member of a collective, in the order of the ranks; of a pair, first the send. */
static inline struct job_kernel *collective_member(const struct collectives *all, const struct collective *c, size_t i)
{
	return &all->job->kernels[all->members[c->first + i]];
}

/*
 * Returns the number of collectives whose members have one number and different operations: the ranks did not run the
 * same program, or the trace has wrong numbers. Appends the first one to *first, for messages.
 */
size_t collectives_mixed(const struct collectives *all, struct buf *first);

void collectives_free(struct collectives *c);

#endif

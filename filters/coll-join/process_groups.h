/* process_groups: the groups of ranks that communicate with each other, and the group of each member kernel. */
#ifndef PROCESS_GROUPS_H
#define PROCESS_GROUPS_H

#include "job.h"

/*
 * The kernels of a group are matched with each other. The two directions of each pair of ranks that exchange messages
 * are groups, too.
 */
struct process_group {
	enum process_group_kind {
		PROCESS_GROUP_COLLECTIVE,
		PROCESS_GROUP_PAIR,     /* send and recv, from one rank to another */
		PROCESS_GROUP_STREAM,   /* kernels of one stream number, of which nothing more is known */
		PROCESS_GROUP_PEERLESS, /* send and recv without the other rank: they cannot be matched */
		PROCESS_GROUP_NAMELESS, /* kernels without metadata in a job with groups: they cannot be matched */
	} kind;
	uint32_t name;    /* in job.texts, or JOB_NONE */
	uint32_t set;     /* its ranks, job_rank_set(), or JOB_NONE if they are unknown */
	uint32_t list;    /* if they are unknown: the list that is cut, in job.texts, or JOB_NONE */
	uint32_t stream;  /* of a stream: its number as JSON text, in job.texts; otherwise JOB_NONE */
	int32_t from, to; /* of a pair: the two ranks; otherwise -1 */
	int64_t block;    /* of a stream: number of the block of ranks, with --block; otherwise 0 */
	int64_t size;     /* number of ranks, 0 if it is unknown */
};

/* Zero-initialise it. */
struct process_groups {
	struct process_group *list;
	size_t n;
	bool by_stream; /* no member kernel of the job has a group */
	/* private */
	size_t cap;
	struct map keys;
};

/*
 * Finds the groups, sorts them, and sets `group` of each kernel. If `block` is not 0, the ranks of a stream are those
 * of a block: 0 to block - 1, block to 2 * block - 1 ... up to the last rank of the job. Call it after job_sort().
 */
void process_groups_find(struct process_groups *g, struct job *j, int64_t block);

void process_groups_free(struct process_groups *g);

#endif

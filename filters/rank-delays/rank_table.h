/*
 * rank_table: the ranks of a job: the windows of their steps, and the sets of ranks that may delay the others: each
 * rank, process group, pipeline stage and host, and the ranks that compute for longer than their peers.
 */
#ifndef RANK_TABLE_H
#define RANK_TABLE_H

#include "base/map.h"
#include "record/event.h"

/* The parts of a window, as gpu-busy --within writes them; together they are the window. */
enum rank_part {
	RANK_COMPUTE,
	RANK_COMM,
	RANK_COPY,
	RANK_OTHER,
	RANK_HOST,
	RANK_LAUNCHED,
	RANK_UNKNOWN,
	RANK_AFTER,
	RANK_DUR, /* the window itself */
	/* Parts of RANK_COMM, from the collectives: waiting in collectives, and in sends and receives. */
	RANK_WAIT_SYNC,
	RANK_WAIT_P2P,
	RANK_FIGURES,
};

extern const char *const rank_part_names[RANK_FIGURES];

/* A step of a rank. */
struct rank_window {
	int64_t number, ts;           /* windows are searched by the first member, and so are entries of ranks */
	uint32_t rank;                /* index in `ranks` */
	uint32_t step;                /* index in `steps`, or RANK_NONE if a rank lacks this step */
	int64_t figure[RANK_FIGURES]; /* by enum rank_part */
};

#define RANK_NONE UINT32_MAX

struct rank_entry {
	int64_t rank;
	uint32_t host, stage; /* index in `hosts`, number of the stage; RANK_NONE if unknown */
	size_t first, n;      /* its windows; n is 0 if there is no trace of the rank */
	uint32_t *sets;       /* the sets that contain it */
	size_t n_sets, sets_cap;
	int64_t mean[RANK_FIGURES]; /* over the steps of the job */
	int64_t computes;           /* in all steps of the job */
	int64_t peers, excess;      /* median computing of the other ranks of its stage; what it computes longer */
};

struct rank_set {
	enum rank_set_kind { RANK_SET_RANK, RANK_SET_GROUP, RANK_SET_HOST, RANK_SET_STAGE, RANK_SET_EXCESS } kind;
	struct str what; /* the description of a group, such as tp; a view */
	int64_t *ranks;  /* ascending; they may have no trace */
	size_t n, cap;
	uint32_t number; /* of a host or a stage */
	bool applies;    /* it may be named: it is neither one rank nor all ranks under another name */
	int64_t cost;    /* mean lateness in the steps of the job; of a stage, what it computes longer; set later */
	int64_t excess;  /* what its ranks compute longer than their peers */
	bool whole;      /* of a group: all of its ranks are known */
	uint32_t group;  /* the process group with most of its lateness, or RANK_NONE; set later */
	uint64_t collectives, last;
};

/* Zero-initialise it. */
struct rank_table {
	struct rank_entry *ranks; /* ascending by rank, after rank_table_complete() */
	size_t n, n_traces;       /* n_traces: the ranks that have windows */
	int64_t world;            /* number of ranks of the job, 0 if unknown */
	struct rank_window *windows;
	size_t n_windows;
	int64_t *steps; /* the numbers of the steps that all ranks have, ascending */
	size_t n_steps;
	uint64_t partial; /* number of windows of other steps */
	int64_t step;     /* mean window over ranks and steps */
	struct rank_set *sets;
	size_t n_sets;
	size_t n_stages; /* 0: the job has no pipeline */
	struct map hosts;
	/* private */
	size_t ranks_cap, windows_cap, sets_cap;
	struct map numbers, groups, names; /* keys: a rank; name and list of a group; name of a group and rank */
	struct map texts;                  /* descriptions of groups */
	uint32_t *group_sets, *name_sets;  /* by index in `groups` and in `names` */
	size_t groups_cap, names_cap;
	struct rank_link {
		int64_t a, b;
	} * pairs;
	size_t n_pairs, pairs_cap;
	struct buf key;
};

/*
 * Reads a record: a window (rank, step, ts, dur and the parts; host, if it is known), or a group of a rank (rank, and
 * group, list, desc; or peer of a send or receive). Returns NULL, or what is wrong with the record, as static text.
 */
const char *rank_table_add(struct rank_table *t, struct event *e);

/* To be called when all records are read: finds steps, means, stages and sets. */
void rank_table_complete(struct rank_table *t);

/* Sets the means of the ranks and of the job; to be called again when the waiting of the windows is known. */
void rank_table_find_means(struct rank_table *t);

/*
 * Returns the set of a group that a collective names, or RANK_NONE: `name` is its name as JSON, `rank` the index of one
 * of its ranks. The first call sets its ranks to all ranks of `list`, a JSON array, with those that have no trace.
 */
uint32_t rank_table_group(struct rank_table *t, struct str name, uint32_t rank, struct str list);

/* Returns the index of a rank, or RANK_NONE. */
uint32_t rank_table_find(const struct rank_table *t, int64_t rank);

/* Returns the window of a rank that contains a time of its clock, or NULL. */
struct rank_window *rank_table_window(const struct rank_table *t, uint32_t rank, int64_t ts);

/* Returns a window of the job's step, by its index, or NULL if there is no trace of the rank. */
const struct rank_window *rank_table_step(const struct rank_table *t, uint32_t rank, size_t step);

/* Returns the mean of values, rounded to the nearest integer; 0 for none. */
int64_t rank_table_mean(int64_t sum, size_t n);

bool rank_set_equal(const struct rank_set *a, const struct rank_set *b); /* whether both have the same ranks */

/* Appends the name of a set: "rank 5", "tp 4 5", "host 5 (ranks 40 to 47)", "stage 1", "ranks 3 9". */
void rank_set_name(const struct rank_table *t, const struct rank_set *s, struct buf *to);

void rank_table_free(struct rank_table *t);

#endif

/*
 * job: the compact store of a job of many ranks: its ranks, and its member kernels, that is, the device activities of
 * communications. A member kernel takes 72 bytes. Texts, groups and descriptions are stored once each.
 */
#ifndef JOB_H
#define JOB_H

#include "operation.h"
#include "process_names.h"
#include "rank_sets.h"
#include "record/event.h"

#define JOB_NONE UINT32_MAX

/* A rank of which a record was read. */
struct job_rank {
	int64_t rank;     /* negative: a process without a rank; see process_names.h */
	int64_t base;     /* baseTimeNanoseconds: time since 1970 is ts + base */
	int64_t world;    /* number of ranks of the job, 0 if unknown */
	uint32_t file;    /* number of the file that has the records of this rank */
	uint32_t kernels; /* number of its member kernels */
	/*
	 * Number of kernels whose `External id` equals their correlation id, and of kernels with another one. If the
	 * first is larger, `External id` is a copy of the correlation id, and host_calls does not use it.
	 */
	uint32_t external_equal, external_other;
};

/* The process group that the metadata of a kernel name, before its ranks are known. */
struct job_named_group {
	uint32_t name;       /* in job.texts; JOB_NONE if the metadata have only the ranks */
	uint32_t list;       /* the list of ranks as text, in job.texts, or JOB_NONE */
	uint32_t rank;       /* the rank whose pg_config has the ranks, if `list` is cut; JOB_NONE if it is complete */
	uint32_t is_default; /* the description is default_pg, and the list is empty: all ranks of the world */
	int64_t size;        /* Group size, 0 if it is unknown */
};

/* The properties of a member kernel that many kernels share. */
struct job_description {
	uint32_t operation; /* in job.operations */
	uint32_t dtype;     /* in job.texts; JOB_NONE if unknown */
	uint32_t group;     /* in job.named_groups; JOB_NONE if unknown */
	uint32_t name;      /* name of the kernel, in job.texts, of kernels without metadata; otherwise JOB_NONE */
	int64_t in, out;    /* elements of this rank's input and output; -1 if unknown */
	int64_t peer;       /* the other rank of send and recv, -1 if unknown */
	int64_t bytes;      /* given by the user for a custom operation, or by NCCL Inspector; -1 if unknown */
	uint32_t custom;    /* 1: a custom operation, which has no metadata */
	uint32_t described; /* 1: the kernel has metadata */
};

enum job_kernel_flags {
	JOB_HAS_CORR = 1,
	JOB_HAS_SEQ = 2,
	JOB_HAS_COMMS = 4,
	JOB_COMMS_TEXT = 8, /* Comms Id is not a 64-bit integer; `comms` is its number in job.texts */
	JOB_DOUBLE = 16,    /* a copy of another record */
	JOB_AMBIGUOUS = 32, /* another place in the order of its group was almost as likely */
	JOB_NO_TS = 64,     /* the record has no ts; ts is 0 */
};

struct job_kernel {
	int64_t ts, dur;
	int64_t corr, seq;
	uint64_t comms;
	uint32_t rank;        /* index in job.ranks */
	uint32_t description; /* index in job.descriptions */
	uint32_t place;       /* index in job.places: device and stream */
	uint32_t number;      /* the kernel is the number-th in the input */
	uint32_t group;       /* set by process_groups: index of the group */
	uint32_t key;         /* set by the match: kernels of a group with the same key are one collective */
	int32_t shift;        /* set by the match: see collective_match.h */
	uint8_t flags, why;   /* why: enum collective_why, for a kernel that is not matched */
};

/* Zero-initialise it, then call job_init(). */
struct job {
	struct job_rank *ranks;
	size_t n_ranks;
	struct job_kernel *kernels;
	size_t n;
	struct map texts;      /* decoded texts */
	struct map operations; /* names of operations; see operation.h */
	struct map places;     /* key: the JSON texts of dev and stream, with a newline between them */
	struct map processes;  /* the processes without a rank; see process_names.h */
	struct rank_sets sets;
	uint64_t doubles; /* number of kernels that job_sort() removed */
	/* private */
	size_t ranks_cap, cap;
	struct map rank_numbers, descriptions, named_groups;
	struct map pg_configs; /* key: index of a rank, and the name of a group in its pg_config */
	uint32_t *pg_sets;     /* the ranks of that group */
	size_t pg_cap;
	struct map strides; /* the same for groups whose ranks are known as start, stride and size */
	uint32_t *stride_sets;
	size_t stride_cap;
	struct buf key;
	int64_t last_rank;
	uint32_t last_index;
};

void job_init(struct job *j);
void job_free(struct job *j);

/* Returns the index of a rank; adds it when it is new. */
uint32_t job_rank(struct job *j, int64_t rank);

/* Returns the index of a rank, or JOB_NONE if no record of this rank was read. */
uint32_t job_find_rank(const struct job *j, int64_t rank);

/* These functions return the number of a description or group; they add it when it is new. */
uint32_t job_add_description(struct job *j, const struct job_description *d);
uint32_t job_add_group(struct job *j, const struct job_named_group *g);

struct job_description job_description(const struct job *j, uint32_t number);
struct job_named_group job_named_group(const struct job *j, uint32_t number);
size_t job_descriptions(const struct job *j); /* their number */
size_t job_named_groups(const struct job *j);

/* Stores the ranks of a group of a rank, found in pg_config. */
void job_set_pg_config(struct job *j, uint32_t rank, struct str name, uint32_t set);

/* Stores the ranks of a group of a rank, given by the rank of its first member, their distance and their number. */
void job_set_stride(struct job *j, uint32_t rank, struct str name, uint32_t set);

/* These functions return RANK_SETS_NONE if nothing was stored. */
uint32_t job_pg_config(const struct job *j, uint32_t rank, struct str name);
uint32_t job_stride(const struct job *j, uint32_t rank, struct str name);

struct job_kernel *job_add_kernel(struct job *j);

/*
 * Sorts the ranks by number, and the kernels by rank, ts and dur. Removes kernels that are in the input twice, with the
 * same ts, dur, stream and correlation id: marks them with JOB_DOUBLE, moves them to the end, and does not count them
 * in j->n.
 */
void job_sort(struct job *j);

#endif

/*
 * job: the compact store of a job of many ranks: its ranks, and its member kernels, that is, the device activities of
 * communications. A member kernel takes 80 bytes. Texts, sets of ranks, groups and descriptions are stored once each,
 * and have the numbers 0, 1, 2 ...
 *
 * Records of NCCL Inspector have no rank: the host's name and the pid identify their process. Such a process has a
 * negative number in place of its rank.
 */
#ifndef JOB_H
#define JOB_H

#include "base/mem.h"
#include "coll_operation.h"

#define JOB_NONE UINT32_MAX /* no number */

/* A rank of which a record was read. */
struct job_rank {
	int64_t rank;     /* negative: a process without a rank */
	int64_t base;     /* baseTimeNanoseconds: time since 1970 is ts + base */
	int64_t world;    /* number of ranks of the job, 0 if unknown */
	uint32_t file;    /* number of the file that has the records of this rank */
	uint32_t kernels; /* number of its member kernels */
	/*
	 * Number of kernels whose `External id` equals their correlation id, and of kernels with another one. If the
	 * first is larger, `External id` is a copy of the correlation id, and complete_kernel() of member_reader does
	 * not use it.
	 */
	uint32_t external_equal, external_other;
};

/* The process group that the metadata of a kernel name, before its ranks are known. */
struct job_named_group {
	uint32_t name; /* in job.texts; JOB_NONE if the metadata have only the ranks */
	uint32_t list; /* the list of ranks as text, in job.texts, or JOB_NONE */
	uint32_t rank; /* if `list` is cut: job_rank() of the rank that has the kernel; otherwise JOB_NONE */
	uint32_t text; /* the description, such as dp, in job.texts, or JOB_NONE */
	int64_t size;  /* Group size, 0 if it is unknown */
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
	int64_t custom; /* 1: a custom operation, which has no metadata; 64 bits, so that the struct has no padding */
};

enum job_kernel_flags {
	JOB_HAS_CORR = 1,
	JOB_HAS_SEQ = 2,
	JOB_HAS_COMMS = 4,
	JOB_COMMS_TEXT = 8,       /* Comms Id is not a 64-bit integer; `comms` is its number in job.texts */
	JOB_AMBIGUOUS = 16,       /* another place in the order of its group was almost as likely */
	JOB_NO_TS = 32,           /* the record has no ts; ts is 0 */
	JOB_HAS_EXPOSED = 64,     /* gpu-exposed --times measured it */
	JOB_EXPOSED_PIECES = 128, /* the record has its exposed parts, of gpu-busy --pieces */
};

struct job_kernel {
	int64_t ts, dur;
	int64_t corr, seq;
	uint64_t comms;
	int64_t exposed;      /* a time in ns, or the number of the exposed parts in job.texts: see flags */
	uint32_t rank;        /* index in job.ranks */
	uint32_t description; /* index in job.descriptions */
	uint32_t stream;      /* index in job.streams: device and stream */
	uint32_t number;      /* the kernel is the number-th in the input */
	uint32_t group;       /* set by collective_match: index of the group */
	union {
		uint32_t in_launch;  /* during the match by order: number among the kernels of its launch */
		uint32_t match;      /* set by the match: kernels of a group with equal numbers are one collective */
		uint32_t collective; /* set by collective_writer: index in the order of writing */
	};
	int32_t shift;      /* set by the match: position in the reference lane minus own position */
	uint8_t flags, why; /* why: enum collective_why, for a kernel that is not matched */
};

/* The sources of the ranks of a group, the most reliable one first. */
enum job_source {
	JOB_PG_CONFIG,
	JOB_STRIDE, /* the rank of the first member, the distance of the ranks, and their number */
};

/* Zero-initialise it, then call job_init(). */
struct job {
	struct job_rank *ranks;
	size_t n_ranks;
	struct job_kernel *kernels;
	size_t n;
	struct map texts;        /* decoded texts */
	struct map operations;   /* names of operations; see coll_operation.h */
	struct map streams;      /* key: the JSON texts of dev and stream, with a newline between them */
	struct map descriptions; /* key: struct job_description */
	struct map named_groups; /* key: struct job_named_group */
	uint32_t *sorted;        /* job_sort() sets it: by job_rank(), the index in `ranks` */
	uint64_t doubles;        /* number of kernels that job_sort() removed */
	/* private */
	size_t ranks_cap, cap;
	struct map rank_numbers; /* key: the rank; its index in `ranks` until job_sort() */
	struct map processes;    /* key: pid and host */
	struct map rank_sets;    /* key: the ranks, ascending, as int32_t: the length of all keys keeps them aligned */
	struct buf set_ranks;    /* the ranks that were added to the next set, as int32_t */
	struct map group_ranks;  /* key: source, rank and name of a group; see job_set_group_ranks() */
	uint32_t *group_ranks_value; /* by index in group_ranks: the set of its ranks */
	size_t group_ranks_cap;
	struct buf key;
	int64_t last_rank; /* the last argument of job_rank(), and its result */
	uint32_t last_index;
};

void job_init(struct job *j);
void job_free(struct job *j);

/* Returns a number for a rank or process, which is its index in job.ranks until job_sort(); adds it when it is new. */
uint32_t job_rank(struct job *j, int64_t rank);

/* Returns whether a record of this rank was read. */
bool job_has_rank(const struct job *j, int64_t rank);

static inline bool job_is_process(int64_t rank)
{
	return rank < 0;
}

/* Returns the number of a process, used as its rank; adds the process when it is new. `host` is decoded text. */
int64_t job_add_process(struct job *j, struct str host, int64_t pid);

/* Returns the host of a process, a view that is valid as long as the job, and sets *pid. */
struct str job_process(const struct job *j, int64_t process, int64_t *pid);

/* Appends "rank 3", or the name of a process: "node01:4001". */
void job_write_rank(const struct job *j, int64_t rank, struct buf *to);

/*
 * These functions return the number of a set of ranks. job_add_rank_list() reads a list such as "[0, 1, 7]", without
 * quotes; it returns JOB_NONE if the list is empty, or if it is not a complete list of ranks: long lists of PyTorch are
 * cut: "[0, 1, ..., 63]". job_add_rank_range() makes a set of start, start + stride ..., in total `n` ranks; it returns
 * JOB_NONE unless 1 <= stride and 1 <= n. job_add_all_ranks() makes a set of all ranks of which a record was read.
 */
uint32_t job_add_rank_list(struct job *j, struct str list);
uint32_t job_add_rank_range(struct job *j, int64_t start, int64_t stride, int64_t n);
uint32_t job_add_all_ranks(struct job *j);

enum { JOB_RANK_RANGE_MOST = 1 << 24 }; /* maximum number of ranks of job_add_rank_range() */

/* Returns the ranks of a set in ascending order, and sets *n to their number; valid as long as the job. */
const int32_t *job_rank_set(const struct job *j, uint32_t set, size_t *n);

/* Returns the number of a description; adds it when it is new. */
uint32_t job_add_description(struct job *j, const struct job_description *d);
struct job_description job_description(const struct job *j, uint32_t number);

/* Stores the ranks that a source gives for a group. `rank`: job_rank() of a rank whose records name the group. */
void job_set_group_ranks(struct job *j, enum job_source source, uint32_t rank, struct str name, uint32_t set);

/* Returns JOB_NONE if no set was stored. */
uint32_t job_group_ranks(struct job *j, enum job_source source, uint32_t rank, struct str name);

struct job_kernel *job_add_kernel(struct job *j);

/* Appends the members dev, stream, corr and exposed, as far as the kernel has them. */
void job_write_kernel(const struct job *j, const struct job_kernel *k, struct buf *to);

/*
 * Sorts the ranks by number, after the processes by host and pid, and the kernels by rank, ts and dur. Removes kernels
 * that are in the input twice, with the same ts, dur, stream and correlation id.
 */
void job_sort(struct job *j);

#endif

/* member_args: the metadata of a communication, in the args of its kernel or of the operator record_param_comms. */
#ifndef MEMBER_ARGS_H
#define MEMBER_ARGS_H

#include "job.h"

/* The arguments that are read: their numbers and their names in PyTorch. */
#define MEMBER_ARGS(X)                                                                                                 \
	X(COLLECTIVE, "Collective name")                                                                               \
	X(IN, "In msg nelems")                                                                                         \
	X(OUT, "Out msg nelems")                                                                                       \
	X(IN_OLD, "In msg size") /* 2023-10 to 2023-12; elements too */                                                \
	X(OUT_OLD, "Out msg size")                                                                                     \
	X(SIZE, "Group size")                                                                                          \
	X(DTYPE, "dtype")                                                                                              \
	X(GROUP_NAME, "Process Group Name")                                                                            \
	X(GROUP_ID, "Process Group ID") /* 2024-03 to 2024-04 */                                                       \
	X(GROUP_TEXT, "Process Group Description")                                                                     \
	X(GROUP_RANKS, "Process Group Ranks")                                                                          \
	X(SOURCE, "Src Rank")                                                                                          \
	X(DESTINATION, "Dst Rank")                                                                                     \
	X(SEQ, "Seq")                                                                                                  \
	X(COMMS, "Comms Id")                                                                                           \
	X(EXTERNAL, "External id")                                                                                     \
	X(HOST, "hostname") /* this and the next are only in records of NCCL Inspector */                              \
	X(MESSAGE, "coll_msg_size_bytes")                                                                              \
	X(START, "Global rank start") /* these two are only in record_param_comms */                                   \
	X(STRIDE, "Global rank stride")

#define MEMBER_ARGS_ENUM(id, name) MEMBER_ARGS_##id,
enum { MEMBER_ARGS(MEMBER_ARGS_ENUM) MEMBER_ARGS_N };

/* Zero-initialise it. */
struct member_args {
	struct str value[MEMBER_ARGS_N]; /* JSON texts, views of the record; p is NULL for absent and null values */
	bool contradiction;              /* set by member_args_describe(): Group size is not the number of ranks */
	/* private */
	struct buf text;
	uint32_t *list_sets; /* by the number of a list in job.texts: 0 unknown, 1 not complete, else its set + 2 */
	size_t lists, lists_cap;
};

/* Reads the args of a record; returns false when they are not JSON. */
bool member_args_read(struct member_args *a, struct str args);

/* Returns whether the args are those of a communication: not of wait or init, which only the host executes. */
bool member_args_is_communication(const struct member_args *a);

/* Sets *v to an argument that is an integer; returns false when it is absent or not an integer. */
bool member_args_int(const struct member_args *a, int i, int64_t *v);

/*
 * Returns whether the args of a record with this pid identify a process and a collective, without a rank and a ts: they
 * have a group, a Seq and a host. Then sets *process to the number of the process in the job.
 */
bool member_args_process(struct member_args *a, struct job *j, struct str pid, int64_t *process);

/* Returns the number of an argument's decoded text in j->texts; JOB_NONE if the argument is absent. */
uint32_t member_args_text(struct member_args *a, struct job *j, struct str json);

/* Returns the number of the description that the args give, for a record of the rank with this index. */
uint32_t member_args_describe(struct member_args *a, struct job *j, uint32_t rank);

/* Sets the Seq and the Comms Id of a kernel, as far as the args have them. */
void member_args_number(struct member_args *a, struct job *j, struct job_kernel *k);

void member_args_free(struct member_args *a);

#endif

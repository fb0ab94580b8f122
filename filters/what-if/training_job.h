/*
 * training_job: the operations of a training job, in the order in which simulations use them, of the steps that can be
 * simulated together.
 */
#ifndef TRAINING_JOB_H
#define TRAINING_JOB_H

#include "base/map.h"
#include "base/mem.h"

#include <stdbool.h>

/* --- types of operations --- */

/* Types in the order in which they are written. FIRST and LAST may be used for ranges of types. */
#define OPERATION_TYPES(X)                                                                                             \
	X(FORWARD_COMPUTE, "forward-compute")                                                                          \
	X(BACKWARD_COMPUTE, "backward-compute")                                                                        \
	X(FORWARD_SEND, "forward-send")                                                                                \
	X(FORWARD_RECV, "forward-recv")                                                                                \
	X(BACKWARD_SEND, "backward-send")                                                                              \
	X(BACKWARD_RECV, "backward-recv")                                                                              \
	X(PARAMS_GATHER, "params-all-gather")                                                                          \
	X(GRADS_SCATTER, "grads-reduce-scatter")                                                                       \
	X(SEPARATE_GRADS, "separate-grads-all-reduce")                                                                 \
	X(LAYERNORM_GRADS, "layernorm-grads-all-reduce")                                                               \
	X(EMBEDDING_GRADS, "embedding-grads-all-reduce")                                                               \
	X(CLIP, "optimizer-clip-main-grad")                                                                            \
	X(GC, "gc")                                                                                                    \
	X(OPTIMIZER, "optimizer")

#define OPERATION_TYPE_ENUM(id, name) OPERATION_##id,
enum operation_type { OPERATION_TYPES(OPERATION_TYPE_ENUM) OPERATION_TYPE_N };

/* Returns the type of this name, or OPERATION_TYPE_N. */
enum operation_type operation_type_find(struct str name);
struct str operation_type_name(enum operation_type type);

/* Returns whether the type is a computation, whose ideal time is the mean; of other types it is the median. */
static inline bool operation_type_computes(enum operation_type type)
{
	return type <= OPERATION_BACKWARD_COMPUTE || type >= OPERATION_GC;
}

/* Returns whether the operation is a message of the pipeline. */
static inline bool operation_type_is_message(enum operation_type type)
{
	return type >= OPERATION_FORWARD_SEND && type <= OPERATION_BACKWARD_RECV;
}

/* Returns the other end of a message: the receive of a send, the send of a receive. */
static inline enum operation_type operation_type_partner(enum operation_type type)
{
	return (enum operation_type)(OPERATION_FORWARD_SEND + ((type - OPERATION_FORWARD_SEND) ^ 1));
}

/* --- operations --- */

enum { TRAINING_JOB_STAGES_MOST = 1024 };

/* An operation. `worker` is an index of job.sources until training_job_arrange(), then dp * stages + stage. */
struct operation {
	int64_t ts, dur, step;
	int64_t seq; /* number among the operations of its type on its worker; 0 if the record has none */
	uint32_t worker;
	int32_t chunk; /* number of the model chunk, or -1 */
	uint8_t type;
	bool has_seq;
};

/* A thread of operations. */
struct operation_source {
	int64_t pid, tid; /* the key of its name; only used if the record has no stage */
	int64_t dp, rank;
	int64_t stage; /* -1: the stage is in the name of the thread */
};

/* Zero-initialise. */
struct training_job {
	struct operation *ops;
	size_t n;
	struct operation_source *sources;
	struct map source_ids; /* the sources by their contents */
	struct map thread_ids; /* (pid, tid) of the threads with a name */
	int64_t *thread_stages;
	/* Set by training_job_arrange(): */
	int64_t *dps;   /* the numbers of the DP ranks, ascending */
	int64_t *ranks; /* the global rank of each worker */
	size_t n_dps, n_stages;
	uint64_t doubles; /* number of operations that were in the input twice */
	uint64_t clashes; /* number of operations dropped because another one had the same number */
	/* Set by training_job_select_steps(): */
	size_t n_steps;
	size_t per_dp;          /* number of operations of each DP rank in each step */
	uint64_t unequal_dps;   /* steps left out because some DP ranks have different operations; the first one */
	uint64_t unequal_steps; /* steps left out because they have other operations than most steps; the first one */
	int64_t first_unequal_dps, first_unequal;
	/* private */
	size_t cap, sources_cap, threads_cap;
};

/* Returns the number of a source; adds it if it is new. */
uint32_t training_job_add_source(struct training_job *j, const struct operation_source *source);

/* Adds an operation, which the caller fills. */
struct operation *training_job_add(struct training_job *j);

/* Sets the stage of a thread. Returns false if it already has another stage. */
bool training_job_name_thread(struct training_job *j, int64_t pid, int64_t tid, int64_t stage);

/*
 * Finds the workers, sorts the operations by step, DP rank, stage, type and number, and drops operations that are
 * there twice. Returns false, with a message in *why, when the stage of a thread is unknown, when a stage has no
 * operations, or when operations of several ranks have the same DP rank and stage.
 */
bool training_job_arrange(struct training_job *j, struct buf *why);

/*
 * Finds the steps in which all DP ranks have the same numbers of operations of each type on each stage, selects those
 * with the most frequent numbers (if several are equally frequent, those of the earliest step), and removes the
 * operations of all other steps.
 */
void training_job_select_steps(struct training_job *j);

/* Returns the operations of a selected step: per_dp of the first DP rank, then those of the second, and so on. */
static inline const struct operation *training_job_step(const struct training_job *j, size_t step)
{
	return &j->ops[step * j->n_dps * j->per_dp];
}

void training_job_free(struct training_job *j);

/* Appends the reason why a job cannot be simulated to *why; returns false. */
bool refuse(struct buf *why, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif

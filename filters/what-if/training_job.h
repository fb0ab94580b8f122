/* training_job: the operations of a training job, in the order in which simulations use them. */
#ifndef TRAINING_JOB_H
#define TRAINING_JOB_H

#include "base/fault.h"
#include "base/map.h"
#include "base/mem.h"
#include "operation_type.h"

enum { TRAINING_JOB_STAGES_MOST = 1024 };

/* An operation. `worker` is an index of job.places until training_job_arrange(), then dp * stages + stage. */
struct operation {
	int64_t ts, dur, step;
	int64_t seq; /* number among the operations of its type on its worker; 0 if the record has none */
	uint32_t worker;
	int32_t chunk; /* number of the model chunk, or -1 */
	uint8_t type;
	bool has_seq;
};

/* A thread of operations. */
struct training_place {
	int64_t pid, tid; /* the key of its name; only used if the record has no stage */
	int64_t dp, rank;
	int64_t stage; /* -1: the stage is in the name of the thread */
};

/* Zero-initialise. */
struct training_job {
	struct operation *ops;
	size_t n;
	struct training_place *places;
	struct map place_ids;  /* the places by their contents */
	struct map thread_ids; /* (pid, tid) of the threads with a name */
	int64_t *thread_stages;
	/* Set by training_job_arrange(): */
	int64_t *dps;   /* the numbers of the DP ranks, ascending */
	int64_t *ranks; /* the global rank of each worker */
	size_t n_dps, n_stages;
	uint64_t doubles; /* number of operations that were in the input twice */
	uint64_t clashes; /* number of operations dropped because another one had the same number */
	/* private */
	size_t cap, places_cap, threads_cap;
};

/* Returns the number of a place; adds it if it is new. */
uint32_t training_job_place(struct training_job *j, const struct training_place *place);

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

void training_job_free(struct training_job *j);

#endif

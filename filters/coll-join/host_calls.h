/*
 * host_calls: finds the metadata of member kernels that lack them in the records of the host: in the operator
 * record_param_comms, and in ranges such as nccl:all_reduce.
 */
#ifndef HOST_CALLS_H
#define HOST_CALLS_H

#include "interval/interval_index.h"
#include "job.h"

/* An operator record_param_comms, or a range nccl:NAME. */
struct host_calls_span {
	int64_t start, end;
	int64_t external; /* its External id */
	int64_t seq;
	uint64_t comms;
	uint32_t rank, thread;
	uint32_t description; /* of an operator, in job.descriptions; JOB_NONE for a range */
	uint32_t operation;
	uint8_t flags; /* enum job_kernel_flags of seq and comms */
	bool has_external;
};

/* A call of the host, which may have launched a kernel. */
struct host_calls_call {
	int64_t corr, ts;
	uint32_t rank, thread;
};

/* A kernel without metadata. */
struct host_calls_pending {
	int64_t external;
	uint32_t kernel; /* index in job.kernels */
	bool has_external;
};

/*
 * Zero-initialise it. Between two calls of host_calls_resolve() it stores 24 bytes for each call of the host, and 64
 * bytes for each operator and range.
 */
struct host_calls {
	/* private */
	struct host_calls_call *calls;
	struct host_calls_span *spans;
	struct host_calls_pending *pending;
	size_t n_calls, n_spans, n_pending, calls_cap, spans_cap, pending_cap;
};

/* `thread` is a number that the caller chose for the rank, process and thread. */
void host_calls_add_call(struct host_calls *h, const struct host_calls_call *call);
void host_calls_add_span(struct host_calls *h, const struct host_calls_span *span);
void host_calls_add_pending(struct host_calls *h, const struct host_calls_pending *pending);

/*
 * Gives each pending kernel the description of its operator: of the one with the same External id, or else of the
 * innermost one around the launch on its thread. A kernel without such an operator gets the operation of the innermost
 * range around the launch. Then frees all records. Call it before job_sort(), when all records of the kernels' ranks
 * have been added.
 */
void host_calls_resolve(struct host_calls *h, struct job *j);

/* Frees all records; *h can be used again. */
void host_calls_free(struct host_calls *h);

#endif

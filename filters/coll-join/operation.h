/* operation: the operations of collective communication, their names, and the element types of their data. */
#ifndef OPERATION_H
#define OPERATION_H

#include "base/map.h"

/* The known operations, in the order of their numbers. */
enum operation {
	OPERATION_ALL_REDUCE,
	OPERATION_ALL_GATHER,
	OPERATION_REDUCE_SCATTER,
	OPERATION_ALL_TO_ALL,
	OPERATION_ALL_TO_ALLV,
	OPERATION_BARRIER,
	OPERATION_BROADCAST,
	OPERATION_REDUCE,
	OPERATION_GATHER,
	OPERATION_SCATTER,
	OPERATION_SEND,
	OPERATION_RECV,
	OPERATION_SENDRECV, /* a pair of send and recv, or a kernel that may be send, recv or all-to-all */
	OPERATION_N,
};

/*
 * Fills an empty map with the names of the known operations, so that the index of each name is its number. Names of
 * other operations get the numbers from OPERATION_N on.
 */
void operation_names(struct map *names);

/*
 * Returns the number of the operation that a framework calls `name`, such as _allgather_base; adds unknown names to
 * `names`.
 */
size_t operation_of_call(struct map *names, struct str name);

/* Returns the number of the operation in the name of a kernel of NCCL, RCCL or a custom all-reduce. */
enum operation operation_of_kernel(struct str name);

/*
 * Returns whether no member of the operation can end before all members have begun. Waits and clocks are computed from
 * these operations only.
 */
static inline bool operation_synchronises(size_t operation)
{
	return operation <= OPERATION_BARRIER;
}

static inline bool operation_is_pair(size_t operation)
{
	return operation == OPERATION_SEND || operation == OPERATION_RECV;
}

/*
 * Sets *factor to the ratio of bus bandwidth to algorithm bandwidth for n ranks, as in nccl-tests (doc/PERFORMANCE.md).
 * Returns false when the operation has no bandwidth.
 */
bool operation_bus_factor(size_t operation, size_t n, double *factor);

/* Returns the number of bytes of an element; `dtype` is a scalar type of PyTorch, such as BFloat16. Returns 0 if it is
 * unknown. */
int operation_dtype_bytes(struct str dtype);

#endif

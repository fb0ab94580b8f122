/* coll_operation: the operations of collective communication, their names, and the element types of their data. */
#ifndef COLL_OPERATION_H
#define COLL_OPERATION_H

#include "base/map.h"

/* The known operations, in the order of their numbers. */
enum coll_operation {
	COLL_ALL_REDUCE,
	COLL_ALL_GATHER,
	COLL_REDUCE_SCATTER,
	COLL_ALL_TO_ALL,
	COLL_ALL_TO_ALLV,
	COLL_BARRIER,
	COLL_BROADCAST,
	COLL_REDUCE,
	COLL_GATHER,
	COLL_SCATTER,
	COLL_SEND,
	COLL_RECV,
	COLL_SENDRECV, /* a pair of send and recv, or a kernel that may be send, recv or all-to-all */
	COLL_N,
};

/* Fills an empty map with the names of the known operations; the index of a name is its number. */
void coll_operation_names(struct map *names);

/*
 * Returns the number of the operation that a framework, or a rule for names of kernels, calls `name`, such as
 * _allgather_base; adds unknown names.
 */
size_t coll_operation_of_call(struct map *names, struct str name);

/*
 * Returns whether no member of the operation can end before all members have begun. Waits and clocks are computed from
 * these operations only.
 */
static inline bool coll_operation_synchronises(size_t operation)
{
	return operation <= COLL_BARRIER;
}

static inline bool coll_operation_is_pair(size_t operation)
{
	return operation == COLL_SEND || operation == COLL_RECV;
}

/*
 * Sets *factor to the ratio of bus bandwidth to algorithm bandwidth for n ranks, as in nccl-tests (doc/PERFORMANCE.md).
 * Returns false when the operation has no bandwidth.
 */
bool coll_operation_bus_factor(size_t operation, size_t n, double *factor);

/* Returns the number of bytes of an element; `dtype` is a scalar type of PyTorch, such as BFloat16. Returns 0 if it is
 * unknown. */
int coll_operation_dtype_bytes(struct str dtype);

#endif

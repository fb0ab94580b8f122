/* operation_type: the types of operations of a training step, and their names. */
#ifndef OPERATION_TYPE_H
#define OPERATION_TYPE_H

#include "base/str.h"

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

#endif

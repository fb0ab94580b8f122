/* overheads_private: declarations that overheads.c and overheads_operator.c share; no other file includes it. */
#ifndef OVERHEADS_PRIVATE_H
#define OVERHEADS_PRIVATE_H

#include "input_shapes.h"
#include "name_roles.h"
#include "nested_calls.h"
#include "overheads.h"
#include "record/places.h"

/* nested_call.of is the shape of an operator, or this value for a call. */
#define OVERHEADS_IS_CALL (INPUT_SHAPES_NONE - 1)

/* The properties of an operator that T1 needs. */
struct overheads_op {
	int64_t start, end;
	uint64_t root, seq, parent; /* seq of the parent; 0: no parent */
	bool idle;                  /* a conversion that had nothing to convert: it has no T1 */
	uint32_t name, shape;
	size_t thread;
};

struct overheads_thread {
	struct nested_call *nodes; /* the nodes that are not settled yet; they form one or more trees */
	size_t n, cap;
	int64_t end; /* the latest end of `nodes` */
	bool any;    /* the thread has had an operator; `last` is the latest */
	struct overheads_op last;
	struct buf place; /* text of overheads_value.place */
};

struct overheads {
	struct overheads_options *options;
	struct overheads_counts counts;
	struct name_roles names;
	struct input_shapes shapes;
	struct places places;
	struct overheads_thread *threads;
	size_t n_threads, cap_threads;
	uint64_t seq;
	bool any, placed;              /* results of overheads_any(), overheads_placed() */
	struct overheads_bound *bound; /* the bounds of the current operator */
	size_t n_bound, cap_bound;
	size_t *list, cap_list;
	struct overheads_op *all; /* with all_threads: all operators */
	size_t n_all, cap_all;
};

static inline bool overheads_is_call(const struct nested_call *x)
{
	return x->of == OVERHEADS_IS_CALL;
}

/* Returns true for a call at which T2, T3 and T5 begin or end; such a call has no event inside it. */
static inline bool overheads_is_bound(const struct overheads *o, const struct nested_call *nodes, size_t i)
{
	return overheads_is_call(&nodes[i]) && nodes[i].until == i + 1 &&
	       name_roles_has(&o->names, nodes[i].name, NAME_ROLE_LAUNCH | NAME_ROLE_BOUND) &&
	       !name_roles_has(&o->names, nodes[i].name, NAME_ROLE_HIDDEN);
}

/* --- overheads_operator.c --- */

/*
 * Passes the duration and T2 to T5 of one operator to options->give. The operator is node i of the settled nodes of a
 * thread. T1 is the gap to the previous operator of the thread; with all_threads it is computed at the end of the
 * stream. `root` is the seq of the root of the operator's tree.
 */
void overheads_operator_take(
    struct overheads *o, size_t thread, const struct nested_call *nodes, size_t i, uint64_t root);

/*
 * Passes T1 between `last` and the next operator `op` to options->give, if both have the same parent and the gap is
 * small.
 */
void overheads_operator_between(struct overheads *o, const struct overheads_op *last, const struct overheads_op *op);

#endif

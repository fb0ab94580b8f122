/* What overheads.c and overheads_operator.c share; no other file includes it. */
#ifndef OVERHEADS_PRIVATE_H
#define OVERHEADS_PRIVATE_H

#include "input_shapes.h"
#include "name_roles.h"
#include "nested_calls.h"
#include "overheads.h"
#include "record/places.h"

/* nested_call.of: the shape of an operator, or that it is a call. */
#define OVERHEADS_IS_CALL (INPUT_SHAPES_NONE - 1)

/* An operator, as T1 needs it. */
struct overheads_op {
	int64_t start, end;
	uint64_t root, seq, parent; /* seq; 0 for no parent */
	bool idle;                  /* a conversion that had nothing to do: it has no T1 */
	uint32_t name, shape;
	size_t thread;
};

struct overheads_thread {
	struct nested_call *nodes; /* of one or more trees, not settled yet */
	size_t n, cap;
	int64_t end;             /* the latest end of these */
	bool any;                /* it has had an operator: `last` */
	struct overheads_op last;
	struct buf place;        /* as overheads_value.place */
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
	bool any, placed;        /* as overheads_any(), overheads_placed() */
	struct overheads_bound *bound; /* of the operator being looked at */
	size_t n_bound, cap_bound;
	size_t *list, cap_list;
	struct overheads_op *all; /* with all_threads */
	size_t n_all, cap_all;
};

static inline bool overheads_is_call(const struct nested_call *x)
{
	return x->of == OVERHEADS_IS_CALL;
}

/* A call that bounds T2, T3 and T5, and that no other event lies in. */
static inline bool overheads_is_bound(const struct overheads *o, const struct nested_call *nodes, size_t i)
{
	return overheads_is_call(&nodes[i]) && nodes[i].until == i + 1 &&
	       name_roles_has(&o->names, nodes[i].name, NAME_ROLE_LAUNCH | NAME_ROLE_BOUND) &&
	       !name_roles_has(&o->names, nodes[i].name, NAME_ROLE_HIDDEN);
}

/* --- overheads_operator.c --- */

/*
 * Gives the values of one operator, the i-th of the settled nodes of a thread: its length and T2 to T5. Its T1 follows
 * the operator that was taken before it on the thread, or with all_threads waits for the end of the stream. `root` is
 * the seq of the root that it is in.
 */
void overheads_operator_take(
    struct overheads *o, size_t thread, const struct nested_call *nodes, size_t i, uint64_t root);

/* Gives T1 when `op` follows `last`: in the same parent, and soon. */
void overheads_operator_between(struct overheads *o, const struct overheads_op *last, const struct overheads_op *op);

#endif

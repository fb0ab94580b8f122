/* linked_calls: places records in trees by their `id` and `parent`, and computes their self times. */
#ifndef LINKED_CALLS_H
#define LINKED_CALLS_H

#include "record/event_queue.h"
#include "record/field.h"
#include "record/id_tree.h"

/* The members that call-tree adds to a call, except its depth and parent. */
struct call_node {
	uint64_t node; /* the member `node`: numbers the calls in input order */
	bool launch;   /* the call launches device work; false in trees by id */
	bool written;  /* the record of the call is written */
	bool timed;    /* the call has ts and dur, and therefore a self time */
	uint64_t children;
	uint64_t launches;     /* count of launching calls below this call; 0 in trees by id */
	int64_t self;          /* the duration of the call, minus the time that its children cover */
	size_t label, label_n; /* offset and length, in `labels`, of the value that --stack prints */
	int64_t covered;       /* the end of the last interval that was subtracted from `self` */
};

/* Zero-initialise with calls.each = sizeof(struct call_node). */
struct linked_calls {
	struct event_queue calls; /* records with their struct call_node, in input order */
	struct id_tree tree;      /* node i belongs to call i */
	struct buf labels;        /* with --stack: the values of all calls, as JSON; see call_node.label */
	uint64_t orphans;         /* number of records whose parent is not in the input, or is their descendant */
};

/* Stores a copy of a record that has an id or a parent. `call` has the members node and written; the others are 0. */
void linked_calls_add(struct linked_calls *l, struct event *e, const struct call_node *call);

/*
 * Computes the members of all calls; call it after the last linked_calls_add(). Children can begin after their parent
 * has ended, as device work does. The self time of a parent is the part of its duration in which no child on the same
 * clock ran. Children on the same clock must have been added in ts order.
 */
void linked_calls_complete(struct linked_calls *l);

/*
 * Returns the indexes of all calls in depth-first order: each call precedes its children. Roots, and the children of a
 * call, are in input order. To be called after linked_calls_complete(). The caller frees the list.
 */
size_t *linked_calls_preorder(const struct linked_calls *l);

/*
 * Returns the elements of the member `stack` of call i, separated by commas. They are the values of its ancestors,
 * outermost first, followed by the value of the call. The result is a view of `room`. To be called after
 * linked_calls_complete().
 */
struct str linked_calls_stack(struct linked_calls *l, size_t i, struct buf *room);

static inline struct call_node *linked_calls_at(struct linked_calls *l, size_t i, struct event *e)
{
	return event_queue_at(&l->calls, i, e);
}

void linked_calls_free(struct linked_calls *l);

#endif

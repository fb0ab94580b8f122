/* linked_calls: calls in the trees that their ids and parents make: what lies below each, and its self time. */
#ifndef LINKED_CALLS_H
#define LINKED_CALLS_H

#include "record/event_queue.h"
#include "record/id_tree.h"

/* What call-tree tells of a call, except its depth and parent. */
struct linked_calls_node {
	uint64_t node;          /* its number in the order of the input */
	bool launch;            /* it launches device work */
	bool timed;             /* it has a dur, and by that a self time */
	uint64_t children;
	uint64_t launches;      /* calls below it that launch */
	int64_t self;           /* its length without what its children cover */
	int64_t covered;        /* how far they do */
};

/* Zero-initialise with calls.each = sizeof(struct linked_calls_node); linked_calls_free() or keep it. */
struct linked_calls {
	struct event_queue calls; /* records with their struct linked_calls_node, in the order they came */
	struct id_tree tree;      /* node i is that of call i */
	uint64_t orphans;         /* records whose parent is not there, or is below them: roots */
};

/* Keeps a copy of a record that has an id or a parent. */
void linked_calls_add(struct linked_calls *l, struct event *e, uint64_t node, bool launch);

/*
 * Completes all calls, when all were added. Children may begin after their parent has ended, as device work does: the
 * parent's self time is what is left of it while none of them lasted, of those on the same clock; these came in the
 * order of their ts.
 */
void linked_calls_complete(struct linked_calls *l);

static inline struct linked_calls_node *linked_calls_at(struct linked_calls *l, size_t i, struct event *e)
{
	return event_queue_at(&l->calls, i, e);
}

void linked_calls_free(struct linked_calls *l);

#endif

/* id_tree: the trees that records spell out themselves, by id and parent. */
#ifndef ID_TREE_H
#define ID_TREE_H

#include "record/event_queue.h"
#include "record/value_ids.h"
#include "base/map.h"

#define ID_TREE_NONE SIZE_MAX

/* One record and, once the forest is grown, its place. */
struct tree {
	uint64_t node;          /* the caller's ordinal of it */
	bool launch;            /* the caller's: it is a call that launches */
	bool timed;             /* it has a dur, and by that a self time */
	size_t id, parent_id;   /* numbers of the texts, ID_TREE_NONE when there is none */
	size_t parent;          /* in the forest, ID_TREE_NONE for a root */
	uint64_t depth;
	uint64_t children;
	uint64_t launches;      /* calls below that launch */
	int64_t self;           /* its length without what its children cover */
	int64_t covered;        /* how far they do */
};

/* Zero-initialise with nodes.each = sizeof(struct tree); id_tree_free() or keep it. */
struct id_tree {
	struct event_queue nodes;      /* records with their struct tree, in the order they came */
	uint64_t orphans;       /* records whose parent is not there, or is below them: roots */
	/* its own */
	struct value_ids texts;
	struct map ids;         /* rank and id */
	size_t *of_id, cap;     /* the first record with that id */
};

/* Keeps a copy of a record that has an id or a parent. */
void id_tree_add(struct id_tree *f, struct event *e, uint64_t node, bool launch);

/*
 * Finds the place of all: a parent is the first record of its rank with that id, wherever it came. Children may
 * begin after their parent has ended, as device work does: its self time is what is left of it while none of
 * them lasted, of those on the same clock; these came in the order of their ts.
 */
void id_tree_grow(struct id_tree *f);

static inline struct tree *id_tree_at(struct id_tree *f, size_t i, struct event *e)
{
	return event_queue_at(&f->nodes, i, e);
}

void id_tree_free(struct id_tree *f);

#endif

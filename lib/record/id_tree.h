/*
 * id_tree: the trees that records form by id and parent. The same id in different processes (rank and pid) means
 * different records. If several records of a process have the same id, the last of them is the parent of all records
 * that name this id. Reason: PlaidML writes information about an activity before the activity itself, and both have the
 * same id.
 */
#ifndef ID_TREE_H
#define ID_TREE_H

#include "record/places.h"

#define ID_TREE_NONE SIZE_MAX

/* The node of a record. All members are valid after id_tree_link(). */
struct id_tree_node {
	size_t parent; /* index in t->nodes; ID_TREE_NONE for a root */
	size_t depth;  /* 0 for a root */
	bool orphan;   /* a root because no record has the id that it names as its parent */
	bool cut;      /* a root because its ancestors form a cycle, which is cut here */
};

/* Zero-initialise. Free it with id_tree_free(), or keep it until the program exits. */
struct id_tree {
	struct id_tree_node *nodes; /* in the order in which they were added */
	size_t n;
	/* private */
	size_t cap;
	struct places ids;
	size_t *node_of, node_of_cap; /* for each id: the last node with that id, or ID_TREE_NONE */
};

/* Adds a record; afterwards its node is t->nodes[t->n - 1]. Records may be added in any order. */
void id_tree_add(struct id_tree *t, struct event *e);

/* Finds parents and depths; to be called once, after all records were added. */
void id_tree_link(struct id_tree *t);

void id_tree_free(struct id_tree *t);

#endif

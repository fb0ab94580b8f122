/* flame_tree: the frames of stacks as a tree: equal frames with equal callers are one node. */
#ifndef FLAME_TREE_H
#define FLAME_TREE_H

#include "base/map.h"
#include "base/mem.h"

#define FLAME_NONE UINT32_MAX

struct flame_node {
	double total;  /* the weight of the frame with everything that it calls */
	double before; /* the same in the stacks to compare with */
	uint32_t parent, depth, name;
	uint32_t child, sibling; /* the heaviest callee, and the next lighter frame of the same caller; FLAME_NONE */
};

/* Zero-initialise. Node 0 is the root, whose total is the weight of all stacks. Free it with flame_tree_free(). */
struct flame_tree {
	struct flame_node *nodes;
	size_t n;
	size_t depth; /* of the deepest node; the root has depth 0 */
	/* private */
	struct map names,
	    callees; /* callees: key: the parent and the name of a node; its number is that of the node - 1 */
	size_t cap;
	struct buf line; /* the stack that was added last, without its weight */
	uint32_t *path;  /* its nodes; path[0] is the root */
	size_t path_n, path_cap;
};

/*
 * Adds a stack: frames separated by `;`, the root first. `before`: the stack is one to compare with. Frames deeper than
 * FLAME_DEPTH are added to the frame at that depth.
 */
enum { FLAME_DEPTH = 4096 };
void flame_tree_add(struct flame_tree *t, struct str stack, double weight, bool before);

/* Sums up the weights and links the nodes. To be called once, after the last stack. */
void flame_tree_link(struct flame_tree *t);

/* Returns the name of a node other than the root. */
struct str flame_tree_name(const struct flame_tree *t, size_t node);

void flame_tree_free(struct flame_tree *t);

#endif

/* ancestry: records that are linked by id and parent, kept until all of them are there, and the way to the root. */
#ifndef ANCESTRY_H
#define ANCESTRY_H

#include "record/field.h"

enum { ANCESTRY_DEPTH = 4096 };

struct ancestry_node {
	uint32_t parent; /* number of the parent's id, UINT32_MAX: none */
	uint32_t name, root;
	struct value weight; /* type is VALUE_NONE when it has none; its text is not kept */
};

/* Zero-initialise; ancestry_free() or keep it. */
struct ancestry {
	struct ancestry_node *nodes;
	size_t n, cap;
	struct map ids;       /* "rank pid id": ids are a process's own */
	uint32_t *node_of;    /* by id: the last record of that id, UINT32_MAX while none came */
	size_t node_of_cap;
	struct map names, roots;
	uint64_t orphans;     /* ways that ended at a parent that is not there */
	struct buf key;
};

/* Keeps a record with an id or a parent; `root` is a text of the caller's, `weight` may be NULL. */
void ancestry_add(struct ancestry *a, struct event *e, struct str root, const struct value *weight);

/*
 * The node and its ancestors, from the node up: how many; 0 when they are in a circle or more than
 * ANCESTRY_DEPTH. To be asked when all records were added.
 */
size_t ancestry_path(struct ancestry *a, size_t node, const struct ancestry_node *path[ANCESTRY_DEPTH]);

struct str ancestry_root(const struct ancestry *a, const struct ancestry_node *node);
struct str ancestry_name(const struct ancestry *a, const struct ancestry_node *node); /* JSON text, n == 0: none */

void ancestry_free(struct ancestry *a);

#endif

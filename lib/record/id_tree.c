#include "record/id_tree.h"

/* Special values of `depth`. UNKNOWN: not computed yet; UNDER_WAY: find_depth() has begun with this node. */
enum { UNKNOWN = -1, UNDER_WAY = -2 };

static size_t id_number(struct id_tree *t, struct event *e, struct str id)
{
	const struct str values[] = {id, event_get(e, EVENT_PID), event_get(e, EVENT_RANK)};
	size_t known = t->ids.n, i = places_put(&t->ids, values, 3);

	if (i == known) {
		t->node_of = mem_grow(t->node_of, &t->node_of_cap, i + 1, sizeof *t->node_of);
		t->node_of[i] = ID_TREE_NONE;
	}
	return i;
}

/* Until id_tree_link() is called, the `parent` of a node is an index in t->node_of, not in t->nodes. */
void id_tree_add(struct id_tree *t, struct event *e)
{
	struct str id = event_get(e, EVENT_ID), parent = event_get(e, EVENT_PARENT);
	struct id_tree_node *node;
	size_t i;

	t->nodes = mem_grow(t->nodes, &t->cap, t->n + 1, sizeof *t->nodes);
	node = &t->nodes[t->n];
	*node = (struct id_tree_node){.parent = ID_TREE_NONE, .depth = (size_t)UNKNOWN};
	if (parent.p)
		node->parent = id_number(t, e, parent);
	if (id.p) {
		i = id_number(t, e, id); /* this call may move t->node_of */
		t->node_of[i] = t->n;
	}
	t->n++;
}

/* Follows parents up to a root or a node with a known depth, then follows the same path again to set the depths. */
static void find_depth(struct id_tree *t, size_t from)
{
	size_t at, last = from, n = 0;

	for (at = from; at != ID_TREE_NONE && t->nodes[at].depth == (size_t)UNKNOWN; at = t->nodes[at].parent) {
		t->nodes[at].depth = (size_t)UNDER_WAY;
		last = at;
		n++;
	}
	if (n && at != ID_TREE_NONE && t->nodes[at].depth == (size_t)UNDER_WAY) {
		t->nodes[last].parent = at = ID_TREE_NONE;
		t->nodes[last].cut = true;
	}
	if (at != ID_TREE_NONE)
		n += t->nodes[at].depth + 1;
	for (; from != at; from = t->nodes[from].parent)
		t->nodes[from].depth = --n;
}

void id_tree_link(struct id_tree *t)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		if (t->nodes[i].parent == ID_TREE_NONE)
			continue;
		t->nodes[i].parent = t->node_of[t->nodes[i].parent];
		t->nodes[i].orphan = t->nodes[i].parent == ID_TREE_NONE;
	}
	for (i = 0; i < t->n; i++)
		find_depth(t, i);
}

void id_tree_free(struct id_tree *t)
{
	mem_free(t->nodes, t->node_of);
	places_free(&t->ids);
	*t = (struct id_tree){0};
}

#include "ancestry.h"

#include <stdlib.h>

/* The number of an id of a record's process. */
static uint32_t id_number(struct ancestry *a, struct event *e, struct str id)
{
	const enum event_member scope[] = {EVENT_RANK, EVENT_PID};
	size_t i, had = a->node_of_cap;
	struct str text;

	a->key.n = 0;
	for (i = 0; i < sizeof scope / sizeof *scope; i++) {
		text = event_get(e, scope[i]);
		buf_add(&a->key, text.p, text.n);
		buf_char(&a->key, ' ');
	}
	buf_add(&a->key, id.p, id.n);
	i = map_put(&a->ids, (struct str){a->key.p, a->key.n});
	a->node_of = mem_grow(a->node_of, &a->node_of_cap, i + 1, sizeof *a->node_of);
	for (; had < a->node_of_cap; had++)
		a->node_of[had] = UINT32_MAX;
	return (uint32_t)i;
}

void ancestry_add(struct ancestry *a, struct event *e, struct str root, const struct value *weight)
{
	const struct str id = event_get(e, EVENT_ID), parent = event_get(e, EVENT_PARENT), name = event_get(e, EVENT_NAME);
	struct ancestry_node *node;
	uint32_t number;

	a->nodes = mem_grow(a->nodes, &a->cap, a->n + 1, sizeof *a->nodes);
	node = &a->nodes[a->n];
	*node = (struct ancestry_node){.parent = UINT32_MAX};
	if (weight)
		node->weight = *weight;
	node->name = (uint32_t)map_put(&a->names, name);
	node->root = (uint32_t)map_put(&a->roots, root);
	if (parent.p)
		node->parent = id_number(a, e, parent);
	if (id.p) {
		number = id_number(a, e, id); /* which may move node_of[] */
		a->node_of[number] = (uint32_t)a->n;
	}
	a->n++;
}

size_t ancestry_path(struct ancestry *a, size_t node, const struct ancestry_node *path[ANCESTRY_DEPTH])
{
	const struct ancestry_node *at = &a->nodes[node];
	size_t n = 0;

	for (;;) {
		if (n == ANCESTRY_DEPTH)
			return 0;
		path[n++] = at;
		if (at->parent == UINT32_MAX)
			return n;
		if (a->node_of[at->parent] == UINT32_MAX) {
			a->orphans++;
			return n;
		}
		at = &a->nodes[a->node_of[at->parent]];
	}
}

struct str ancestry_root(const struct ancestry *a, const struct ancestry_node *node)
{
	return map_key(&a->roots, node->root);
}

struct str ancestry_name(const struct ancestry *a, const struct ancestry_node *node)
{
	return map_key(&a->names, node->name);
}

void ancestry_free(struct ancestry *a)
{
	free(a->nodes);
	free(a->node_of);
	map_free(&a->ids);
	map_free(&a->names);
	map_free(&a->roots);
	buf_free(&a->key);
	*a = (struct ancestry){0};
}

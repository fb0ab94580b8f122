#include "flame_tree.h"

#include "base/err.h"
#include "base/order.h"

#include <stdlib.h>

/* Returns the callee of a node with this name, which is added if it is new. */
static uint32_t callee(struct flame_tree *t, uint32_t parent, struct str text)
{
	const uint32_t key[] = {parent, (uint32_t)map_put(&t->names, text)};
	const size_t known = t->callees.n, i = map_put(&t->callees, (struct str){(const char *)key, sizeof key});

	if (i < known)
		return (uint32_t)i + 1;
	if (t->n >= FLAME_NONE)
		die_too_many("frames", FLAME_NONE - 1);
	t->nodes = mem_grow(t->nodes, &t->cap, t->n + 1, sizeof *t->nodes);
	t->nodes[t->n] = (struct flame_node){.parent = parent,
	    .depth = t->nodes[parent].depth + 1,
	    .name = key[1],
	    .child = FLAME_NONE,
	    .sibling = FLAME_NONE};
	t->depth = t->nodes[t->n].depth > t->depth ? t->nodes[t->n].depth : t->depth;
	return (uint32_t)t->n++;
}

static void push_frame(struct flame_tree *t, uint32_t node)
{
	t->path = mem_grow(t->path, &t->path_cap, t->path_n + 1, sizeof *t->path);
	t->path[t->path_n++] = node;
}

static void add_root(struct flame_tree *t)
{
	t->nodes = mem_grow(t->nodes, &t->cap, 1, sizeof *t->nodes);
	t->nodes[0] = (struct flame_node){.child = FLAME_NONE, .sibling = FLAME_NONE};
	t->n = 1;
	push_frame(t, 0);
}

/*
 * Returns the length of the frames that a stack and the stack added last have in common, including the `;` after them.
 * Cuts the path after these frames. Folded stacks are usually sorted, so most frames of a line are in the line before.
 */
static size_t common_frames(struct flame_tree *t, struct str stack)
{
	size_t i, cut = 0, frames = 0;

	for (i = 0; i < stack.n && i < t->line.n && stack.p[i] == t->line.p[i]; i++) {
		if (stack.p[i] == ';') {
			cut = i + 1;
			frames++;
		}
	}
	t->path_n = frames + 1 < t->path_n ? frames + 1 : t->path_n;
	return cut;
}

void flame_tree_add(struct flame_tree *t, struct str stack, double weight, bool before)
{
	struct str rest, name;
	struct flame_node *node;

	if (!t->n)
		add_root(t);
	rest = str_from(stack, common_frames(t, stack));
	while (t->path_n <= FLAME_DEPTH && str_split(&rest, ';', &name))
		push_frame(t, callee(t, t->path[t->path_n - 1], name));
	t->line.n = 0;
	buf_add(&t->line, stack.p, stack.n);
	node = &t->nodes[t->path[t->path_n - 1]];
	if (before)
		node->before += weight;
	else
		node->total += weight;
}

static int compare_children(const void *arg, size_t a, size_t b)
{
	const struct flame_tree *t = arg;
	const struct flame_node *x = &t->nodes[a], *y = &t->nodes[b];

	if (x->total != y->total)
		return x->total < y->total ? -1 : 1;
	return a > b ? -1 : a < b;
}

void flame_tree_link(struct flame_tree *t)
{
	size_t *order, i;

	if (!t->n)
		add_root(t);
	/* A callee has a higher number than its caller. */
	for (i = t->n; i-- > 1;) {
		t->nodes[t->nodes[i].parent].total += t->nodes[i].total;
		t->nodes[t->nodes[i].parent].before += t->nodes[i].before;
	}
	order = order_sort(t->n, compare_children, t);
	for (i = 0; i < t->n; i++) {
		const uint32_t node = (uint32_t)order[i];

		if (!node)
			continue;
		t->nodes[node].sibling = t->nodes[t->nodes[node].parent].child;
		t->nodes[t->nodes[node].parent].child = node;
	}
	free(order);
}

struct str flame_tree_name(const struct flame_tree *t, size_t node)
{
	return map_key(&t->names, t->nodes[node].name);
}

void flame_tree_free(struct flame_tree *t)
{
	mem_free(t->nodes, t->path);
	maps_free(&t->names, &t->callees);
	buf_free(&t->line);
}

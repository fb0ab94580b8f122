#include "linked_calls.h"

#include "program/filter.h"

void linked_calls_add(struct linked_calls *l, struct event *e, const struct call_node *call)
{
	id_tree_add(&l->tree, e);
	filter_hold(&l->calls, e, call);
}

/*
 * Subtracts the child's time from the parent's self time, except the time outside the parent and the time that an
 * earlier child covers. `of`: the parent's record.
 */
static void take_time(struct call_node *parent, struct event *of, struct event *child)
{
	int64_t start, end;

	if (!parent->timed || !event_get(child, EVENT_TS).p || !event_get(child, EVENT_DUR).p)
		return;
	if (!str_eq(event_get(of, EVENT_CLOCK), event_get(child, EVENT_CLOCK)))
		return;
	start = child->ts > parent->covered ? child->ts : parent->covered;
	end = event_end(child);
	if (end > event_end(of))
		end = event_end(of);
	if (end <= start)
		return;
	parent->self -= int_sub(end, start);
	parent->covered = end;
}

void linked_calls_complete(struct linked_calls *l)
{
	const struct id_tree_node *node;
	struct call_node *c, *up;
	struct event e, of;
	size_t i;

	id_tree_link(&l->tree);
	for (i = 0; i < l->calls.n; i++) {
		c = linked_calls_at(l, i, &e);
		c->timed = event_get(&e, EVENT_TS).p && event_get(&e, EVENT_DUR).p;
		c->self = c->timed ? int_sub(event_end(&e), e.ts) : 0;
		c->covered = e.ts;
	}
	for (i = 0; i < l->calls.n; i++) {
		node = &l->tree.nodes[i];
		l->orphans += node->orphan || node->cut;
		linked_calls_at(l, i, &e);
		if (node->parent != ID_TREE_NONE) {
			up = linked_calls_at(l, node->parent, &of);
			up->children++;
			take_time(up, &of, &e);
		}
	}
}

size_t *linked_calls_preorder(const struct linked_calls *l)
{
	const struct id_tree_node *nodes = l->tree.nodes;
	const size_t n = l->calls.n;
	/* For each call: its first child, and the next child of its parent. child[n] is the first root. */
	size_t *child = mem_alloc((n + 1) * sizeof *child), *next = mem_alloc((n + 1) * sizeof *next);
	size_t *order = mem_alloc((n + 1) * sizeof *order), i, at, parent;

	for (i = 0; i <= n; i++)
		child[i] = next[i] = ID_TREE_NONE;
	for (i = n; i-- > 0;) {
		parent = nodes[i].parent == ID_TREE_NONE ? n : nodes[i].parent;
		next[i] = child[parent];
		child[parent] = i;
	}
	for (i = 0, at = child[n]; i < n; i++) {
		order[i] = at;
		if (child[at] != ID_TREE_NONE) {
			at = child[at];
			continue;
		}
		while (next[at] == ID_TREE_NONE && nodes[at].parent != ID_TREE_NONE)
			at = nodes[at].parent;
		at = next[at];
	}
	mem_free(child, next);
	return order;
}

struct str linked_calls_stack(struct linked_calls *l, size_t i, struct buf *room)
{
	const struct call_node *call;
	size_t n = 0, at;
	char *p;

	for (at = i; at != ID_TREE_NONE; at = l->tree.nodes[at].parent)
		n += linked_calls_at(l, at, NULL)->label_n + 1;
	room->n = 0;
	p = buf_room(room, n) + n;
	for (at = i; at != ID_TREE_NONE; at = l->tree.nodes[at].parent) {
		*--p = ',';
		call = linked_calls_at(l, at, NULL);
		p -= call->label_n;
		memcpy(p, l->labels.p + call->label, call->label_n);
	}
	return (struct str){p, n - 1};
}

void linked_calls_free(struct linked_calls *l)
{
	event_queue_free(&l->calls);
	id_tree_free(&l->tree);
	buf_free(&l->labels);
}

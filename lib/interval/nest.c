#include "interval/nest.h"

#include <stdlib.h>

static int by_seq(const void *a, const void *b)
{
	const struct nest_node *x = a, *y = b;

	return (x->seq > y->seq) - (x->seq < y->seq);
}

void nest_sort(struct nest_node *nodes, size_t n)
{
	size_t i;

	for (i = 1; i < n; i++) {
		if (nodes[i - 1].seq > nodes[i].seq) {
			qsort(nodes, n, sizeof *nodes, by_seq);
			return;
		}
	}
}

/* The innermost open one is `top`; its parents are those that are open round it. */
void nest_settle(struct nest_node *nodes, size_t n)
{
	size_t top = NEST_ROOT, i;
	int64_t root = INT64_MIN; /* the end of the last one */

	for (i = 0; i < n; i++) {
		struct nest_node *x = &nodes[i];

		while (top != NEST_ROOT && !nest_holds(root, nodes[top].end, x->start, x->end)) {
			nodes[top].until = i;
			top = nodes[top].parent;
		}
		if (top == NEST_ROOT)
			root = x->end;
		x->parent = top;
		top = i;
	}
	for (; top != NEST_ROOT; top = nodes[top].parent)
		nodes[top].until = n;
}

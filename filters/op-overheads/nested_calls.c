#include "nested_calls.h"

#include "interval/interval_nesting.h"

#include <stdlib.h>

static int by_seq(const void *a, const void *b)
{
	const struct nested_call *x = a, *y = b;

	return (x->seq > y->seq) - (x->seq < y->seq);
}

void nested_calls_sort(struct nested_call *nodes, size_t n)
{
	size_t i;

	for (i = 1; i < n; i++) {
		if (nodes[i - 1].seq > nodes[i].seq) {
			qsort(nodes, n, sizeof *nodes, by_seq);
			return;
		}
	}
}

/* `top` is the innermost open call; its ancestors are the other open calls. */
void nested_calls_set_positions(struct nested_call *nodes, size_t n)
{
	size_t top = NESTED_CALLS_ROOT, i;
	int64_t root = INT64_MIN; /* the end of the last root */

	for (i = 0; i < n; i++) {
		struct nested_call *x = &nodes[i];

		while (top != NESTED_CALLS_ROOT && !nesting_holds(root, nodes[top].end, x->start, x->end)) {
			nodes[top].until = i;
			top = nodes[top].parent;
		}
		if (top == NESTED_CALLS_ROOT)
			root = x->end;
		x->parent = top;
		top = i;
	}
	for (; top != NESTED_CALLS_ROOT; top = nodes[top].parent)
		nodes[top].until = n;
}

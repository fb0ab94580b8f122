/* interleaving: the nodes are those that all interleavings of the lists of the streams give. */
#include "test.h"

#include "graph-attach/interleaving.h"
#include "samples.h"

#include <stdlib.h>

enum { MOST = 9, STREAMS = 3 };

struct launch {
	uint32_t names[MOST], streams[MOST], nodes[MOST];
	size_t n;
	uint32_t places[MOST]; /* bit p: kernel i is node p in some interleaving */
	bool exists;
};

/* Gives node p to the next kernel of each stream that has its name; `to` has the kernels of the nodes before p. */
static void try_node(struct launch *l, size_t p, size_t *to, uint32_t used)
{
	bool seen[STREAMS] = {false};
	size_t i;

	if (p == l->n) {
		l->exists = true;
		for (i = 0; i < l->n; i++)
			l->places[to[i]] |= 1u << i;
		return;
	}
	for (i = 0; i < l->n; i++) {
		if (used >> i & 1 || seen[l->streams[i]])
			continue;
		seen[l->streams[i]] = true;
		to[p] = i;
		if (l->names[i] == l->nodes[p])
			try_node(l, p + 1, to, used | 1u << i);
	}
}

static void compare(struct launch *l)
{
	struct node_map map = {0};
	size_t to[MOST], i;

	try_node(l, 0, to, 0);
	CHECK(interleaving_map(l->names, l->streams, l->nodes, l->n, &map) == l->exists);
	CHECK(map.n == (l->exists ? l->n : 0));
	for (i = 0; i < l->n && l->exists; i++) {
		const uint32_t places = l->places[i];

		CHECK(node_map_get(map.runs, map.n_runs, (uint32_t)i) ==
		      (places & (places - 1) ? NODE_MAP_AMBIGUOUS : __builtin_ctz(places)));
	}
	free(map.runs);
}

void unit_test(void)
{
	struct launch l;
	size_t i, j, round;
	uint32_t name;

	for (round = 0; round < 3000; round++) {
		l = (struct launch){.n = random_below(MOST) + 1};
		for (i = 0; i < l.n; i++) {
			l.names[i] = l.nodes[i] = (uint32_t)random_below(round % 4 + 1);
			l.streams[i] = (uint32_t)random_below(STREAMS);
		}
		for (i = l.n; i-- > 1 && round % 3;) { /* the capture has the same names in another order */
			j = random_below(i + 1);
			name = l.nodes[i];
			l.nodes[i] = l.nodes[j];
			l.nodes[j] = name;
		}
		compare(&l);
	}
}

/* alignment: lengths and nodes are those that all longest common subsequences of short random lists give. */
#include "test.h"

#include "graph-attach/alignment.h"
#include "samples.h"

#include <stdlib.h>

enum { MOST = 9, NOTHING = 99 };

/* For each item of a, the place in b that each of the longest pairings gives it: the nodes of all pairings, as bits. */
struct pairings {
	uint32_t a[MOST], b[MOST];
	size_t n, m, best;
	uint32_t nodes[MOST]; /* bit j: some longest pairing pairs the item with place j; bit MOST: with none */
};

/* Tries all ways to pair the items from i on with places from j on; `to` has the places of the items before i. */
static void pair(struct pairings *p, size_t i, size_t j, size_t length, size_t *to)
{
	size_t k;

	if (i < p->n) {
		to[i] = MOST;
		pair(p, i + 1, j, length, to);
		for (k = j; k < p->m; k++) {
			if (p->a[i] != p->b[k])
				continue;
			to[i] = k;
			pair(p, i + 1, k + 1, length + 1, to);
		}
		return;
	}
	if (length > p->best)
		memset(p->nodes, 0, sizeof p->nodes);
	if (length < p->best)
		return;
	p->best = length;
	for (k = 0; k < p->n; k++)
		p->nodes[k] |= 1u << to[k];
}

static int32_t expected(uint32_t nodes)
{
	if (nodes == 1u << MOST)
		return NODE_MAP_NONE;
	return nodes & (nodes - 1) ? NODE_MAP_AMBIGUOUS : __builtin_ctz(nodes);
}

static void compare(struct pairings *p)
{
	struct node_map map = {0};
	size_t to[MOST], i;
	long length;

	pair(p, 0, 0, 0, to);
	length = alignment_length(p->a, p->n, p->b, p->m, 0);
	CHECK(length == (long)p->best);
	CHECK(alignment_length(p->a, p->n, p->b, p->m, p->best) == (long)p->best);
	CHECK(alignment_length(p->a, p->n, p->b, p->m, p->best + 1) == -1);
	alignment_map(p->a, p->n, p->b, p->m, p->best, &map);
	CHECK(map.n == p->n);
	for (i = 0; i < p->n; i++)
		CHECK(node_map_get(map.runs, map.n_runs, (uint32_t)i) == expected(p->nodes[i]));
	free(map.runs);
}

/* A capture of many nodes of which a launch lost some: the nodes of the others are known. */
static void check_long(void)
{
	enum { NODES = 5000 };
	static uint32_t a[NODES], b[NODES];
	static int32_t nodes[NODES];
	struct node_map map = {0};
	size_t i, n = 0, wrong = 0;
	long length;

	for (i = 0; i < NODES; i++) {
		b[i] = (uint32_t)(i % 7 ? i : 3);
		if (random_below(50) == 0)
			continue;
		nodes[n] = (int32_t)i;
		a[n++] = b[i];
	}
	length = alignment_length(a, n, b, NODES, NODES * 9 / 10);
	CHECK(length == (long)n);
	alignment_map(a, n, b, NODES, n, &map);
	for (i = 0; i < n; i++) {
		const int32_t node = node_map_get(map.runs, map.n_runs, (uint32_t)i);

		wrong += node != nodes[i] && node != NODE_MAP_AMBIGUOUS;
	}
	CHECK(wrong == 0);
	free(map.runs);
}

void unit_test(void)
{
	struct pairings p;
	size_t i, round;

	for (round = 0; round < 3000; round++) {
		p = (struct pairings){.n = random_below(MOST - 1) + 1, .m = random_below(MOST - 1) + 1};
		for (i = 0; i < MOST; i++) {
			p.a[i] = (uint32_t)random_below(round % 3 + 2);
			p.b[i] = (uint32_t)random_below(round % 3 + 2);
		}
		compare(&p);
	}
	check_long();
}

#include "interleaving.h"
#include "base/order.h"

#include <stdlib.h>

/*
 * A state says how many kernels of each stream have a node: 16 bits for each stream. Layer p has the states in which
 * the first p nodes have kernels, in ascending order.
 */
enum { STREAMS = 4, BITS = 16, MOST_KERNELS = 65535, MOST_STATES = 1 << 20 };

struct layers {
	const uint32_t *nodes;
	uint32_t *lists[STREAMS];   /* for each stream, the names of its kernels */
	uint32_t *kernels[STREAMS]; /* and their places in the launch */
	size_t lengths[STREAMS], n, n_states, cap;
	uint64_t *states;
	size_t *begin; /* for each layer, the index of its first state; one more at the end */
};

static size_t count_of(uint64_t state, size_t stream)
{
	return state >> (BITS * stream) & MOST_KERNELS;
}

/* Returns whether the next kernel of a stream can be node p. */
static bool is_next(const struct layers *l, uint64_t state, size_t stream, size_t p)
{
	const size_t count = count_of(state, stream);

	return count < l->lengths[stream] && l->lists[stream][count] == l->nodes[p];
}

static uint64_t after(uint64_t state, size_t stream)
{
	return state + ((uint64_t)1 << (BITS * stream));
}

/* Makes layer p + 1. Returns false if there are too many states. */
static bool add_layer(struct layers *l, size_t p)
{
	const size_t first = l->n_states;
	size_t i, s;

	for (i = l->begin[p]; i < l->begin[p + 1]; i++) {
		for (s = 0; s < STREAMS; s++) {
			if (!is_next(l, l->states[i], s, p))
				continue;
			l->states = mem_grow(l->states, &l->cap, l->n_states + 1, sizeof *l->states);
			l->states[l->n_states++] = after(l->states[i], s);
		}
	}
	l->n_states = first + order_distinct(l->states + first, l->n_states - first, sizeof *l->states, order_uint64s);
	l->begin[p + 2] = l->n_states;
	return l->n_states <= MOST_STATES;
}

/*
 * Goes back from the last layer through the states from which it can be reached, and sets nodes[i] to the node of
 * kernel i, or to NODE_MAP_AMBIGUOUS if there are several.
 */
static void find_nodes(const struct layers *l, int32_t *nodes)
{
	bool *alive = mem_zero(l->n_states, sizeof *alive);
	size_t p, i, s;
	uint64_t next, *found;
	int32_t *node;

	alive[l->n_states - 1] = true;
	for (p = l->n; p-- > 0;) {
		for (i = l->begin[p]; i < l->begin[p + 1]; i++) {
			for (s = 0; s < STREAMS; s++) {
				if (!is_next(l, l->states[i], s, p))
					continue;
				next = after(l->states[i], s);
				found = bsearch(&next, l->states + l->begin[p + 1], l->begin[p + 2] - l->begin[p + 1],
				    sizeof next, order_uint64s);
				if (!found || !alive[found - l->states])
					continue;
				alive[i] = true;
				node = &nodes[l->kernels[s][count_of(l->states[i], s)]];
				*node = *node == NODE_MAP_NONE || *node == (int32_t)p ? (int32_t)p : NODE_MAP_AMBIGUOUS;
			}
		}
	}
	free(alive);
}

/* Divides the launch among its streams. */
static void divide(struct layers *l, const uint32_t *names, const uint32_t *streams, uint32_t *room)
{
	size_t i, s;

	for (i = 0; i < l->n; i++)
		l->lengths[streams[i]]++;
	for (s = 0; s < STREAMS; s++) {
		l->lists[s] = room;
		l->kernels[s] = room + l->n;
		room += l->lengths[s];
		l->lengths[s] = 0;
	}
	for (i = 0; i < l->n; i++) {
		s = streams[i];
		l->lists[s][l->lengths[s]] = names[i];
		l->kernels[s][l->lengths[s]++] = (uint32_t)i;
	}
}

bool interleaving_map(
    const uint32_t *names, const uint32_t *streams, const uint32_t *nodes, size_t n, struct node_map *map)
{
	struct layers l = {.nodes = nodes, .n = n};
	uint32_t *room;
	int32_t *found;
	size_t i, p;
	bool good = n <= MOST_KERNELS, exists = true;

	for (i = 0; i < n; i++)
		good &= streams[i] < STREAMS;
	if (!good) {
		for (i = 0; i < n; i++)
			node_map_add(map, NODE_MAP_AMBIGUOUS);
		return true;
	}
	room = mem_alloc((2 * n + 1) * sizeof *room);
	found = mem_alloc((n + 1) * sizeof *found);
	l.begin = mem_zero(n + 2, sizeof *l.begin);
	divide(&l, names, streams, room);
	l.states = mem_grow(NULL, &l.cap, 1, sizeof *l.states);
	l.states[l.n_states++] = 0;
	l.begin[1] = 1;
	for (p = 0; p < n && good && exists; p++) {
		good = add_layer(&l, p);
		exists = l.begin[p + 2] > l.begin[p + 1];
	}
	for (i = 0; i < n; i++)
		found[i] = good ? NODE_MAP_NONE : NODE_MAP_AMBIGUOUS;
	if (good && exists)
		find_nodes(&l, found);
	for (i = 0; i < n && exists; i++)
		node_map_add(map, found[i]);
	mem_free(room, found, l.begin, l.states);
	return exists;
}

#include "node_map.h"

#include "base/order.h"

void node_map_add(struct node_map *map, int32_t node)
{
	const struct node_run *run = map->n_runs ? &map->runs[map->n_runs - 1] : NULL;
	const int32_t after = !run ? 0 : run->node >= 0 ? run->node + (int32_t)(map->n - run->place) : run->node;

	if (!run || node != after) {
		map->runs = mem_grow(map->runs, &map->cap, map->n_runs + 1, sizeof *map->runs);
		map->runs[map->n_runs++] = (struct node_run){map->n, node};
	}
	map->paired = ++map->n;
}

int32_t node_map_get(const struct node_run *runs, size_t n_runs, uint32_t place)
{
	struct order_range r = {0, n_runs};

	while (r.low < r.high)
		order_halve(&r, runs[order_middle(&r)].place <= place);
	runs += r.low - 1;
	return runs->node >= 0 ? runs->node + (int32_t)(place - runs->place) : runs->node;
}

/* node_map: the node of the capture for each kernel of a launch, in the order of the kernels. It is stored as runs. */
#ifndef NODE_MAP_H
#define NODE_MAP_H

#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

/* The kernel is no node of the capture; its node is not certain. */
enum { NODE_MAP_NONE = -1, NODE_MAP_AMBIGUOUS = -2 };

/* A run of kernels from `place` on: their nodes increase by one, or are all NODE_MAP_NONE or NODE_MAP_AMBIGUOUS. */
struct node_run {
	uint32_t place;
	int32_t node; /* of the first kernel */
};

/* Zero-initialise; `runs` is freed by the caller. */
struct node_map {
	struct node_run *runs;
	size_t n_runs, cap;
	uint32_t n;      /* number of kernels */
	uint32_t paired; /* number of kernels that have a node, set by the caller if it is not n */
};

/* Adds the node of the next kernel. */
void node_map_add(struct node_map *map, int32_t node);

/* Returns the node of a kernel; the last run begins at or before its place. */
int32_t node_map_get(const struct node_run *runs, size_t n_runs, uint32_t place);

#endif

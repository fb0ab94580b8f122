/*
 * interleaving: pairs the kernels of a launch on several streams with the nodes of a capture. The kernels of each
 * stream are in the order of the capture, but the order of kernels on different streams is not known.
 */
#ifndef INTERLEAVING_H
#define INTERLEAVING_H

#include "node_map.h"

/*
 * `names` and `nodes` are equal as multisets of n names; streams[i] is the number of the stream of kernel i. Returns
 * false if the capture is not an interleaving of the lists of the streams. Otherwise adds to *map the node of each
 * kernel: its place if it is the same in all interleavings, otherwise NODE_MAP_AMBIGUOUS. If there are more than 4
 * streams or very many interleavings, all nodes are ambiguous.
 */
bool interleaving_map(
    const uint32_t *names, const uint32_t *streams, const uint32_t *nodes, size_t n, struct node_map *map);

#endif

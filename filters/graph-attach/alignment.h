/*
 * alignment: pairs the kernels of a launch with the nodes of a capture when some kernels are missing or foreign. A
 * longest common subsequence (LCS) of both lists pairs equal names in their order; there can be several.
 */
#ifndef ALIGNMENT_H
#define ALIGNMENT_H

#include "node_map.h"

/*
 * Returns the length of the LCS of the lists a[0..n) and b[0..m), or -1 if it is less than `least`. Time and memory
 * grow with n times the number of items that are in one list only, not with n times m.
 */
long alignment_length(const uint32_t *a, size_t n, const uint32_t *b, size_t m, size_t least);

/*
 * Adds to *map the nodes of a[0], a[1] ... The node of an item is its place in b if every LCS pairs the item with this
 * place, NODE_MAP_NONE if no LCS pairs it, otherwise NODE_MAP_AMBIGUOUS. `length`: the result of alignment_length().
 */
void alignment_map(const uint32_t *a, size_t n, const uint32_t *b, size_t m, size_t length, struct node_map *map);

#endif

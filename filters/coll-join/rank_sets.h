/* rank_sets: assigns numbers 0, 1, 2 ... to different sets of ranks. */
#ifndef RANK_SETS_H
#define RANK_SETS_H

#include "base/map.h"
#include "base/mem.h"

enum { RANK_SETS_MOST = 1 << 24 }; /* maximum number of ranks in a set that is given by its size */

#define RANK_SETS_NONE UINT32_MAX

/* Zero-initialise it. */
struct rank_sets {
	/* private */
	struct map sets; /* key: the ranks, ascending, as int32_t: all keys have lengths that keep them aligned */
	int32_t *ranks;  /* the ranks that were added to the next set */
	size_t n, cap;
};

/*
 * Adds the ranks of a list such as "[0, 1, 7]", without quotes. Returns RANK_SETS_NONE if the list is empty, or if it
 * is not a complete list of ranks: long lists of PyTorch are cut: "[0, 1, ..., 63]".
 */
uint32_t rank_sets_put_list(struct rank_sets *s, struct str list);

/* Adds start, start + stride ..., in total `n` ranks. Returns RANK_SETS_NONE unless 1 <= stride and 1 <= n. */
uint32_t rank_sets_put_range(struct rank_sets *s, int64_t start, int64_t stride, int64_t n);

/* Make a set rank by rank: rank_sets_add() adds a rank from 0 to INT32_MAX, rank_sets_finish() returns the set. */
void rank_sets_add(struct rank_sets *s, int64_t rank);
uint32_t rank_sets_finish(struct rank_sets *s);

/* Returns the ranks of a set in ascending order, and sets *n to their number; valid until the set is freed. */
const int32_t *rank_sets_get(const struct rank_sets *s, uint32_t set, size_t *n);

bool rank_sets_has(const struct rank_sets *s, uint32_t set, int64_t rank);

void rank_sets_free(struct rank_sets *s);

#endif

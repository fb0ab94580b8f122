/*
 * interval_nesting: which interval of a thread lies in which. The one rule for all trees of calls, as ml_perf_model's
 * authors make theirs: an interval lies in another that begins no later and ends no earlier; but one
 * that begins when the root ends is a root itself, even if it has no length.
 */
#ifndef INTERVAL_NESTING_H
#define INTERVAL_NESTING_H

#include "base/int_math.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where an interval ends: what has no length, or less, ends where it starts; beyond int64 is the end of time. */
static inline int64_t nesting_end(int64_t start, int64_t dur)
{
	return num_add(start, dur > 0 ? dur : 0);
}

/*
 * Whether an interval from start to end lies in one that began before it or with it and ends at `outer`, in a tree
 * whose root ends at `root`.
 */
static inline bool nesting_holds(int64_t root, int64_t outer, int64_t start, int64_t end)
{
	return end <= outer && start < root;
}

/*
 * An interval of a thread, and once it is settled its place in the tree. Trees lie in an array in the order in
 * which they are walked, a parent before its children.
 */
struct nesting_node {
	int64_t start, end;
	uint64_t seq;      /* their order: by start, then the longer first, then as they came */
	uint32_t name;     /* the caller's, and `of` too */
	uint32_t of;
	size_t parent;     /* SIZE_MAX for a root */
	size_t until;      /* behind the last one below it */
};

#define NESTING_ROOT SIZE_MAX

void nesting_sort(struct nesting_node *nodes, size_t n);

/* Finds the places of n of them, which are sorted. */
void nesting_settle(struct nesting_node *nodes, size_t n);

#endif

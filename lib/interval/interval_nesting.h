/*
 * interval_nesting: the rule that says which interval of a thread lies in which. All trees of calls follow it, as those
 * of ml_perf_model's authors do: an interval lies in another that begins no later and ends no earlier; but an interval
 * that begins when the root ends is a root itself, even if it has no length.
 */
#ifndef INTERVAL_NESTING_H
#define INTERVAL_NESTING_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether an interval from start to end lies in one that began before it or with it and ends at `outer`, in a tree
 * whose root ends at `root`.
 */
static inline bool nesting_holds(int64_t root, int64_t outer, int64_t start, int64_t end)
{
	return end <= outer && start < root;
}

#endif

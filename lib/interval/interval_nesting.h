/*
 * interval_nesting: the rule that decides which interval of a thread is inside which. All trees of calls follow it; it
 * is the rule of the authors of ml_perf_model: an interval is inside another one that begins no later and ends no
 * earlier; but an interval that begins when the root ends is itself a root, even if it has no length.
 */
#ifndef INTERVAL_NESTING_H
#define INTERVAL_NESTING_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Returns whether an interval from start to end is inside one that began before it or with it and ends at `outer`, in
 * a tree whose root ends at `root`.
 */
static inline bool nesting_holds(int64_t root, int64_t outer, int64_t start, int64_t end)
{
	return end <= outer && start < root;
}

#endif

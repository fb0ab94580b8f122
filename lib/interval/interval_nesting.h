/*
 * interval_nesting: the rule by which the intervals of a thread form trees; all trees of calls follow it. The rule
 * comes from the authors of ml_perf_model: an interval is inside another one if the other one begins no later and ends
 * no earlier. Exception: an interval that begins exactly when the root ends is itself a root, even if it has no length.
 */
#ifndef INTERVAL_NESTING_H
#define INTERVAL_NESTING_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Returns whether the interval start..end is inside an outer interval of the same tree. The outer interval must not
 * begin after `start`, and it ends at `outer`; the root of the tree ends at `root`.
 */
static inline bool nesting_holds(int64_t root, int64_t outer, int64_t start, int64_t end)
{
	return end <= outer && start < root;
}

#endif

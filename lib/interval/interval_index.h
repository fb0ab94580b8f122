/* interval_index: stores intervals, which may nest or overlap, in scopes, and finds those that enclose another. */
#ifndef INTERVAL_INDEX_H
#define INTERVAL_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The caller chooses `name` and `seq`. `seq` must count up from one added interval to the next; after the largest
 * number, it may continue with 0.
 */
struct interval_index_entry {
	int64_t start, end;
	uint32_t name, seq;
};

struct interval_index_scope;

/* Zero-initialise it. Call interval_index_free() at the end, or keep it until the program exits. */
struct interval_index {
	struct interval_index_entry *found; /* results of the last search */
	size_t n_found;
	size_t n; /* number of stored intervals, in all scopes */
	/* private */
	struct interval_index_scope *sets; /* by scope */
	size_t n_sets, cap_found, limit;
};

/*
 * Adds an interval to a scope; the caller numbers scopes with small integers. In each scope, intervals must be added in
 * the order of their starts. `end` must not be less than `start`.
 */
void interval_index_add(struct interval_index *s, size_t scope, const struct interval_index_entry *span);

/*
 * Appends to s->found the intervals of a scope with start <= from and end >= to. This takes O((found + 1) log stored),
 * even if the scope has many other intervals. Set s->n_found = 0 before the first call; the results of further calls,
 * for other scopes, are appended.
 */
void interval_index_find(struct interval_index *s, size_t scope, int64_t from, int64_t to);

/*
 * Finds the innermost interval of a scope that encloses from..to; interval_index_sort() defines the order. Returns
 * false when not found. Takes O(log stored), plus one step for each other enclosing interval with the same start.
 */
bool interval_index_innermost(
    const struct interval_index *s, size_t scope, int64_t from, int64_t to, struct interval_index_entry *found);

/* Sorts s->found. The innermost is last: it has the latest start, then the shortest length, then the latest seq. */
void interval_index_sort(struct interval_index *s);

/* Returns whether interval_index_expire() should be called, because many intervals were added since its last call. */
static inline bool interval_index_grown(const struct interval_index *s)
{
	return s->n >= s->limit;
}

/*
 * Removes the intervals that ended before `before`. rename(arg, name), if given, is called for each remaining interval,
 * in any order, and returns its new name.
 */
void interval_index_expire(
    struct interval_index *s, int64_t before, uint32_t (*rename)(void *arg, uint32_t name), void *arg);

void interval_index_free(struct interval_index *s);

#endif

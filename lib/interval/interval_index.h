/* interval_index: stores intervals by scope and finds those that enclose another one; they may nest or overlap. */
#ifndef INTERVAL_INDEX_H
#define INTERVAL_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The caller sets `name` and `seq`; seq increases from interval to interval, and may wrap. */
struct interval_index_entry {
	int64_t start, end;
	uint32_t name, seq;
};

struct interval_index_scope;

/* Zero-initialise; interval_index_free(), or keep it until the program exits. */
struct interval_index {
	struct interval_index_entry *found; /* results of the last search */
	size_t n_found;
	/* private */
	size_t n;                          /* number of stored intervals, in all scopes */
	struct interval_index_scope *sets; /* by scope */
	size_t n_sets, cap_sets, cap_found, limit;
};

/*
 * Adds an interval to a scope, which is a small number chosen by the caller. Within a scope, starts must not decrease;
 * end >= start.
 */
void interval_index_add(struct interval_index *s, size_t scope, const struct interval_index_entry *span);

/*
 * Appends to s->found the intervals of a scope with start <= from and end >= to, in O((found + 1) log stored),
 * whatever else the scope holds. Set s->n_found = 0 first; several scopes may be searched one after the other.
 */
void interval_index_find(struct interval_index *s, size_t scope, int64_t from, int64_t to);

/*
 * Finds the innermost of these intervals, by the order of interval_index_sort(); false when no interval encloses
 * from..to. Takes O(log stored), and one step for each other interval with the same start that encloses from..to too.
 */
bool interval_index_innermost(
    const struct interval_index *s, size_t scope, int64_t from, int64_t to, struct interval_index_entry *found);

/*
 * Sorts s->found from the outermost to the innermost: the innermost has the latest start, then the shortest length,
 * then the latest seq.
 */
void interval_index_sort(struct interval_index *s);

/* Returns whether enough intervals were added since the last interval_index_expire() to call it again. */
static inline bool interval_index_grown(const struct interval_index *s)
{
	return s->n >= s->limit;
}

/*
 * Removes the intervals that ended before `before`. rename(arg, name), if given, is called for all other intervals, in
 * any order, and returns their new name.
 */
void interval_index_expire(
    struct interval_index *s, int64_t before, uint32_t (*rename)(void *arg, uint32_t name), void *arg);

void interval_index_free(struct interval_index *s);

#endif

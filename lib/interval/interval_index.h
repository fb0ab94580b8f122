/* interval_index: intervals by scope, and which of them enclose another, however they nest or cross. */
#ifndef INTERVAL_INDEX_H
#define INTERVAL_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `name` and `seq` are the caller's; seq grows from interval to interval, and may wrap. */
struct interval_index_entry {
	int64_t start, end;
	uint32_t name, seq;
};

struct interval_index_scope;

/* Zero-initialise; interval_index_free() or keep it. */
struct interval_index {
	struct interval_index_entry *found; /* of the last search */
	size_t n_found;
	/* private */
	size_t n; /* how many are stored, in all scopes */
	struct interval_index_scope *sets; /* by scope */
	size_t n_sets, cap_sets, cap_found, limit;
};

/*
 * Adds an interval to a scope, a small number of the caller's. Within a scope no start is before that
 * of the one added last; end >= start.
 */
void interval_index_add(struct interval_index *s, size_t scope, const struct interval_index_entry *span);

/*
 * Adds to s->found those of a scope with start <= from and end >= to: O((found + 1) log kept), whatever
 * else the scope holds. Begin with s->n_found = 0; several scopes may be searched one after the other.
 */
void interval_index_find(struct interval_index *s, size_t scope, int64_t from, int64_t to);

/*
 * Finds the innermost of those intervals, by the order of interval_index_sort(); false when none encloses. O(log kept), and
 * one step for each other interval that starts with it and encloses from..to too.
 */
bool interval_index_innermost(
    const struct interval_index *s, size_t scope, int64_t from, int64_t to, struct interval_index_entry *found);

/* Sorts s->found from the outermost to the innermost: latest start, then shortest, then later seq. */
void interval_index_sort(struct interval_index *s);

/* Whether enough was added since the last interval_index_expire() to make another one worth its while. */
static inline bool interval_index_grown(const struct interval_index *s)
{
	return s->n >= s->limit;
}

/*
 * Forgets the intervals that ended before `before`. rename(arg, name), if given, is asked for the new
 * name of every other one, in any order.
 */
void interval_index_expire(
    struct interval_index *s, int64_t before, uint32_t (*rename)(void *arg, uint32_t name), void *arg);

void interval_index_free(struct interval_index *s);

#endif

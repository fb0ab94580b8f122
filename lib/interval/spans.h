/* spans: intervals by scope, and which of them enclose another, however they nest or cross. */
#ifndef SPANS_H
#define SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `name` and `seq` are the caller's; seq grows from interval to interval, and may wrap. */
struct span {
	int64_t start, end;
	uint32_t name, seq;
};

struct span_set;

/* Zero-initialise; spans_free() or keep it. */
struct spans {
	size_t n;            /* how many are kept, in all scopes */
	struct span *found;  /* of the last search */
	size_t n_found;
	/* its own */
	struct span_set *sets; /* by scope */
	size_t n_sets, cap_sets, cap_found, limit;
};

/*
 * Adds an interval to a scope, a small number of the caller's. Within a scope no start is before that
 * of the one added last; end >= start.
 */
void spans_add(struct spans *s, size_t scope, const struct span *span);

/*
 * Adds to s->found those of a scope with start <= from and end >= to: O((found + 1) log kept), whatever
 * else the scope holds. Begin with s->n_found = 0; several scopes may be searched one after the other.
 */
void spans_find(struct spans *s, size_t scope, int64_t from, int64_t to);

/*
 * Finds the innermost of those intervals, by the order of spans_sort(); false when none encloses. O(log kept), and
 * one step for each other interval that starts with it and encloses from..to too.
 */
bool spans_innermost(const struct spans *s, size_t scope, int64_t from, int64_t to, struct span *found);

/* Sorts s->found from the outermost to the innermost: latest start, then shortest, then later seq. */
void spans_sort(struct spans *s);

/* Whether enough was added since the last spans_expire() to make another one worth its while. */
static inline bool spans_grown(const struct spans *s)
{
	return s->n >= s->limit;
}

/*
 * Forgets the intervals that ended before `before`. rename(arg, name), if given, is asked for the new
 * name of every other one, in any order.
 */
void spans_expire(struct spans *s, int64_t before, uint32_t (*rename)(void *arg, uint32_t name), void *arg);

void spans_free(struct spans *s);

#endif

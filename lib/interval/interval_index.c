#include "interval/interval_index.h"

#include "base/mem.h"

#include <stdlib.h>

/*
 * The intervals of a scope are stored in the order of their starts and numbered from 1. A Fenwick tree of maxima finds
 * intervals by their ends: the block of interval i consists of the last `i & -i` intervals up to and including i, and
 * `latest` is the latest end in this block. Appending an interval reads the smaller blocks that its own block contains:
 * one or two on average. The search for the last interval before i that ends at `to` or later skips blocks that contain
 * no such interval.
 */
struct node {
	struct interval_index_entry span;
	int64_t latest;
};

struct interval_index_scope {
	struct node *nodes; /* interval number i is nodes[i - 1] */
	size_t n, cap;
};

enum { FEWEST = 4096 }; /* expired intervals are removed only if at least this many are stored */

static size_t block(size_t i)
{
	return i & (~i + 1);
}

static void append(struct interval_index_scope *set, const struct interval_index_entry *span)
{
	size_t i = set->n + 1, first, j;
	struct node *nodes;

	set->nodes = nodes = mem_grow(set->nodes, &set->cap, i, sizeof *set->nodes);
	nodes[i - 1] = (struct node){*span, span->end};
	first = i - block(i);
	for (j = i - 1; j > first; j -= block(j)) {
		if (nodes[j - 1].latest > nodes[i - 1].latest)
			nodes[i - 1].latest = nodes[j - 1].latest;
	}
	set->n = i;
}

void interval_index_add(struct interval_index *s, size_t scope, const struct interval_index_entry *span)
{
	s->sets = mem_grow_zero(s->sets, &s->n_sets, scope + 1, sizeof *s->sets);
	if (!s->limit)
		s->limit = FEWEST;
	append(&s->sets[scope], span);
	s->n++;
}

/*
 * Returns the count of intervals that start at `from` or earlier. Most searches are for a time near the end, so the
 * search begins at the last interval and goes back in steps of increasing length.
 */
static size_t started(const struct interval_index_scope *set, int64_t from)
{
	size_t high = set->n, low, middle, leap;

	for (leap = 1;; leap *= 2) {
		low = high > leap ? high - leap : 0;
		if (low == 0 || set->nodes[low - 1].span.start <= from)
			break;
		high = low - 1;
	}
	while (low < high) {
		middle = low + (high - low + 1) / 2;
		if (set->nodes[middle - 1].span.start <= from)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/* Searches the intervals 1 .. i for the last one that ends at `to` or later; returns its number or 0. */
static size_t enclosing(const struct interval_index_scope *set, size_t i, int64_t to)
{
	while (i > 0 && set->nodes[i - 1].span.end < to)
		i = set->nodes[i - 1].latest < to ? i - block(i) : i - 1;
	return i;
}

void interval_index_find(struct interval_index *s, size_t scope, int64_t from, int64_t to)
{
	const struct interval_index_scope *set;
	size_t i;

	if (scope >= s->n_sets)
		return;
	set = &s->sets[scope];
	for (i = enclosing(set, started(set, from), to); i; i = enclosing(set, i - 1, to)) {
		if (s->n_found == s->cap_found)
			s->found = mem_grow(s->found, &s->cap_found, s->n_found + 1, sizeof *s->found);
		s->found[s->n_found++] = set->nodes[i - 1].span;
	}
}

/* Returns < 0 when a comes before b in the order of interval_index_sort(), from the outermost to the innermost. */
static int compare_entries(const void *a, const void *b)
{
	const struct interval_index_entry *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->seq == y->seq ? 0 : (int32_t)(x->seq - y->seq) < 0 ? -1 : 1;
}

bool interval_index_innermost(
    const struct interval_index *s, size_t scope, int64_t from, int64_t to, struct interval_index_entry *found)
{
	const struct interval_index_scope *set;
	const struct interval_index_entry *span;
	size_t i;

	if (scope >= s->n_sets)
		return false;
	set = &s->sets[scope];
	i = enclosing(set, started(set, from), to);
	if (!i)
		return false;
	*found = set->nodes[i - 1].span;
	/*
	 * *found is the last interval that encloses from..to. The innermost one has the same start, but intervals with
	 * the same start may be stored in any order. The search can stop at an interval that ends at `to`, because no
	 * enclosing interval with this start is shorter. Of equal intervals, the one that was added last is found
	 * first; it is the innermost.
	 */
	while (found->end > to && (i = enclosing(set, i - 1, to)) != 0) {
		span = &set->nodes[i - 1].span;
		if (span->start != found->start)
			break;
		if (compare_entries(found, span) < 0)
			*found = *span;
	}
	return true;
}

void interval_index_sort(struct interval_index *s)
{
	size_t i, n = s->n_found;
	bool sorted = true;

	/* The intervals were found in descending order of their starts, so reversing the list usually sorts it. */
	for (i = 0; i < n / 2; i++) {
		struct interval_index_entry other = s->found[i];

		s->found[i] = s->found[n - 1 - i];
		s->found[n - 1 - i] = other;
	}
	for (i = 1; i < n && sorted; i++)
		sorted = compare_entries(&s->found[i - 1], &s->found[i]) <= 0;
	if (!sorted)
		qsort(s->found, n, sizeof *s->found, compare_entries);
}

void interval_index_expire(
    struct interval_index *s, int64_t before, uint32_t (*rename)(void *arg, uint32_t name), void *arg)
{
	struct interval_index_scope *set;
	struct interval_index_entry span;
	size_t n, i;

	s->n = 0;
	for (set = s->sets; s->n_sets && set < s->sets + s->n_sets; set++) {
		n = set->n;
		set->n = 0;
		for (i = 0; i < n; i++) {
			span = set->nodes[i].span;
			if (span.end < before)
				continue;
			if (rename)
				span.name = rename(arg, span.name);
			append(set, &span);
		}
		if (!set->n) {
			free(set->nodes);
			*set = (struct interval_index_scope){0};
		}
		s->n += set->n;
	}
	s->limit = s->n + s->n / 2 + FEWEST;
}

void interval_index_free(struct interval_index *s)
{
	while (s->n_sets)
		free(s->sets[--s->n_sets].nodes);
	mem_free(s->sets, s->found);
	*s = (struct interval_index){0};
}

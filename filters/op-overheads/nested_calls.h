/*
 * nested_calls: stores the operators and calls of a thread in a sorted array, and finds their positions in the trees.
 */
#ifndef NESTED_CALLS_H
#define NESTED_CALLS_H

#include <stddef.h>
#include <stdint.h>

/*
 * An operator or call of a thread and, once it is set, its position in the tree. The array holds trees in
 * pre-order: a parent comes before its children.
 */
struct nested_call {
	int64_t start, end;
	/* position in the order of calls: by start; of equal starts, the longer call first; else in input order */
	uint64_t seq;
	uint32_t name; /* set and used by the caller only, like `of` */
	uint32_t of;
	size_t parent; /* index of the parent; NESTED_CALLS_ROOT for a root */
	size_t until;  /* index of its last descendant, plus 1 */
};

#define NESTED_CALLS_ROOT SIZE_MAX

/* Sorts calls by `seq`. */
void nested_calls_sort(struct nested_call *nodes, size_t n);

/* Sets `parent` and `until` of n calls, which must be sorted and form complete trees. */
void nested_calls_set_positions(struct nested_call *nodes, size_t n);

#endif

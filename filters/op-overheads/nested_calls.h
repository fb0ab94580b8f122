/* nested_calls: the operators and calls of a thread in one array, sorted, and their places in its trees of calls. */
#ifndef NESTED_CALLS_H
#define NESTED_CALLS_H

#include <stddef.h>
#include <stdint.h>

/*
 * An operator or a call of a thread and, once it is settled, its place in the tree. Trees lie in an array in the order
 * in which they are walked, a parent before its children.
 */
struct nested_call {
	int64_t start, end;
	uint64_t seq;      /* their order: by start, then the longer first, then in the order of the input */
	uint32_t name;     /* set and used by the caller, like `of` */
	uint32_t of;
	size_t parent;     /* its index; NESTED_CALLS_ROOT for a root */
	size_t until;      /* the index after the last one below it */
};

#define NESTED_CALLS_ROOT SIZE_MAX

/* Sorts calls by `seq`. */
void nested_calls_sort(struct nested_call *nodes, size_t n);

/* Sets `parent` and `until` of n calls, which are sorted and hold whole trees. */
void nested_calls_settle(struct nested_call *nodes, size_t n);

#endif

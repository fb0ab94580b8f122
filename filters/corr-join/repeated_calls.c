#include "repeated_calls.h"

#include "base/hash.h"

#define NONE REPEATED_CALLS_NONE

/*
 * Returns the priority of a call: a pseudo-random number. The tree is also a heap by priority, which keeps it balanced.
 */
static uint32_t weight(uint32_t number)
{
	return (uint32_t)hash_pair(number, 0);
}

/* Inserts a call into the tree of `first`, after the calls of the same ts. */
static void insert(const struct stored_calls *c, struct stored_call *first, uint32_t number)
{
	struct stored_call *call = stored_calls_get(c, number), *at;
	uint32_t *to = &first->again, *left = &call->left, *right = &call->right, rest;

	while (*to != NONE && weight(*to) > weight(number)) {
		at = stored_calls_get(c, *to);
		to = call->ts < at->ts ? &at->left : &at->right;
	}
	/* Split the subtree at this position into the calls before the new call and those after it. */
	for (rest = *to; rest != NONE;) {
		at = stored_calls_get(c, rest);
		if (call->ts < at->ts) {
			*right = rest;
			right = &at->left;
			rest = at->left;
		} else {
			*left = rest;
			left = &at->right;
			rest = at->right;
		}
	}
	*left = *right = NONE;
	*to = number;
}

void repeated_calls_put(const struct stored_calls *c, struct stored_call *first, uint32_t number)
{
	struct stored_call *call = stored_calls_get(c, number);

	call->unlinked = true;
	first->last = number;
	if (call->has_ts)
		insert(c, first, number);
}

struct stored_call *repeated_calls_find(const struct stored_calls *c, struct stored_call *first, const int64_t *ts)
{
	struct stored_call *before = NULL, *after = NULL, *at;
	uint32_t i = first->again;

	if (!ts || (!first->has_ts && i == NONE))
		return stored_calls_get(c, first->last);
	if (first->has_ts)
		*(first->ts <= *ts ? &before : &after) = first;
	while (i != NONE) {
		at = stored_calls_get(c, i);
		if (at->ts <= *ts) {
			if (!before || at->ts >= before->ts)
				before = at;
			i = at->right;
		} else {
			if (!after || at->ts < after->ts || (at->ts == after->ts && after != first))
				after = at;
			i = at->left;
		}
	}
	if (!before || !after)
		return before ? before : after;
	return stored_calls_distance(before->ts, *ts) <= stored_calls_distance(after->ts, *ts) ? before : after;
}

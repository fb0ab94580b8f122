/* tree_position: the position of a record in its tree, and the members that the record gets for it. */
#ifndef TREE_POSITION_H
#define TREE_POSITION_H

#include "linked_calls.h"

struct tree_position {
	const struct linked_calls_node *call;
	uint64_t depth;
	const struct linked_calls_node *parent; /* the call that encloses it; NULL for a root */
	struct str parent_name;                 /* JSON; p is NULL if the parent has no name */
	struct str stack; /* with --stack: the elements of the member stack as JSON, separated by commas */
	const struct linked_calls_node *closest; /* the call of --closest; NULL if there is none */
	uint64_t closest_depth;
	struct event *closest_record;
};

/* Writes the record with its position. `text` is scratch memory. */
void tree_position_write(const struct tree_position *p, struct closest_call *closest, struct out *out,
    const struct event *e, struct buf *text);

#endif

/* tree_position: the position of a record in its tree, and the members that show this position. */
#ifndef TREE_POSITION_H
#define TREE_POSITION_H

#include "linked_calls.h"

struct tree_position {
	const struct call_node *call;
	uint64_t depth;
	uint64_t parent_node;   /* 0 for a root */
	struct str parent_name; /* as JSON; p is NULL if the parent has no name */
	struct str stack;       /* with --stack: the elements of the member `stack` as JSON, separated by commas */
};

/* Writes the record e with the members that show its position. `text` is scratch memory. */
void tree_position_write(const struct tree_position *p, struct out *out, const struct event *e, struct buf *text);

/* Appends the record's value of the field, as JSON: its element of the member `stack`. */
void tree_position_label(struct field *field, struct event *e, struct buf *labels);

#endif

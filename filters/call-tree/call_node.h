/* call_node: the members of a call in a tree, whether it was placed there by its time or by its id. */
#ifndef CALL_NODE_H
#define CALL_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The members that call-tree adds to a call, except its depth and parent. */
struct call_node {
	uint64_t node; /* the member `node`: numbers the calls in input order */
	bool launch;   /* the call launches device work; false in trees by id */
	bool written;  /* the record of the call is written */
	bool timed;    /* the call has ts and dur, and therefore a self time */
	uint64_t children;
	uint64_t launches;     /* count of launching calls below this call; 0 in trees by id */
	int64_t self;          /* the duration of the call, minus the time that its children cover */
	size_t label, label_n; /* offset and length, in `labels`, of the value that --stack prints */
	int64_t covered;       /* the end of the last interval that was subtracted from `self` */
};

#endif

/* plaidml_tree: the activities of a log, which refer to each other, and the alignment of their clocks. */
#ifndef PLAIDML_TREE_H
#define PLAIDML_TREE_H

#include "base/map.h"
#include "plaidml_message.h"

enum plaidml_role { PLAIDML_HOST, PLAIDML_RUN, PLAIDML_QUEUE, PLAIDML_EXECUTING };

struct plaidml_verb {
	struct buf json;
	enum plaidml_role role;
};

/* A member that refers to an object holds 1 + its index in its map; 0 means that there is no such object. */
struct plaidml_activity {
	int64_t start, end;
	/* the number of its first event, counted from 1; 0 if it has no events, but other activities refer to it */
	uint64_t seq;
	uint32_t parent, clock, domain, verb;
	uint32_t kernel, name; /* kernel: from a RunInfo; name: from a KernelInfo */
	uint32_t corr;
	bool has_start, has_end, has_run, has_name, written;
};

struct plaidml_clock {
	int64_t epoch; /* ns to add to the times of this clock */
	bool placed;   /* `epoch` is known, so times of this clock can be converted to the main clock */
};

struct plaidml_tree {
	struct map ids, clock_ids, verb_names, names; /* names: the names of kernels, as JSON */
	struct plaidml_activity *activities;          /* in the order of their ids in `ids` */
	struct plaidml_clock *clocks;
	struct plaidml_verb *verbs;
	size_t cap, clocks_cap, verbs_cap;
	uint64_t events;
	uint32_t runs;
};

/* Returns the index of the activity with this id, whose n must be > 0. Adds the activity when it is new. */
uint32_t plaidml_tree_at(struct plaidml_tree *t, const struct plaidml_ref *ref);

/* Adds the contents of an event, except its metadata, to its activity. Returns the activity's index. */
uint32_t plaidml_tree_add(struct plaidml_tree *t, const struct plaidml_event *ev);

/*
 * Aligns the clocks. If activities are on another clock than their parents, the epoch of their clock is the epoch of
 * the parents' clock plus the maximum of (parent's start - child's start). Negative differences are ignored. As a
 * result, no activity starts before its parent. The minimum epoch becomes 0. A clock that is not linked to the first
 * one stays unplaced.
 */
void plaidml_tree_align(struct plaidml_tree *t);

/* Returns the first of an activity and its ancestors that is a Kernel::Run or has a RunInfo, or NULL. */
const struct plaidml_activity *plaidml_tree_run(const struct plaidml_tree *t, const struct plaidml_activity *a);

/* Removes the activities, but keeps the clocks. */
void plaidml_tree_reset(struct plaidml_tree *t);
void plaidml_tree_free(struct plaidml_tree *t);

#endif

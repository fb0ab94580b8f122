/* launch_match: finds the captures whose graph a launch may have run, and the node of each of its kernels. */
#ifndef LAUNCH_MATCH_H
#define LAUNCH_MATCH_H

#include "captures.h"
#include "node_map.h"

/* How a kernel got its operator; the values of the member `match`. The rules of graph-attach.1, in their order. */
enum match_rule {
	MATCH_NODE,
	MATCH_LIST,
	MATCH_ORDER,
	MATCH_ALIGN,
	MATCH_COUNT,
	MATCH_AMBIGUOUS,
	MATCH_NONE,
	MATCH_RULES,
};

extern const struct str match_names[]; /* as JSON */

/* The kernels of a launch, in ts order. */
struct launch_list {
	uint32_t *names;   /* numbers of captures_name() */
	uint32_t *streams; /* numbers of the streams in the launch: 0, 1, 2 ... */
	size_t n, n_streams;
	uint32_t rank;  /* of captures_rank() */
	int64_t tokens; /* the number of tokens of the step of the launch, or 0 */
};

/* The captures that a launch may have run, after the rules list, align and count, and the size of the step. */
struct launch_match {
	enum match_rule rule;   /* MATCH_LIST, MATCH_ALIGN, MATCH_COUNT or MATCH_NONE */
	uint32_t *captures;     /* n of them; one if it is certain */
	struct node_map **maps; /* for each capture, the nodes of the kernels; NULL: kernel i is node i */
	size_t n;
	uint32_t kernels;
	/* private */
	bool shared; /* other launches of the same list have it too */
	bool compared;
	uint32_t differ; /* bit i: the captures have different values i */
	uint32_t *agreed;
	struct node_map *own; /* the maps */
	size_t n_own;
};

/* The matches of launches that equal a list. Zero-initialise. */
struct launch_matches {
	struct captures *captures;
	/* private */
	struct map keys; /* list, rank, tokens */
	struct launch_match **list;
	size_t cap;
};

/* Returns whether a kernel can be a node, both as numbers of names; the name of the node may be unknown. */
static inline bool launch_match_may_be(uint32_t name, uint32_t node)
{
	return name == node || (node == CAPTURES_UNKNOWN && name > CAPTURES_SET);
}

/* Finds the captures of a launch. The result is freed by launch_match_free(). */
struct launch_match *launch_match_find(struct launch_matches *m, const struct launch_list *l);

/*
 * Returns the n_values values in which all captures of the match agree for a kernel; CAPTURES_NONE where they do not.
 * NULL if the kernel has no certain node in one of them. Sets match->differ.
 */
const uint32_t *launch_match_agreed(struct launch_match *match, const struct captures *c, uint32_t kernel);

/* Returns the node of a kernel in the i-th capture of the match. */
int32_t launch_match_node(const struct launch_match *match, size_t i, uint32_t kernel);

void launch_match_free(struct launch_match *match);
void launch_matches_free(struct launch_matches *m);

#endif

/* rank_clocks: estimates the clocks of all ranks from the collectives. */
#ifndef RANK_CLOCKS_H
#define RANK_CLOCKS_H

#include "collective_match.h"

enum rank_clocks_mode {
	RANK_CLOCKS_ALIGN, /* estimate the clocks from the collectives */
	RANK_CLOCKS_RAW,   /* all clocks are the same, after the base times are added */
	RANK_CLOCKS_FREE,  /* there is no common clock */
	RANK_CLOCKS_FILE,  /* clocks of an earlier run */
};

struct rank_clocks {
	enum rank_clocks_mode mode;
	struct rank_clock *list; /* by rank */
	uint32_t reference;      /* index of the lowest rank that has member kernels */
};

/* Zero-initialise *c and set its mode. Sets the base of each clock, and offsets of 0. */
void rank_clocks_init(struct rank_clocks *c, const struct job *j);

/*
 * With RANK_CLOCKS_ALIGN, estimates the clocks. Two ranks are compared if one of them is the lowest rank of a group of
 * both; from the reference, the shortest path of such comparisons leads to each rank. With RANK_CLOCKS_RAW, only sets
 * the bounds, spread and count.
 */
void rank_clocks_find(struct rank_clocks *c, const struct collectives *collectives);

void rank_clocks_free(struct rank_clocks *c);

#endif

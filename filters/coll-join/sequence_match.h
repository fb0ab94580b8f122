/*
 * sequence_match: matches the kernels of one rank with those of a reference by their order. The recordings may begin
 * and end at different times, kernels may be missing, and the clocks may differ.
 *
 * The members of a synchronising operation end together. Therefore, in the true match, the difference of the ends is
 * the same in all pairs. In a false match, it changes from pair to pair, because the gaps between kernels vary.
 */
#ifndef SEQUENCE_MATCH_H
#define SEQUENCE_MATCH_H

#include "shift_search.h"

#define SEQUENCE_MATCH_NONE UINT32_MAX

enum {
	SEQUENCE_MATCH_SKIP = 8,        /* maximum number of kernels in a row that are missing in one sequence */
	SEQUENCE_MATCH_SCATTER = 50000, /* ns: minimum tolerance for the scatter of ends */
	SEQUENCE_MATCH_KNOWN = 1000000, /* ns: maximum distance of a match from a known difference of the clocks */
};

/* The difference of two clocks that earlier matches gave: what must be added to the clock of `own`. */
struct sequence_match_clock {
	bool known;
	int64_t offset;
};

/* Zero-initialise it; it can be used again for the next pair of sequences. */
struct sequence_match {
	/* The result: */
	uint32_t *to;   /* for each item of `own`, the index of its item in the reference, or SEQUENCE_MATCH_NONE */
	int64_t shift;  /* place of an item in the reference minus its place in `own` */
	int64_t offset; /* median difference of the ends */
	bool ambiguous; /* another match was almost as good, and the difference of the clocks decided */
	/* private */
	size_t cap, kept_cap, differences_cap;
	uint32_t *kept;
	int64_t *differences;
};

/*
 * Matches `own` with the reference; sets the results in *m, which are valid until the next call. Returns false when no
 * shift fits. `clock`: a known difference of the clocks, which excludes matches that contradict it.
 */
bool sequence_match_find(struct sequence_match *m, const struct sequence_item *reference, size_t n_reference,
    const struct sequence_item *own, size_t n_own, struct sequence_match_clock clock);

/* Frees the results and all memory; *m can be used again. */
void sequence_match_free(struct sequence_match *m);

#endif

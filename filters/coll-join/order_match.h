/*
 * order_match: matches the kernels of two ranks by their order, for traces without numbers of operations. The
 * recordings may begin and end at different times, kernels may be missing, and the clocks may differ.
 *
 * The members of a synchronising operation end together. Therefore, in the true match of two ranks, the difference of
 * the ends is the same in all pairs of kernels. In a false match, it changes from pair to pair, because the gaps
 * between kernels vary.
 */
#ifndef ORDER_MATCH_H
#define ORDER_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A kernel of a sequence; sequences are in the order of ts. */
struct order_item {
	int64_t start, end;
	uint32_t fingerprint : 31; /* of operation, type and size: only items with equal fingerprints match */
	uint32_t loose : 1;        /* the operation is not synchronising: its ends may differ */
	int32_t position; /* of the reference: index of the kernel in its own sequence; negative if it is of another */
};

/* The difference of two clocks that earlier matches gave: what must be added to the clock of `own`. */
struct order_clock {
	bool known;
	int64_t offset;
};

#define ORDER_UNMATCHED UINT32_MAX

/* Zero-initialise it; it can be used again for the next pair of sequences. */
struct order_pairs {
	uint32_t *to;   /* for each item of `own`, the index of its item in the reference, or ORDER_UNMATCHED */
	int64_t shift;  /* position of an item in the reference minus its position in `own` */
	int64_t offset; /* median difference of the ends */
	bool ambiguous; /* another match was almost as good, and the difference of the clocks decided */
	/* private */
	size_t cap, other_cap, differences_cap;
	uint32_t *other; /* another match */
	int64_t *differences;
};

/*
 * Matches the sequence `own` with the reference; sets *p, which is valid until the next call. Returns false when no
 * shift fits. `clock`: a known difference of the clocks, which excludes matches that contradict it. Of a long sequence,
 * only samples are compared for each shift.
 */
bool order_match_sequences(struct order_pairs *p, const struct order_item *reference, size_t n_reference,
    const struct order_item *own, size_t n_own, struct order_clock clock);

void order_pairs_free(struct order_pairs *p);

#endif

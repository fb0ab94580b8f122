/*
 * order_match: matches the kernels of a group by their place in the order of the group, for traces without numbers of
 * operations.
 */
#ifndef ORDER_MATCH_H
#define ORDER_MATCH_H

#include "process_groups.h"
#include "record/rank_clock.h"
#include "sequence_match.h"

/* The kernels of a rank in a group, in the order of ts. */
struct group_order_lane {
	const uint32_t *kernels; /* indexes in job.kernels */
	size_t n;
	uint32_t rank; /* index in job.ranks */
};

/* Zero-initialise it and call group_order_init(). */
struct group_order {
	struct job *job;
	const struct rank_clock *clocks; /* by rank; the clocks that are known before the match */
	bool trusted;                    /* the user vouches for the clocks */
	/* private */
	uint32_t *fingerprints; /* by description */
	struct map fingerprint_numbers;
	/*
	 * Ranks whose clocks were compared form trees. By rank: its parent, and clock of the parent - own clock in ns.
	 */
	uint32_t *parents;
	int64_t *offsets;
	struct sequence_match match;
	/* All kernels of the group, one for each collective, with ends on the clock of the first lane. */
	struct sequence_item *items, *merged, *own;
	uint32_t *keys, *merged_keys; /* the numbers of the collectives, in the order in which they were added */
	size_t n, items_cap, merged_cap, own_cap, keys_cap, merged_keys_cap;
};

void group_order_init(struct group_order *o, const struct process_groups *groups);

/*
 * Sets `key`, `shift` and `flags` of the kernels of a group: kernels with equal keys are one collective, and the keys
 * are in the order of the group. Sorts the lanes. Kernels of lanes that do not fit get why = `refused`.
 */
void group_order_match(struct group_order *o, struct group_order_lane *lanes, size_t n, uint8_t refused);

void group_order_free(struct group_order *o);

#endif

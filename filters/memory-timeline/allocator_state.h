/* allocator_state: sums of the blocks and segments of a device, as a memory snapshot has them at its end. */
#ifndef ALLOCATOR_STATE_H
#define ALLOCATOR_STATE_H

#include "memory_change.h"

/* Zero-initialise. Sizes of used blocks are those that the program requested; in 2022, those of the allocator. */
struct allocator_state {
	uint64_t segments, free_blocks;
	int64_t active, allocated; /* active: also blocks that were freed, but are still in use by a stream */
	int64_t reserved;
	int64_t rounding; /* by how much used blocks are larger than requested */
	int64_t free, largest_free;
	int64_t free_segments; /* bytes in segments without a used block */
	/* private */
	bool used; /* a block since the last segment is used */
};

/* Returns whether a record is a block or segment of a snapshot. */
static inline bool allocator_state_has(struct event *e)
{
	return event_get_kind(e) == KIND_META && memory_change_in_snapshot(e) && event_get(e, EVENT_DEV).p;
}

/* Adds a block or a segment. The blocks of a segment precede it. */
void allocator_state_add(struct allocator_state *s, struct event *e);

#endif

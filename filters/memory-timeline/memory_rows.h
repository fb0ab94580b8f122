/* memory_rows: the records that memory-timeline writes. */
#ifndef MEMORY_ROWS_H
#define MEMORY_ROWS_H

#include "device_memory.h"
#include "memory_steps.h"
#include "record/places.h"
#include "stats/groups.h"

/* Zero-initialise, and set the first three members. */
struct memory_rows {
	struct out *out;
	const struct groups *owners;  /* an owner is a group */
	const struct places *devices; /* a place has the values rank, Device Type and Device Id */
	/* private */
	struct buf line, name;
};

/*
 * Writes a block of a device. `free` is the event that frees it, whose owner is `free_owner`, or NULL. If the block was
 * not allocated in the trace, `block` is NULL.
 */
void memory_rows_block(struct memory_rows *r, const struct device_memory *d, const struct live_block *block,
    const struct memory_change *free, uint32_t free_owner);

/*
 * Writes the sums of a device, its steps, and its owners, those with the largest part of the peak first. With `blocks`,
 * also a block for all that was allocated before the trace and not freed.
 */
void memory_rows_device(
    struct memory_rows *r, const struct device_memory *d, const struct memory_steps *steps, bool blocks);

void memory_rows_free(struct memory_rows *r);

#endif

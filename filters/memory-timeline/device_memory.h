/*
 * device_memory: how much memory of a device is allocated and reserved, who owns it at the peak, and how much is
 * allocated at the ends of steps. Sums saturate at the limits of int64.
 */
#ifndef DEVICE_MEMORY_H
#define DEVICE_MEMORY_H

#include "live_blocks.h"
#include "memory_change.h"

/* The part of an owner, such as an operator. */
struct owner_memory {
	uint64_t allocations, frees; /* events of this owner */
	int64_t alloc_bytes, free_bytes;
	int64_t live, blocks; /* allocated by this owner in the trace, and not freed yet */
	/* private */
	int64_t peak_live, peak_blocks; /* the same at the peak, if something changed since then */
	uint64_t epoch;                 /* the peak for which they were stored */
};

/* The memory at the ends of steps: from the step with this number on, until the next one in the list. */
struct memory_level {
	size_t step;
	int64_t total, net;
};

/* Zero-initialise. device_memory_free(). */
struct device_memory {
	size_t rank, place; /* for the caller */
	uint64_t events, allocations, frees;
	uint64_t missing; /* number of events that must be missing, as a total or an address shows */
	int64_t alloc_bytes, free_bytes;
	bool absolute;         /* the first event has a total; otherwise total begins at 0, and is relative */
	int64_t first;         /* the total before the first event */
	int64_t total;         /* allocated now: Total Allocated of the last event, or the sum of Bytes since that */
	int64_t net;           /* the sum of Bytes */
	int64_t peak, peak_ts; /* the greatest total after an event, and when it was reached first */
	uint32_t peak_owner;   /* of that event */
	bool has_blocks;       /* an allocation has an address */
	bool has_reserved;
	int64_t reserved;            /* the greatest Total Reserved */
	int64_t unused, unused_ts;   /* the greatest difference of Total Reserved and Total Allocated, not clamped */
	struct owner_memory *owners; /* by number; the last ones may be absent */
	size_t n_owners;
	struct memory_level *levels;
	size_t n_levels;
	/* private */
	uint64_t epoch;
	bool has_total;
	size_t steps, owners_cap, levels_cap;
};

/*
 * Takes an event of an owner. `freed` is the block that it frees or replaces, or NULL. `ended` is the number of steps
 * that have ended before it, which is at least that of the preceding event.
 */
void device_memory_add(struct device_memory *d, const struct memory_change *c, uint32_t owner,
    const struct live_block *freed, size_t ended);

/* To be called after the last event, with the number of all steps. */
void device_memory_end(struct device_memory *d, size_t ended);

/* Returns how many bytes of an owner are live at the peak; *blocks is the number of blocks. */
int64_t device_memory_at_peak(const struct device_memory *d, uint32_t owner, int64_t *blocks);

/*
 * Returns the rest of the peak: what was allocated before the first event and is live at the peak. If the total is
 * relative, this is what was freed of it, as a negative number.
 */
int64_t device_memory_before_at_peak(const struct device_memory *d);

void device_memory_free(struct device_memory *d);

#endif

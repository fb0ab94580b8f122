/*
 * device_memory: how much memory of a device is allocated and reserved, who owns it at the peak, and how much is
 * allocated at the ends of steps. Sums saturate at the limits of int64.
 */
#ifndef DEVICE_MEMORY_H
#define DEVICE_MEMORY_H

#include "allocator_state.h"
#include "live_blocks.h"
#include "memory_change.h"

/* A value that changes, and its greatest value. */
struct memory_peak {
	int64_t now, most, ts;
	bool has_ts; /* the greatest value is that after an event, not the one before the first event */
};

/* The part of an owner, such as an operator. */
struct owner_memory {
	uint64_t allocations, frees; /* events of this owner */
	int64_t alloc_bytes, free_bytes;
	struct memory_peak live; /* allocated by this owner in the trace, and not freed yet */
	int64_t blocks;          /* their number */
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
	size_t place, step_place; /* for the caller: of the device, and of its steps */
	enum memory_source source;
	uint64_t events, allocations, frees;
	uint64_t missing; /* number of events that must be missing, as a total or an address shows */
	int64_t alloc_bytes, free_bytes;
	int64_t net;              /* the sum of Bytes */
	bool absolute;            /* the total before the first event is known; otherwise it counts as 0 */
	int64_t first;            /* the total before the first event */
	struct memory_peak total; /* what is allocated: of a profile, Total Allocated, or the sum of Bytes since it */
	uint64_t epoch;           /* the number of peaks of the total so far, each greater than those before */
	uint32_t peak_owner;      /* of the event at the last one */
	bool has_blocks;          /* allocations have addresses */
	bool has_reserved;        /* the following values are known; `allocated` only in snapshots */
	struct memory_peak reserved, allocated, unused; /* unused: reserved, but not allocated; it is not clamped */
	struct allocator_state state;                   /* at the end of a snapshot */
	struct owner_memory *owners;                    /* by number; those without events are 0 */
	size_t n_owners;
	struct memory_level *levels;
	size_t n_levels;
	/* private */
	bool has_total;
	int64_t last_ts;
	uint32_t last_owner;
	size_t steps, levels_cap;
};

/*
 * Takes an event of an owner. `freed` is the block that it frees or replaces, or NULL. `ended` is the number of steps
 * that have ended before it, which is at least that of the preceding event.
 */
void device_memory_add(struct device_memory *d, const struct memory_change *c, uint32_t owner,
    const struct live_block *freed, size_t ended);

/* To be called after the last event, with the number of all steps. Makes the totals of a snapshot absolute. */
void device_memory_end(struct device_memory *d, size_t ended);

/* Returns how many bytes of an owner are live at the peak; *blocks is the number of blocks. */
int64_t device_memory_at_peak(const struct device_memory *d, uint32_t owner, int64_t *blocks);

/*
 * Return the rest of the peak, and of what is allocated after the last event: the part that was allocated before the
 * first event. If the total is relative, this is what was freed of it, as a negative number.
 */
int64_t device_memory_before_at_peak(const struct device_memory *d);
int64_t device_memory_before_at_end(const struct device_memory *d);

void device_memory_free(struct device_memory *d);

#endif

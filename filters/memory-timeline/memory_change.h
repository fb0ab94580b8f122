/*
 * memory_change: reads events about memory:
 * - of PyTorch's allocators, with profile_memory=True: a mark [memory] for each allocation and each free
 *   (torch/csrc/profiler/kineto_shim.cpp; totals and addresses since 2022)
 * - of memory snapshots (torch.cuda.memory._dump_snapshot): allocations, requested and completed frees, segments
 * - of PyTorch's raw memory timelines (export_memory_timeline), by category, without addresses
 */
#ifndef MEMORY_CHANGE_H
#define MEMORY_CHANGE_H

#include "record/event.h"

enum memory_source { MEMORY_PROFILE, MEMORY_SNAPSHOT, MEMORY_CATEGORIES, MEMORY_SOURCES };

struct memory_change {
	enum memory_source source;
	bool has_ts;
	int64_t ts;
	int64_t bytes;               /* above 0: an allocation; below 0: a free; 0: another event */
	int64_t allocated, reserved; /* changes of what is allocated and not freed yet, and of segments: in snapshots */
	int64_t addr, total, total_reserved;
	bool has_addr, has_total, has_reserved; /* totals: of the device, after the event */
	bool before;                            /* the block was allocated before: in categories */
	struct str type, id;                    /* the device, as JSON; p is NULL if absent */
};

/* Returns whether a record is from a memory snapshot. */
static inline bool memory_change_in_snapshot(struct event *e)
{
	return str_eq(event_get(e, EVENT_CAT), STR("\"memory_snapshot\""));
}

/* Returns where an event comes from; MEMORY_SOURCES if it is not about memory. */
enum memory_source memory_change_source(struct event *e);

/* Reads such an event. Returns false if its size is not an integer. The views are valid as long as the record. */
bool memory_change_read(struct memory_change *c, struct event *e, enum memory_source source);

#endif

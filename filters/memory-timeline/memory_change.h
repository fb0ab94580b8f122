/*
 * memory_change: reads the events that PyTorch's allocators write with profile_memory=True: a mark [memory] for each
 * allocation and each free (torch/csrc/profiler/kineto_shim.cpp; totals and addresses since 2022).
 */
#ifndef MEMORY_CHANGE_H
#define MEMORY_CHANGE_H

#include "record/event.h"

struct memory_change {
	int64_t ts;
	int64_t bytes; /* above 0: an allocation; below 0: a free */
	int64_t addr, total, reserved;
	bool has_addr, has_total, has_reserved; /* total and reserved: of the device, after the event */
	struct str type, id;                    /* the device, as JSON; p is NULL if absent */
};

/* Returns whether a record is an event of an allocator. */
static inline bool memory_change_is(struct event *e)
{
	return event_get_kind(e) == KIND_MARK && str_eq(event_get(e, EVENT_NAME), STR("\"[memory]\""));
}

/* Reads such an event. Returns false if it has no integer Bytes. The views are valid as long as the record. */
bool memory_change_read(struct memory_change *c, struct event *e);

#endif

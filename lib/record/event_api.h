/* event_api: the API call that launched the work of a device record; corr-join adds it to the record. */
#ifndef EVENT_API_H
#define EVENT_API_H

#include "record/event.h"

/* The member "api":{"name":...,"ts":...,"dur":...,"pid":...,"tid":...}. If a text is absent, p is NULL. */
struct event_api {
	struct str name, pid, tid;
	int64_t ts, dur; /* dur is 0 when absent */
};

/*
 * Regular expressions for the names of calls that launch kernels, copies and memsets in CUDA, HIP and other runtimes.
 * They match names with any version or variant suffix.
 */
#define LAUNCH_KERNEL                                                                                                  \
	"(cuda|cu|hip)([A-Za-z]*Launch[A-Za-z]*Kernel|GraphLaunch)|zeCommandListAppendLaunch|"                         \
	"(ur|pi)EnqueueKernelLaunch|clEnqueue(NDRangeKernel|Task)"
#define LAUNCH_COPY                                                                                                    \
	"(cuda|cu|hip)Memcpy([A-Za-z0-9]*Async|WithStream)|zeCommandListAppendMemoryCopy|"                             \
	"(ur|pi)Enqueue(Mem|USMMem)[A-Za-z]*|clEnqueue(Read|Write|Copy|SVMMemcpy)"
#define LAUNCH_SET "(cuda|cu|hip)Memset[A-Za-z0-9]*Async|zeCommandListAppendMemoryFill|clEnqueue(SVMMem)?Fill"

/* Returns false when the record has no api, or its api has no ts. */
bool event_api_find(struct event_api *l, const struct event *e);

/* The same for the JSON text of the member; p is NULL if the record does not have it. */
bool event_api_read(struct event_api *l, struct str api);

#endif

/*
 * host_during_idle: divides the idle time of a device by what the host did while the device waited for it. At each
 * instant, the thread that launched the next work was in the innermost of its calls or operators, and its process was
 * in the innermost of its ranges. The innermost record is the one with the latest start; at equal starts, the shortest;
 * at equal lengths, the last one in the input.
 */
#ifndef HOST_DURING_IDLE_H
#define HOST_DURING_IDLE_H

#include "record/event_api.h"

struct host_during_idle;

/*
 * `memory` is the maximum memory for records, see host_log_new(); if the temporary file cannot be used, the program
 * ends. Processes and threads take about 100 bytes each.
 */
struct host_during_idle *host_during_idle_new(size_t memory);
void host_during_idle_free(struct host_during_idle *h);

/* Adds a call, an operator or a range. Records must be added in ts order. A record without a dur is ignored. */
void host_during_idle_add(struct host_during_idle *h, struct event *e, enum event_kind kind);

/*
 * Records that end at or before `before` are not needed any more. `before` may be in the future. Until the first call,
 * all records that have ended are forgotten.
 */
void host_during_idle_forget(struct host_during_idle *h, int64_t before);

/* A part of an idle interval. `host` and `range` are names, as JSON; p is NULL if no record is known. */
struct host_during_idle_part {
	int64_t from, to;
	struct str host, range;
};

/*
 * Calls take(arg, part) for the parts of the idle interval from..to, in order; the interval ends with `work`, a device
 * record that `launch` launched. All records that start before `to` must have been added, and none that is needed must
 * have been forgotten.
 */
void host_during_idle_divide(struct host_during_idle *h, struct event *work, const struct event_api *launch,
    int64_t from, int64_t to, void (*take)(void *arg, const struct host_during_idle_part *part), void *arg);

#endif

/* counter_series: writes how quantities of devices change over time: lengths of queues, bandwidth of copies. */
#ifndef COUNTER_SERIES_H
#define COUNTER_SERIES_H

#include "io/out.h"
#include "record/places.h"

/*
 * Records are added in ts order. Each change is written to `out` as a counter with its time, its place and `value`.
 * `devices` must not contain places yet; its members are rank, or rank and dev, or rank and dev with either stream or
 * name. The series takes ownership of it. `name`: the name of the counters, as JSON; p == NULL if `devices` has the
 * member name instead. `horizon`: the maximum time from the launch of work to its start, in ns.
 */
struct counter_series *counter_series_new(
    const struct places *devices, struct str name, int64_t horizon, struct out *out);
void counter_series_free(struct counter_series *s);

enum counter_series_answer {
	COUNTER_SERIES_TAKEN,
	COUNTER_SERIES_WITHOUT, /* the record has no call */
	/* the record starts earlier than its call: the clocks differ, so the waiting time is unknown */
	COUNTER_SERIES_EARLY,
	COUNTER_SERIES_FAR, /* the time from the launch of the record to its start is longer than the horizon */
};

/*
 * Adds a device record that corr-join has joined: the queue of its place is one record longer from the launch of the
 * record to its start. If the result is not COUNTER_SERIES_TAKEN, the record was not added.
 */
enum counter_series_answer counter_series_queue(struct counter_series *s, struct event *e);

/*
 * Adds a memcpy or memset. Its bandwidth in GB/s is taken from its args, or else computed from its bytes and dur. It is
 * added to a counter, whose name is the text before " (" in the name of the record. A duration below one microsecond,
 * the resolution of old profilers, is treated as one microsecond.
 */
void counter_series_bandwidth(struct counter_series *s, struct event *e);

/* Writes the remaining changes at the end of the input. */
void counter_series_end(struct counter_series *s);

/* Returns the number of records without the necessary members: their call, or the bytes they moved. */
uint64_t counter_series_without(const struct counter_series *s);

#endif

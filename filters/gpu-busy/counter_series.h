/* counter_series: how quantities of devices change with time: the lengths of queues, what copies move. */
#ifndef COUNTER_SERIES_H
#define COUNTER_SERIES_H

#include "io/out.h"
#include "record/places.h"

/*
 * Add records in ts order. For each change a counter is written to `out`: its time, where, and `value`. `devices`: empty,
 * by rank, dev, then stream or name, or the first of these; the series takes it. `name`: of the counters, JSON; p ==
 * NULL: it is in `devices`. `horizon`: how long before its start work may have been launched.
 */
struct counter_series *counter_series_new(
    const struct places *devices, struct str name, int64_t horizon, struct out *out);
void counter_series_free(struct counter_series *s);

enum counter_series_answer {
	COUNTER_SERIES_TAKEN,
	COUNTER_SERIES_WITHOUT, /* it has no call */
	COUNTER_SERIES_EARLY,   /* it starts before its call: the clocks disagree, and how long it waited is not known */
	COUNTER_SERIES_FAR,     /* it was launched longer before than the horizon */
};

/*
 * A device record, joined by corr-join: its queue is longer by one from its launch to its start. Unless it is taken, it
 * is left out.
 */
enum counter_series_answer counter_series_queue(struct counter_series *s, struct event *e);

/*
 * A copy or set: what it moves in GB/s (its args say it, else its bytes do), by the name before " (". One
 * without length moves it in a microsecond, the resolution of old profilers.
 */
void counter_series_bandwidth(struct counter_series *s, struct event *e);

/* The end of the records: writes the rest. */
void counter_series_end(struct counter_series *s);

/* How many records said too little: without their call, without what they moved. */
uint64_t counter_series_without(const struct counter_series *s);

#endif

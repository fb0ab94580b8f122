/* counter_series: how quantities of devices change with time: the lengths of queues, what copies move. */
#ifndef COUNTER_SERIES_H
#define COUNTER_SERIES_H

#include "record/places.h"
#include "step_counter.h"

/*
 * Zero-initialise, set `devices` and `out`, then add records in ts order. For each change a counter is written:
 * its time, where, and `value`.
 */
struct counter_series {
	struct places devices; /* rank, dev, then stream or name, or the first of these */
	int64_t horizon;      /* how long before its start work may have been launched */
	struct out *out;
	struct str name;      /* of the counters, JSON; p == NULL: it is in `devices` */
	uint64_t without;     /* records that say too little: without their call, without what they moved */
	/* its own */
	struct step_counter levels;
	struct buf text, more;
};

enum counter_series_answer {
	COUNTER_SERIES_TAKEN,
	COUNTER_SERIES_WITHOUT, /* it has no call; s->without counts it */
	COUNTER_SERIES_EARLY,   /* it starts before its call: the clocks disagree, and how long it waited is not known */
	COUNTER_SERIES_FAR,     /* it was launched longer before than s->horizon */
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

void counter_series_end(struct counter_series *s);
void counter_series_free(struct counter_series *s);

#endif

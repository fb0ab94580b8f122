/* busy_time: how long devices were busy, with what at once, and what they waited for when they were not. */
#ifndef BUSY_TIME_H
#define BUSY_TIME_H

#include "overlap_sweep.h"
#include "record/places.h"
#include "work_type.h"

/* Why nothing ran, as Holistic Trace Analysis has it (get_idle_time_breakdown). */
enum busy_time_cause {
	BUSY_TIME_HOST,   /* what comes next was launched after the last work had ended */
	BUSY_TIME_KERNEL, /* it was launched before, and the gap is shorter than b->wait */
	BUSY_TIME_OTHER,
	BUSY_TIME_CAUSES
};

/* Zero-initialise, set what is asked for, then add work in ts order. Memory: places, and what runs at once. */
struct busy_time {
	struct places devices; /* rank, dev, stream, or the first of these */
	struct work_types types;
	int64_t wait;      /* see BUSY_TIME_KERNEL */
	int64_t slice;     /* > 0: busy_time_pass() and busy_time_end() write one record a slice */
	bool gaps;         /* busy_time_add() writes one record a gap */
	int64_t min;       /* of at least this length */
	struct out *out;
	uint64_t causeless; /* gaps before work whose call is not known */
	uint64_t early;     /* gaps before work that starts before its call: host and device have different clocks */
	/* its own */
	struct busy_place *places;
	size_t cap;
	bool sliced;
	int64_t slice_at;
	struct buf more;
};

/* A device record; e->dur >= 0. */
void busy_time_add(struct busy_time *b, struct event *e, enum event_kind kind);

/*
 * With slices: those that end by ts are over. False when that is more than a million, which are left out but
 * for the first.
 */
bool busy_time_pass(struct busy_time *b, int64_t ts);

/* The end: the last slices; false as busy_time_pass(). */
bool busy_time_end(struct busy_time *b);

/* After it, for each place one record with its sums, or one for each set of types that ran at once. */
void busy_time_write_sums(struct busy_time *b);
void busy_time_write_sets(struct busy_time *b);

void busy_time_free(struct busy_time *b);

#endif

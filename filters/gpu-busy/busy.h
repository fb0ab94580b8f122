/* busy: how long devices were busy, with what at once, and what they waited for when they were not. */
#ifndef BUSY_H
#define BUSY_H

#include "devices.h"
#include "sweep.h"
#include "worktype.h"

/* Why nothing ran, as Holistic Trace Analysis has it (get_idle_time_breakdown). */
enum busy_cause {
	BUSY_HOST,   /* what comes next was launched after the last work had ended */
	BUSY_KERNEL, /* it was launched before, and the gap is shorter than b->wait */
	BUSY_OTHER,
	BUSY_CAUSES
};

/* Zero-initialise, set what is asked for, then add work in ts order. Memory: places, and what runs at once. */
struct busy {
	struct devices devices;
	struct worktypes types;
	int64_t wait;      /* see BUSY_KERNEL */
	int64_t slice;     /* > 0: busy_pass() and busy_end() write one record a slice */
	bool gaps;         /* busy_add() writes one record a gap */
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
void busy_add(struct busy *b, struct event *e, enum event_kind kind);

/*
 * With slices: those that end by ts are over. False when that is more than a million, which are left out but
 * for the first.
 */
bool busy_pass(struct busy *b, int64_t ts);

/* The end: the last slices; false as busy_pass(). */
bool busy_end(struct busy *b);

/* After it, for each place one record with its sums, or one for each set of types that ran at once. */
void busy_write_sums(struct busy *b);
void busy_write_sets(struct busy *b);

void busy_free(struct busy *b);

#endif

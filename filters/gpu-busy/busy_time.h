/* busy_time: measures how long devices were busy, with which types of work at once, and why they were idle. */
#ifndef BUSY_TIME_H
#define BUSY_TIME_H

#include "io/out.h"
#include "record/places.h"
#include "work_type.h"

struct busy_time_options {
	int64_t wait;  /* a gap of at least this length does not count as kernel_wait */
	int64_t slice; /* > 0: busy_time_pass() and busy_time_end() write one record for each slice */
	bool gaps;     /* busy_time_add() writes one record for each gap */
	int64_t min;   /* with `gaps`: the minimum length of a gap that is written */
};

struct busy_time_counts {
	uint64_t causeless; /* gaps before work whose call is unknown */
	uint64_t early;     /* gaps before work that starts before its call: the clocks of host and device differ */
};

/*
 * Work is added in ts order. `devices`: empty, with the members rank, dev, stream or the first of these; busy_time
 * takes ownership. The caller owns `types` and `out`. Memory grows with the places and with the work that runs at once.
 */
struct busy_time *busy_time_new(
    const struct busy_time_options *o, const struct places *devices, struct work_types *types, struct out *out);
void busy_time_free(struct busy_time *b);

/* Adds a device record; e->dur must be >= 0. */
void busy_time_add(struct busy_time *b, struct event *e, enum event_kind kind);

/*
 * With slices: ends the slices that end by ts. Returns false when there are more than a million of them; only the first
 * of them is written then.
 */
bool busy_time_pass(struct busy_time *b, int64_t ts);

/* Writes the last slices at the end of the input; returns false in the same case as busy_time_pass(). */
bool busy_time_end(struct busy_time *b);

/*
 * Write, after busy_time_end(), one record for each place with its sums, or one for each set of types that ran at once.
 */
void busy_time_write_sums(struct busy_time *b);
void busy_time_write_sets(struct busy_time *b);

const struct busy_time_counts *busy_time_counts(const struct busy_time *b);

#endif

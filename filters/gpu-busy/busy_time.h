/* busy_time: how long devices were busy, with what at once, and what they waited for when they were not. */
#ifndef BUSY_TIME_H
#define BUSY_TIME_H

#include "io/out.h"
#include "record/places.h"
#include "work_type.h"

struct busy_time_options {
	int64_t wait;  /* a gap of at least this length is no wait between kernels */
	int64_t slice; /* > 0: busy_time_pass() and busy_time_end() write one record a slice */
	bool gaps;     /* busy_time_add() writes one record a gap */
	int64_t min;   /* of at least this length */
};

struct busy_time_counts {
	uint64_t causeless; /* gaps before work whose call is not known */
	uint64_t early;     /* gaps before work that starts before its call: host and device have different clocks */
};

/*
 * Add work in ts order. `devices`: empty, by rank, dev, stream, or the first of these; busy_time takes it. `types` and
 * `out` are the caller's. Memory: places, and what runs at once.
 */
struct busy_time *busy_time_new(
    const struct busy_time_options *o, const struct places *devices, struct work_types *types, struct out *out);
void busy_time_free(struct busy_time *b);

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

const struct busy_time_counts *busy_time_counts(const struct busy_time *b);

#endif

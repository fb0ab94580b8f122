/* busy_time: measures how long devices were busy, which types of work ran at the same time, and why they were idle. */
#ifndef BUSY_TIME_H
#define BUSY_TIME_H

#include "device/idle_cause.h"
#include "device/work_type.h"
#include "io/out.h"
#include "record/places.h"

struct busy_time_slices {
	int64_t length; /* if > 0, busy_time_pass() and busy_time_end() write one record for each slice */
	int64_t origin; /* a slice begins here, and at all other multiples of `length` before and after it */
};

/*
 * Work must be added in ts order. `devices` must not contain places yet; its members are rank, dev and stream, or rank
 * and dev, or only rank. busy_time takes ownership of it. The caller owns `types` and `out`. Memory grows with the
 * number of streams and the number of records that run at the same time.
 */
struct busy_time *busy_time_new(
    const struct busy_time_slices *slices, const struct places *devices, struct work_types *types, struct out *out);
void busy_time_free(struct busy_time *b);

/* Adds a device record. */
void busy_time_add(struct busy_time *b, struct event *e, enum event_kind kind);

/*
 * With slices: writes the slices that end at or before ts. If there are more than a million of them, writes only the
 * first one and returns false.
 */
bool busy_time_pass(struct busy_time *b, int64_t ts);

/* Writes the last slices at the end of the input; returns false in the same case as busy_time_pass(). */
bool busy_time_end(struct busy_time *b);

/*
 * Call these functions after busy_time_end(). The first writes one record with the sums of each place. The others
 * write, for each place, one record for each set of types that ran at the same time, or one for each number of streams
 * that ran at the same time, in a fixed order.
 */
void busy_time_write_sums(struct busy_time *b);
void busy_time_write_types(struct busy_time *b);
void busy_time_write_streams(struct busy_time *b);

const struct idle_counts *busy_time_counts(const struct busy_time *b);

#endif

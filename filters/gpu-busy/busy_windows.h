/*
 * busy_windows: measures, for each step of a program and each device, how the time of the step divides into eight
 * parts: computing; only communicating; only copying; only other work; idle, with one of three causes; after the last
 * work.
 *
 * Steps are ranges that follow each other, such as ProfilerStep#N. The window of a range lasts from its start to the
 * start of the next range of the same rank, so that no time lies between two windows. The window of the last range
 * lasts to the end of the range, or to the end of the last work that was launched before the end of the range, if that
 * is later. A last range in which nothing is launched is no step, unless it is the only one.
 *
 * If a device starts work long after its launch, such a window has work that earlier steps launched. Then a window
 * begins on each device when its range has begun and the device has ended all work that was launched before, like a
 * CUDA event that the host records at the start of the range; the end of the last window is defined in the same way.
 * So a window is the time that the step takes on the device. This rule is for ranks whose kernels start more than a
 * fifth of a step (mean) after their launch, if the calls of their work are known.
 */
#ifndef BUSY_WINDOWS_H
#define BUSY_WINDOWS_H

#include "device/idle_cause.h"
#include "device/work_type.h"
#include "io/out.h"
#include "record/places.h"

struct busy_windows_counts {
	struct idle_counts idle;
	uint64_t written;  /* number of records that busy_windows_write() wrote */
	uint64_t workless; /* number of windows of ranks that have no device records */
	uint64_t outside;  /* number of device records of ranks that have no windows */
	uint64_t mixed;    /* number of ranks whose work starts late, and too few of its calls are known */
};

struct busy_windows_options {
	/* One window for each rank, from its first start of work to its last end, instead of ranges. */
	bool whole;
	/* The last window lasts to the end of all work; a rank without ranges has one window as with `whole`. */
	bool all;
	bool by_launch; /* the rule for late work is for all ranks whose calls are known */
	bool pieces;    /* write the records of communication, too: see device/exposed_time */
};

/*
 * Ranges and work must be added in ts order. `devices`, `types`, `out`: as for busy_time_new(). Memory grows with the
 * number of windows (about 60 bytes, and about 500 bytes for each place), with the names of the ranges, with the
 * number of streams, and with the number of records that run at the same time. Work whose call is unknown was launched
 * when it starts or, if no record of its stream so far has a known call, before the first range.
 */
struct busy_windows *busy_windows_new(const struct busy_windows_options *options, const struct places *devices,
    struct work_types *types, struct out *out);
void busy_windows_free(struct busy_windows *b);

/*
 * Begins the window of a range, which has a ts. If the range has no dur, its window ends with the next window or with
 * the last work. Returns false when the preceding range of the rank has not ended yet; in this case, *preceding is the
 * name of that range, as JSON.
 */
bool busy_windows_begin(struct busy_windows *b, struct event *range, struct str *preceding);

/*
 * Adds a device record. If it is a kernel, the member `blocks per SM` of its args, which the caller must have checked,
 * is the part of the device that it uses.
 */
void busy_windows_add(struct busy_windows *b, struct event *e, enum event_kind kind);

/* At the end of the input: writes one record for each window and place, ordered by rank, window and place. */
void busy_windows_write(struct busy_windows *b);

/* Complete after busy_windows_write(). */
const struct busy_windows_counts *busy_windows_counts(const struct busy_windows *b);

#endif

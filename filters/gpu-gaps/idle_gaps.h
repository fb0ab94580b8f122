/* idle_gaps: finds the idle intervals of devices, with their causes and what the host did meanwhile. */
#ifndef IDLE_GAPS_H
#define IDLE_GAPS_H

#include "device/idle_cause.h"
#include "host_during_idle.h"
#include "io/out.h"
#include "record/places.h"

struct idle_gaps_options {
	int64_t wait; /* see idle_cause_find() */
	int64_t min;  /* the minimum length of a gap that is written */
	/*
	 * Owned by the caller, who adds the records of the host; or NULL. Only gaps whose cause is IDLE_HOST are
	 * written, divided by what the host did.
	 */
	struct host_during_idle *host;
	bool names_host; /* with `host`: a part in which the thread was in no call has the host "(no call)" */
	bool begins;     /* only the idle time from idle_gaps_begin() on is written */
};

/*
 * Work must be added in ts order. `devices` must not contain places yet; idle_gaps takes ownership of it. The caller
 * owns `out`. Memory grows with the number of places.
 */
struct idle_gaps *idle_gaps_new(const struct idle_gaps_options *o, const struct places *devices, struct out *out);
void idle_gaps_free(struct idle_gaps *g);

/*
 * With the option `begins`: gaps of the rank of this record, which has a ts, begin at its ts or later; only the first
 * call for a rank counts. If the rank has not worked yet, its first gap begins here.
 */
void idle_gaps_begin(struct idle_gaps *g, struct event *e);

/* Adds a device record, and writes the gap that ends with its start. */
void idle_gaps_add(struct idle_gaps *g, struct event *e);

const struct idle_counts *idle_gaps_counts(const struct idle_gaps *g);

#endif

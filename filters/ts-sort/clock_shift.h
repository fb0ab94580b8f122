/* clock_shift: moves the times of records from the clock of their rank to that of the reference, the lowest rank. */
#ifndef CLOCK_SHIFT_H
#define CLOCK_SHIFT_H

#include "record/clock_file.h"

/* One for each input. Zero-initialise it, and set the first members. */
struct clock_shift {
	const struct clock_file *clocks;
	bool force;      /* also accept ranks without a valid clock */
	struct buf rank; /* the rank of the input as JSON; empty before the first record that has one */
	/* private */
	struct rank_clock clock; /* of this rank */
	struct buf line;
};

/*
 * To be called for each record. The first record with a rank gives the rank of the input and its clock. Returns NULL,
 * or the reason why the record cannot be shifted, as static text. The program must have read the record with
 * INPUT_MEMBERS.
 */
const char *clock_shift_find(struct clock_shift *s, struct event *e);

/* Returns the time on the clock of the reference. */
static inline int64_t clock_shift_time(const struct clock_shift *s, int64_t ts)
{
	return rank_clock_time(&s->clock, ts);
}

/*
 * Returns the line of a record with its times shifted: ts, ts in attachments that are objects (such as api), and
 * orig_ts. Times of a record with the member `clock` are not shifted. The value of baseTimeNanoseconds becomes that of
 * the reference. A record without a rank gets that of the input. The view is valid until the next call.
 */
struct str clock_shift_line(struct clock_shift *s, struct event *e);

void clock_shift_free(struct clock_shift *s);

#endif

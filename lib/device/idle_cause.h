/*
 * idle_cause: the causes of idle time. Holistic Trace Analysis (get_idle_time_breakdown) has three: host_wait,
 * kernel_wait and other_wait. The causes here are finer, so that they also tell work that had been launched from work
 * whose launch is unknown.
 */
#ifndef IDLE_CAUSE_H
#define IDLE_CAUSE_H

#include "record/event.h"

enum idle_cause {
	IDLE_HOST,           /* the next work was launched after the idle time had begun */
	IDLE_LAUNCHED_SHORT, /* the next work had been launched before, and the interval is shorter than `wait` */
	IDLE_LAUNCHED_LONG,
	IDLE_UNKNOWN_SHORT, /* the next work has no call, and the interval is shorter than `wait` */
	IDLE_UNKNOWN_LONG,
	IDLE_AFTER, /* no work follows */
	IDLE_CAUSES
};

/* The default for `wait`, in ns, from Holistic Trace Analysis. */
enum { IDLE_CAUSE_WAIT = 30000 };

struct idle_counts {
	uint64_t causeless; /* number of idle intervals before work whose call is unknown */
	/* number of intervals before work that starts before its call, because the clocks differ */
	uint64_t early;
};

/* Returns "host_wait", "kernel_wait" (the short intervals of the other causes) or "other_wait". */
const char *idle_cause_name(enum idle_cause cause);

/*
 * Returns the cause of the idle interval that begins at `from` and ends with the start of `next`, a device record. The
 * launch of the work is known if corr-join has added the call to the record.
 */
enum idle_cause idle_cause_find(struct event *next, int64_t from, int64_t wait, struct idle_counts *counts);

/* Appends the members host_wait, kernel_wait and other_wait; times[cause] is the time in ns. */
void idle_cause_write(struct buf *b, const int64_t times[IDLE_CAUSES]);

/*
 * Appends host_wait, launched_wait, unknown_wait and after_work, which sum to the idle time, and then kernel_wait,
 * other_wait and their sum, pauses.
 */
void idle_cause_write_parts(struct buf *b, const int64_t times[IDLE_CAUSES]);

#endif

/* idle_cause: the causes of idle time, as Holistic Trace Analysis defines them (get_idle_time_breakdown). */
#ifndef IDLE_CAUSE_H
#define IDLE_CAUSE_H

#include "record/event.h"

enum idle_cause {
	IDLE_HOST,   /* the next work was launched after the preceding work had ended */
	IDLE_KERNEL, /* not IDLE_HOST, and the interval is shorter than `wait` */
	IDLE_OTHER,
	IDLE_CAUSES
};

struct idle_counts {
	uint64_t causeless; /* number of idle intervals before work whose call is unknown */
	/*
	 * number of idle intervals before work that starts before its call, because the clocks of host and device
	 * differ
	 */
	uint64_t early;
};

const char *idle_cause_name(enum idle_cause cause); /* "host_wait", "kernel_wait" or "other_wait" */

/*
 * Returns the cause of the idle interval that begins at `from` and ends with the start of `next`, a device record. The
 * launch of the work is known if corr-join has added the call to the record.
 */
enum idle_cause idle_cause_find(struct event *next, int64_t from, int64_t wait, struct idle_counts *counts);

/*
 * Prints messages on intervals whose cause is uncertain. `run` and `filter` are the end of the hint on work without a
 * call: the command that joins the records.
 */
void idle_counts_report(const struct idle_counts *counts, const char *run, const char *filter);

#endif

/* refresh: --every T: prints the result so far repeatedly while input arrives. */
#ifndef REFRESH_H
#define REFRESH_H

#include "io/out.h"

/* The minimum interval in ns: nobody reads faster, and a shorter one is usually a time without its unit (--every 2). */
enum { REFRESH_LEAST = 1000000 };

/*
 * Starts the timer: the first tick comes after `ns` nanoseconds (at least REFRESH_LEAST). Ticks interrupt a wait for
 * input.
 */
void refresh_begin(int64_t ns);

/*
 * Returns whether there was a tick; false without a timer. Costs very little. After true, the caller prints the result
 * and calls refresh_shown(), which schedules the next tick.
 */
bool refresh_due(void);

/*
 * Schedules the next tick after the interval, or after the time that printing took, if that is longer: at least half
 * of the time is spent on reading, however large the result is.
 */
void refresh_shown(void);

/*
 * Returns whether the next result replaces the last one, on a terminal; refresh_clear() is called before printing it.
 */
bool refresh_clears(void);
void refresh_clear(struct out *o);

#endif

/* refresh: implements --every T, which prints the result so far repeatedly while input arrives. */
#ifndef REFRESH_H
#define REFRESH_H

#include "io/out.h"

/*
 * The minimum interval in ns. Nobody can read results that change faster, and a shorter interval usually means that the
 * unit was forgotten (--every 2).
 */
enum { REFRESH_LEAST = 1000000 };

/*
 * Starts the timer: the first tick comes after `ns` nanoseconds (at least REFRESH_LEAST). Ticks interrupt a wait for
 * input.
 */
void refresh_begin(int64_t ns);

/*
 * Returns whether there was a tick; always false without a timer. A call takes very little time. When it returns true,
 * the caller prints the result and calls refresh_shown(), which schedules the next tick.
 */
bool refresh_due(void);

/*
 * Schedules the next tick after the interval or, if printing took longer, after the time that printing took. Thus at
 * least half of the time is spent on reading, however large the result is.
 */
void refresh_shown(void);

/*
 * Returns whether each result replaces the preceding one on the screen: true if the output is a terminal. Call
 * refresh_clear() before printing a result; it clears the screen in this case.
 */
bool refresh_clears(void);
void refresh_clear(struct out *o);

#endif

/* interim_results: implements --every T, which prints the result so far repeatedly while input arrives. */
#ifndef INTERIM_RESULTS_H
#define INTERIM_RESULTS_H

#include "io/out.h"

/*
 * The minimum interval in ns. Nobody can read results that change faster, and a shorter interval usually means that the
 * unit was forgotten (--every 2).
 */
enum { INTERIM_RESULTS_LEAST = 1000000 };

/*
 * Starts the timer: the first tick comes after `ns` nanoseconds (at least INTERIM_RESULTS_LEAST). Ticks interrupt a
 * wait for input.
 */
void interim_results_begin(int64_t ns);

/*
 * Returns whether there was a tick; always false without a timer. A call takes very little time. When it returns true,
 * the caller prints the result and calls interim_results_shown(), which schedules the next tick.
 */
bool interim_results_due(void);

/*
 * Schedules the next tick after the interval or, if printing took longer, after the time that printing took. Thus at
 * least half of the time is spent on reading, however large the result is.
 */
void interim_results_shown(void);

/*
 * Returns whether each result replaces the preceding one on the screen: true if the output is a terminal. Call
 * interim_results_clear() before printing a result; it clears the screen in this case.
 */
bool interim_results_clears(void);
void interim_results_clear(struct out *o);

#endif

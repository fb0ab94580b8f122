/* refresh: --every T: what is known so far, shown again and again while input comes. */
#ifndef REFRESH_H
#define REFRESH_H

#include "io/out.h"

/* The shortest interval in ns: nobody reads faster, and shorter ones are times whose unit was forgotten (--every 2). */
enum { REFRESH_LEAST = 1000000 };

/*
 * Starts the clock: the first tick comes after `ns` nanoseconds (at least REFRESH_LEAST). Ticks interrupt waiting for
 * input.
 */
void refresh_begin(int64_t ns);

/*
 * Whether there was a tick; false without a clock. Costs next to nothing. After true the caller shows the state and
 * calls refresh_shown(), which arranges the next tick.
 */
bool refresh_due(void);

/*
 * The next tick comes after the interval, or after as long as showing the state took where that is longer: at least
 * half of the time goes into reading, however large the state is.
 */
void refresh_shown(void);

/* Whether the next state takes the place of the last one, on a terminal; before it refresh_clear() is called. */
bool refresh_clears(void);
void refresh_clear(struct out *o);

#endif

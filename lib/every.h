/* every: --every T: what is known so far, shown again and again while input comes. */
#ifndef EVERY_H
#define EVERY_H

#include "out.h"

/* Starts the clock: one tick every `ns` nanoseconds (> 0). Waiting for input is interrupted by it. */
void every_start(int64_t ns);

/* Whether there was a tick since the last time it was asked; false without a clock. Costs next to nothing. */
bool every_due(void);

/* Whether the next state takes the place of the last one, on a terminal; before it every_clear() is called. */
bool every_clears(void);
void every_clear(struct out *o);

#endif

/*
 * repeated_calls: the calls with one rank, process and id, in a table whose calls do not age out: the first call, and a
 * tree of the others, in ts order.
 */
#ifndef REPEATED_CALLS_H
#define REPEATED_CALLS_H

#include "stored_calls.h"

#define REPEATED_CALLS_NONE UINT32_MAX /* means no call */

/* Adds the call `number` to the calls of `first`. */
void repeated_calls_put(const struct stored_calls *c, struct stored_call *first, uint32_t number);

/*
 * Returns `first` or one of the other calls: the one whose ts is nearest to *ts, or the last one if `ts` is NULL or no
 * call has a ts.
 */
struct stored_call *repeated_calls_find(const struct stored_calls *c, struct stored_call *first, const int64_t *ts);

#endif

/* call_texts: stores the attachments of calls, each different text once, until the calls with that text are dropped. */
#ifndef CALL_TEXTS_H
#define CALL_TEXTS_H

#include "base/str.h"

struct call_texts *call_texts_new(void);
void call_texts_free(struct call_texts *t);

/*
 * Returns the number of a text, for the call that was added last; 0 for the empty text. call_texts_get() returns the
 * text with that number.
 */
uint32_t call_texts_put(struct call_texts *t, struct str text);
struct str call_texts_get(const struct call_texts *t, uint32_t number);

/*
 * Drops texts of which all calls are more than `life` before ts. Returns the time from which the age of the next texts
 * counts: nothing can be dropped while ts is at most `life` after it.
 */
int64_t call_texts_age(struct call_texts *t, int64_t ts, uint64_t life);

#endif

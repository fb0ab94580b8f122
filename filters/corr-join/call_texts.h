/* call_texts: the attachments that calls carry, each different text once, until its calls are gone. */
#ifndef CALL_TEXTS_H
#define CALL_TEXTS_H

#include "base/str.h"

struct call_texts *call_texts_new(void);
void call_texts_free(struct call_texts *t);

/* The number of a text, for a call that was added last; 0 for the empty text. And the text of a number. */
uint32_t call_texts_put(struct call_texts *t, struct str text);
struct str call_texts_get(const struct call_texts *t, uint32_t number);

/*
 * Drops texts all of whose calls are more than `life` before ts. Returns the time that the next texts to be dropped
 * count from: there are none to drop while ts is at most `life` after it.
 */
int64_t call_texts_age(struct call_texts *t, int64_t ts, uint64_t life);

#endif

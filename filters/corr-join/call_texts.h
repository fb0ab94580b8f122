/* call_texts: stores the attachments of calls, each distinct text once, until the calls with that text are dropped. */
#ifndef CALL_TEXTS_H
#define CALL_TEXTS_H

#include "base/str.h"

struct call_texts *call_texts_new(void);
void call_texts_free(struct call_texts *t);

/*
 * Stores a text of the newest call and returns the number of the text; 0 for the empty text. call_texts_get() returns
 * the text with that number.
 */
uint32_t call_texts_put(struct call_texts *t, struct str text);
struct str call_texts_get(const struct call_texts *t, uint32_t number);

/*
 * Drops texts that belong only to calls earlier than `ts` - `life`. Returns a time S: no more texts can be dropped
 * until `ts` is later than S + `life`.
 */
int64_t call_texts_age(struct call_texts *t, int64_t ts, uint64_t life);

#endif

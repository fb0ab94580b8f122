/* call_texts: the attachments that calls carry, each different text once, until its calls are gone. */
#ifndef CALL_TEXTS_H
#define CALL_TEXTS_H

#include "base/map.h"

#include <stdbool.h>

/* Zero-initialise; call_texts_free() or keep it. */
struct call_texts {
	struct map texts[2];
	unsigned young;            /* which of them takes new ones: the other is dropped when its calls are gone */
	bool any;
	int64_t since;             /* the young one's first ts */
};

/* The number of a text, and the text of a number. The number is good for a call that is added next; 0 stands for the empty text. */
uint32_t call_texts_put(struct call_texts *t, struct str text);
struct str call_texts_get(const struct call_texts *t, uint32_t number);

/*
 * Drops texts all of whose calls are more than `life` before ts. A call's texts are in the map that
 * was young when it was added: when the young map is as old as calls live, the calls of the other one are gone.
 */
static inline void call_texts_age(struct call_texts *t, int64_t ts, uint64_t life)
{
	if (!t->any) {
		t->any = true;
		t->since = ts;
	} else if ((uint64_t)ts - (uint64_t)t->since > life) {
		t->young = !t->young;
		map_free(&t->texts[t->young]);
		t->since = ts;
	}
}

void call_texts_free(struct call_texts *t);

#endif

/* call_texts: the names and attachments that calls carry, each different text once. */
#ifndef CALL_TEXTS_H
#define CALL_TEXTS_H

#include "base/map.h"

#include <stdbool.h>

/* Zero-initialise; call_texts_free() or keep it. */
struct call_texts {
	struct map names;
	struct map texts[2];       /* all but names */
	unsigned young;            /* which of them takes new ones: the other is dropped when its calls are gone */
	bool any;
	int64_t since;             /* the young one's first ts */
};

/* Names stay. The number of a name, and the name of a number. */
uint32_t call_texts_put_name(struct call_texts *t, struct str name);
struct str call_texts_get_name(const struct call_texts *t, uint32_t number);

/* Any other text. The number is good for a call that is added next; 0 stands for the empty text. */
uint32_t call_texts_put(struct call_texts *t, struct str text);
struct str call_texts_get(const struct call_texts *t, uint32_t number);

/*
 * Drops texts, other than names, all of whose calls are more than `life` before ts. A call's texts are in the map that
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

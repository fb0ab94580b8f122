/* id_texts: the texts of ids, for formats that write a name once and then refer to it by a number. */
#ifndef ID_TEXTS_H
#define ID_TEXTS_H

#include "base/map.h"

/* Ids are any bytes, texts are JSON strings. A text is stored once even if several ids have it. Zero-initialise. */
struct id_texts {
	size_t awaited; /* number of ids that id_texts_await() returned without a text, and that have none yet */
	/* private */
	struct map ids, texts;
	size_t *text_of; /* maps the index of an id to the index of its text, or to MAP_NONE */
	size_t cap;
};

/* Stores the text of an id; it replaces the earlier text. */
void id_texts_put(struct id_texts *t, struct str id, struct str text);

/* Returns the text of an id, valid until id_texts_free(); p is NULL if it has none. */
struct str id_texts_get(const struct id_texts *t, struct str id);

/* The same, but an id without a text is counted as awaited until it gets one. */
struct str id_texts_await(struct id_texts *t, struct str id);

void id_texts_free(struct id_texts *t); /* leaves an empty table */

#endif

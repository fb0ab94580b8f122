/* arena: pieces of memory that are freed together, the last ones first. */
#ifndef ARENA_H
#define ARENA_H

#include "base/str.h"

/* Zero-initialise. */
struct arena {
	size_t bytes; /* of all pieces */
	/* private */
	struct arena_piece *last;
};

/* Returns memory for n objects of `size` bytes, which is cleared. */
void *arena_get(struct arena *a, size_t n, size_t size);

/* Returns a copy of a text. */
struct str arena_keep(struct arena *a, struct str text);

/* Frees the last pieces, as long as all pieces have more than that many bytes: all of them for 0. */
void arena_drop(struct arena *a, size_t bytes);

#endif

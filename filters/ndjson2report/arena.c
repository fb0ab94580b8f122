#include "arena.h"

#include <stdlib.h>

struct arena_piece {
	struct arena_piece *before;
	size_t bytes;    /* of all pieces before this one */
	double memory[]; /* aligned for all objects */
};

void *arena_get(struct arena *a, size_t n, size_t size)
{
	struct arena_piece *piece = mem_zero(1, sizeof *piece + n * size);

	piece->before = a->last;
	piece->bytes = a->bytes;
	a->last = piece;
	a->bytes += sizeof *piece + n * size;
	return piece->memory;
}

struct str arena_keep(struct arena *a, struct str text)
{
	char *copy = arena_get(a, text.n, 1);

	str_copy(copy, text);
	return (struct str){copy, text.n};
}

void arena_drop(struct arena *a, size_t bytes)
{
	while (a->bytes > bytes) {
		struct arena_piece *piece = a->last;

		a->last = piece->before;
		a->bytes = piece->bytes;
		free(piece);
	}
}

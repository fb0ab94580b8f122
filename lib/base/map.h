/* map: assigns the numbers 0, 1, 2 ... to different byte strings: names, keys and groups. */
#ifndef MAP_H
#define MAP_H

#include "base/str.h"

struct map_slot;
struct map_key;
struct map_page;

enum { MAP_RECENT = 128 };

/* Zero-initialise it. Keys are copied, and the copies do not move until map_free(). */
struct map {
	size_t n; /* number of keys; they are numbered 0 .. n-1 in the order in which they were added */
	/* private */
	struct map_slot *slots;
	struct map_key *keys;
	struct map_page *pages;
	size_t mask, cap;
	uint32_t recent[MAP_RECENT]; /* the numbers of keys that were put last: see map.c */
};

#define MAP_NONE ((size_t)-1)

/* Returns the number of the key, or MAP_NONE if it is absent. */
size_t map_find(const struct map *m, struct str key);

/* Returns the number of the key. If the key is absent, adds a copy of it, whose number is the old m->n. */
size_t map_put(struct map *m, struct str key);

/* Returns the key with the number i < n; the view is valid as long as the map. */
struct str map_key(const struct map *m, size_t i);

void map_free(struct map *m);

/* Frees several maps: maps_free(&x->names, &x->groups). */
#define maps_free(...) maps_free_all((struct map *const[]){__VA_ARGS__, NULL})
void maps_free_all(struct map *const *list); /* NULL follows the last one */

#endif
